//! Replaceable prototype of a global object. The engine makes it immutable; other engines do not,
//! and programs that emulate web pages replace it. In: a context. Out: the same context, whose
//! global object accepts another prototype. Uses the unstable ABI, in releases whose source was
//! reviewed and where structures match the expected layout. Otherwise the engine throws its own
//! error.
//!
//! Immutability is one of the out-of-line type flags of a structure (WebKit's `JSTypeInfo.h`:
//! `IsImmutablePrototypeExoticObject`). A global object has a structure of its own, and its later
//! structures copy the flags.

use std::sync::atomic::{AtomicU16, Ordering};

use crate::engine::engine;
use crate::scope::Scope;
use crate::string::fast::peek;
use crate::structures::{CONFIGURATION, structure_of};
use crate::symbols::RawValue;
use crate::vm::Context;

/// `Structure::m_outOfLineTypeFlags`.
const FLAGS_OFFSET: usize = 12;
/// `IsImmutablePrototypeExoticObject`, relative to the eight inline flags.
const IMMUTABLE_PROTOTYPE: u16 = 1 << 6;

impl Scope {
    /// Allows the prototype of the context's global object to be replaced. `false`: not possible
    /// here.
    pub fn make_global_prototype_mutable(&self, context: &Context) -> bool {
        self.flags_of(context).is_some_and(|flags| {
            // SAFETY: flags of a structure, which lives as long as its object, and that as long as
            // the context. Only this thread, which owns the VM, writes them; others read them
            // atomically.
            let flags = unsafe { AtomicU16::from_ptr(flags) };
            flags.fetch_and(!IMMUTABLE_PROTOTYPE, Ordering::Relaxed) & IMMUTABLE_PROTOTYPE != 0
        })
    }

    /// Address of the flags of its global object, if the flag is set for this scope's global object
    /// and not for a plain object, as expected.
    fn flags_of(&self, context: &Context) -> Option<*mut u16> {
        let configuration = engine().find(CONFIGURATION);
        if configuration.is_null() || !engine().uses_unstable_abi() {
            return None;
        }
        let flags = |object: RawValue| {
            let address = structure_of(self, object, configuration.addr())?.wrapping_add(FLAGS_OFFSET);
            Some((address.cast::<u16>(), u16::from_ne_bytes(peek(address)?) & IMMUTABLE_PROTOTYPE != 0))
        };
        let plain = self.evaluate_static("({})", "mutable_prototype.js").ok()?;
        let is_as_expected = flags(self.shared().global().cast_const())?.1 && !flags(plain.raw())?.1;
        let (address, is_immutable) = flags(context.raw(self).cast_const())?;
        (is_as_expected && is_immutable).then_some(address)
    }
}
