//! Whether a promise has a handler, which the engine knows and has no public function for. In: a promise that the engine
//! itself named. Out: the answer, or that there is none: where private paths are off, or a look at a promise of our own
//! finds the function not to be what its name says.

use std::ffi::{CStr, c_void};

use crate::engine::engine;
use crate::object::Object;
use crate::scope::Scope;
use crate::symbols::{RawGroup, RawObject};

/// `JSC::JSPromise::isHandled(JSC::VM&) const`.
const IS_HANDLED: &CStr = c"_ZNK3JSC9JSPromise9isHandledERNS_2VME";

/// The function, not yet believed.
#[derive(Clone, Copy)]
pub(crate) struct IsHandled(unsafe extern "C" fn(RawObject, RawGroup) -> bool);

impl IsHandled {
    /// In a release whose source was read.
    pub fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<IsHandled> {
        let address = find(IS_HANDLED);
        (!address.is_null()).then(|| {
            // SAFETY: the mangled name says the types of the arguments; `verify` sees whether the answer is one.
            IsHandled(unsafe {
                std::mem::transmute::<*mut c_void, unsafe extern "C" fn(RawObject, RawGroup) -> bool>(address)
            })
        })
    }

    /// `promise` is one of the engine's own class.
    pub fn ask(self, scope: &Scope, promise: Object<'_>) -> bool {
        // SAFETY: a value of the C interface is the object's address, the group is the VM, its lock is held.
        unsafe { (self.0)(promise.raw(), scope.shared().group) }
    }
}

/// The function of this engine, if it tells a promise without a handler from the same with one.
pub(crate) fn verify(scope: &Scope) -> Option<IsHandled> {
    let is_handled = engine().is_handled?;
    let promise = scope.promise().ok()?.promise;
    let before = is_handled.ask(scope, promise);
    let then = promise.property(scope, "then").ok()?.as_function(scope)?;
    then.call_on(scope, promise, &[]).ok()?;
    (!before && is_handled.ask(scope, promise)).then_some(is_handled)
}
