//! Enqueues a function as a microtask (unstable ABI). The public API needs a promise for that,
//! which costs an object and a closure more. In: a JavaScript function and its argument. Out:
//! whether it is in the queue. Absent: exceptions of the function; it must not throw.

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

/// The engine's function, not yet verified.
#[derive(Clone, Copy)]
pub(crate) struct EnqueueMicrotask(Enqueue);

/// The verified function, and the cell type of the functions that it accepts.
#[derive(Clone, Copy)]
pub(crate) struct Microtasks {
    abi: EnqueueMicrotask,
    function: u8,
}

impl EnqueueMicrotask {
    /// Looks it up, in a release whose source was reviewed.
    pub fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<EnqueueMicrotask> {
        let address = find(ENQUEUE);
        (!address.is_null()).then(|| {
            // SAFETY: the mangled name contains the argument types; `verify` checks the behaviour.
            EnqueueMicrotask(unsafe { std::mem::transmute::<*mut c_void, Enqueue>(address) })
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
        // SAFETY: a context is its global object. The function is a `JSFunction` by its cell type,
        // and both are values of this VM, whose lock is held.
        unsafe {
            (self.abi.0)(scope.context(), function.raw(), argument.raw(), none, none, none);
        }
        true
    }
}

impl Scope {
    /// Enqueues a call of a function as a microtask. `false`: the ABI is not available, or not for
    /// this value.
    pub fn queue_microtask(&self, function: Value<'_>, argument: Value<'_>) -> bool {
        let found = self.shared().enqueue.get().copied().flatten();
        found.is_some_and(|microtasks| microtasks.enqueue(self, function, argument))
    }
}

thread_local! {
    /// The argument of the probe's call. A host function captures nothing.
    static ARGUMENT: Cell<f64> = const { Cell::new(0.0) };
}

/// The engine's function, if a call is enqueued, runs with the other microtasks, and gets its
/// argument. Called on a new VM, after host functions and microtasks were verified.
pub(crate) fn verify(scope: &Scope) -> Option<Microtasks> {
    let abi = engine().enqueue?;
    let layout = scope.shared().layout()?;
    scope.shared().host_functions.get().copied().flatten()?;
    let probe = scope.fast_function("probe", |scope, call| {
        ARGUMENT.set(call.argument(scope, 0).to_number(scope)?);
        Ok(scope.undefined())
    });
    let probe = probe.value();
    let microtasks = Microtasks { abi, function: layout.cell_type(probe.raw())? };
    let is_queued = microtasks.enqueue(scope, probe, scope.number(7.0));
    let is_early = ARGUMENT.get() != 0.0;
    let is_run = scope.run_microtasks();
    (is_queued && !is_early && is_run && ARGUMENT.take() == 7.0).then_some(microtasks)
}
