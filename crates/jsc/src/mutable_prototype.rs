//! The prototype of a global object: the engine keeps the one that it began with, other engines let
//! it be replaced, and programs that build pages do so. In: a context. Out: the same, whose global
//! object takes another prototype. Past the public functions, which have no word for it; only in
//! releases whose source was read, and where structures are as expected. Elsewhere the engine's own
//! error tells.
//!
//! Whether a prototype stays is a bit among those of a structure that do not fit into the header of
//! its cells (WebKit's `JSTypeInfo.h`: `IsImmutablePrototypeExoticObject`). A global object has a
//! structure of its own, and those that it will have later take over the bits.

use std::sync::atomic::{AtomicU16, Ordering};

use crate::engine::engine;
use crate::scope::Scope;
use crate::string::fast::peek;
use crate::structures::{CONFIGURATION, structure_of};
use crate::symbols::RawValue;
use crate::vm::Context;

/// `Structure::m_outOfLineTypeFlags`.
const FLAGS_OFFSET: usize = 12;
/// `IsImmutablePrototypeExoticObject`, of which the first eight bits stand elsewhere.
const IMMUTABLE_PROTOTYPE: u16 = 1 << 6;

impl Scope {
    /// From now on the prototype of the context's global object may be replaced; false: here it may
    /// not.
    pub fn make_global_prototype_mutable(&self, context: &Context) -> bool {
        self.flags_of(context).is_some_and(|flags| {
            // SAFETY: bits of a structure, which lives as long as its object, and that as long as
            // the context. This thread has the VM and alone writes them; others read them as a
            // whole.
            let flags = unsafe { AtomicU16::from_ptr(flags) };
            flags.fetch_and(!IMMUTABLE_PROTOTYPE, Ordering::Relaxed) & IMMUTABLE_PROTOTYPE != 0
        })
    }

    /// Where the bits of its global object stand, if those of this one's, whose prototype stays,
    /// and of a plain object, whose does not, are as expected.
    fn flags_of(&self, context: &Context) -> Option<*mut u16> {
        let configuration = engine().find(CONFIGURATION);
        if configuration.is_null() || !engine().uses_unstable_abi() {
            return None;
        }
        let flags = |object: RawValue| {
            let place = structure_of(self, object, configuration.addr())?.wrapping_add(FLAGS_OFFSET);
            Some((place.cast::<u16>(), u16::from_ne_bytes(peek(place)?) & IMMUTABLE_PROTOTYPE != 0))
        };
        let plain = self.evaluate_static("({})", "mutable_prototype.js").ok()?;
        let is_as_expected = flags(self.shared().global.cast_const())?.1 && !flags(plain.raw())?.1;
        let (place, stays) = flags(context.raw(self).cast_const())?;
        (is_as_expected && stays).then_some(place)
    }
}
