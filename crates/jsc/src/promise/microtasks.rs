//! Runs microtasks inside of a callback (unstable ABI). The engine runs them when its lock is
//! released, each as a VM entry of its own that clears caches and resets stack limits. Inside of a
//! callback the VM is entered already, and a microtask costs half. In: a scope of a callback. Out:
//! whether they ran. Absent: when they may run; the event loop decides.

use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::rc::Rc;

use crate::engine::engine;
use crate::scope::Scope;
use crate::symbols::RawGroup;

/// `JSC::VM::drainMicrotasks()`.
const DRAIN: &CStr = c"_ZN3JSC2VM15drainMicrotasksEv";

/// The engine's function, not yet verified.
#[derive(Clone, Copy)]
pub(crate) struct Drain(unsafe extern "C" fn(RawGroup));

impl Drain {
    /// Looks it up, in a release whose source was reviewed.
    pub fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<Drain> {
        let address = find(DRAIN);
        (!address.is_null()).then(|| {
            // SAFETY: the mangled name has no argument but the VM; `verify` checks the behaviour.
            Drain(unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn(RawGroup)>(address) })
        })
    }

    fn run(self, scope: &Scope) {
        // SAFETY: the context group is the VM, and its lock is held; microtasks may do what any
        // callback may.
        unsafe { (self.0)(scope.shared().group) }
    }
}

impl Scope {
    /// Runs microtasks until the queue is empty, and reports unhandled rejections, as the end of a
    /// turn does. `false`: the ABI is not available, and they only run there. Call it only where no
    /// function of the program is running.
    pub fn run_microtasks(&self) -> bool {
        let Some(drain) = self.shared().drain.get().copied().flatten() else { return false };
        drain.run(self);
        true
    }
}

/// The engine's function, if a microtask of ours runs by it. Called before a program can change
/// `Promise`.
pub(crate) fn verify(scope: &Scope) -> Option<Drain> {
    let drain = engine().drain?;
    let has_run = Rc::new(Cell::new(false));
    let noted = Rc::clone(&has_run);
    let note = scope.function("note", move |scope, _| {
        noted.set(true);
        Ok(scope.undefined())
    });
    let made = scope.promise().ok()?;
    let then = made.promise.property(scope, "then").ok()?.as_function(scope)?;
    then.call_on(scope, made.promise, &[note.value()]).ok()?;
    made.resolve.call(scope, &[]).ok()?;
    if has_run.get() {
        return None;
    }
    drain.run(scope);
    has_run.get().then_some(drain)
}
