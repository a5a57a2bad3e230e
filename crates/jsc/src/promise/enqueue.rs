//! A function as a microtask. By the public way a program makes a promise of it, which is an object
//! and a closure more than is needed. In: a function of JavaScript and what it is called with. Out:
//! whether it is in the queue, behind all that is there. Absent: what becomes of an error that it
//! throws; it is to throw none.

use std::cell::Cell;
use std::ffi::{CStr, c_void};

use crate::engine::engine;
use crate::scope::Scope;
use crate::symbols::{RawContext, RawValue};
use crate::value::Value;

/// `JSC::JSGlobalObject::queueMicrotask(JSC::JSFunction*, JSC::JSValue, JSC::JSValue, JSC::JSValue,
/// JSC::JSValue)`.
const ENQUEUE: &CStr = c"_ZN3JSC14JSGlobalObject14queueMicrotaskEPNS_10JSFunctionENS_7JSValueES3_S3_S3_";

type Enqueue = unsafe extern "C" fn(RawContext, RawValue, RawValue, RawValue, RawValue, RawValue);

/// The function, not yet believed.
#[derive(Clone, Copy)]
pub(crate) struct EntryPoints(Enqueue);

/// What was believed: with the type of the functions that it takes.
#[derive(Clone, Copy)]
pub(crate) struct Microtasks {
    abi: EntryPoints,
    function: u8,
}

impl EntryPoints {
    /// In a release whose source was read.
    pub fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<EntryPoints> {
        let address = find(ENQUEUE);
        (!address.is_null()).then(|| {
            // SAFETY: the mangled name says the types of the arguments; `verify` sees whether it
            // does what it says.
            EntryPoints(unsafe { std::mem::transmute::<*mut c_void, Enqueue>(address) })
        })
    }
}

impl Microtasks {
    fn enqueue(self, scope: &Scope, function: Value<'_>, argument: Value<'_>) -> bool {
        let layout = scope.shared().layout();
        if layout.and_then(|layout| layout.cell_type(function.raw())) != Some(self.function) {
            return false;
        }
        let none = scope.undefined().raw();
        // SAFETY: a global object is what a context is; the function is one of the engine's own by
        // its type, and both are values of this VM, whose lock is held.
        unsafe {
            (self.abi.0)(scope.context(), function.raw(), argument.raw(), none, none, none);
        }
        true
    }
}

impl Scope {
    /// Puts a call of a function of JavaScript into the queue of microtasks. `false`: this engine
    /// offers no way to, or not for this value.
    pub fn queue_microtask(&self, function: Value<'_>, argument: Value<'_>) -> bool {
        let found = self.shared().enqueue.get().copied().flatten();
        found.is_some_and(|microtasks| microtasks.enqueue(self, function, argument))
    }
}

thread_local! {
    /// What the sample was called with. A short function captures nothing.
    static TOLD: Cell<f64> = const { Cell::new(0.0) };
}

/// The function of this engine, if a call runs by it when microtasks run, and with what was given.
/// Asked of a VM that runs nothing yet, once it is known which functions and microtasks work.
pub(crate) fn verify(scope: &Scope) -> Option<Microtasks> {
    let abi = engine().enqueue?;
    let layout = scope.shared().layout()?;
    scope.shared().host.get().copied().flatten()?;
    let sample = scope.fast_function("sample", |scope, call| {
        TOLD.set(call.argument(scope, 0).to_number(scope)?);
        Ok(scope.undefined())
    });
    let sample = sample.value();
    let microtasks = Microtasks { abi, function: layout.cell_type(sample.raw())? };
    let is_queued = microtasks.enqueue(scope, sample, scope.number(7.0));
    let is_early = TOLD.get() != 0.0;
    let is_run = scope.run_microtasks();
    (is_queued && !is_early && is_run && TOLD.take() == 7.0).then_some(microtasks)
}
