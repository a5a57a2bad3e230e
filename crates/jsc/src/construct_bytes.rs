//! Byte arrays made without a call of JavaScript. In: the engine's `Uint8Array`, a class that
//! extends it and only calls its constructor, a length. Out: what `new` of the class makes. Uses
//! the unstable ABI, in releases whose source was reviewed and where a probe gets an array.
//!
//! The engine's constructor is a host function: it gets a frame, in which `this` is `new.target`
//! (see [`crate::host_function`]; WebKit's `JSTypedArrayConstructors.cpp`).

use std::ffi::{CStr, c_void};
use std::mem;

use crate::bytes::Bytes;
use crate::engine::engine;
use crate::host_function::{ARGUMENTS, CALLEE, COUNT, Called, THIS};
use crate::object::Function;
use crate::scope::Scope;
use crate::value::Value;

/// `JSC::constructUint8Array(JSC::JSGlobalObject*, JSC::CallFrame*)`.
const CONSTRUCT: &CStr = c"_ZN3JSC19constructUint8ArrayEPNS_14JSGlobalObjectEPNS_9CallFrameE";
/// Longer arrays are left to JavaScript, where an array that does not fit into memory is an
/// exception.
const LENGTH_MAX: u32 = 64 * 1024;
const PROBE_LENGTH: u32 = 5;

/// The engine's constructor.
#[derive(Clone, Copy)]
pub(crate) struct ConstructBytes(Called);

impl ConstructBytes {
    /// Looks it up, in a release whose source was reviewed.
    pub fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<ConstructBytes> {
        let found = find(CONSTRUCT);
        // SAFETY: the mangled name contains the argument types; it is a host function.
        (!found.is_null()).then(|| ConstructBytes(unsafe { mem::transmute::<*mut c_void, Called>(found) }))
    }

    fn construct<'s>(
        self,
        scope: &'s Scope,
        (constructor, new_target): (Function<'_>, Function<'_>),
        length: u32,
    ) -> Value<'s> {
        let mut frame = [std::ptr::null(); ARGUMENTS + 1];
        frame[CALLEE] = constructor.value().raw();
        frame[COUNT] = std::ptr::without_provenance(2);
        frame[THIS] = new_target.value().raw();
        frame[ARGUMENTS] = scope.number(f64::from(length)).raw();
        // SAFETY: a host function that reads its frame only during the call; the lock is held, and
        // the scope keeps the functions alive.
        let made = unsafe { (self.0)(scope.context(), frame.as_ptr()) };
        // The engine ends the process in most places where there is no memory for so little.
        assert!(!made.is_null(), "no memory for {length} bytes");
        scope.retain(made)
    }
}

impl Scope {
    /// A zeroed array, as `new new_target(length)` makes it. `constructor`: `Uint8Array`, of this
    /// global object; `new_target`: it, or a class that extends it and whose own constructor does
    /// nothing else. `None`: it must be called.
    pub fn construct_bytes<'s>(
        &'s self,
        constructor: Function<'_>,
        new_target: Function<'_>,
        length: u32,
    ) -> Option<Value<'s>> {
        if length > LENGTH_MAX {
            return None;
        }
        let verified = self.shared().construct_bytes.get_or_init(|| verify(self, constructor));
        Some((*verified)?.construct(self, (constructor, new_target), length))
    }
}

/// The engine's constructor, if it makes an array of the requested length.
fn verify(scope: &Scope, constructor: Function<'_>) -> Option<ConstructBytes> {
    let construct = engine().construct_bytes?;
    scope.shared().host_functions.get().copied().flatten()?;
    let made = construct.construct(scope, (constructor, constructor), PROBE_LENGTH);
    let length = Bytes::of(scope, made)?.len(scope);
    (length == PROBE_LENGTH as usize).then_some(construct)
}
