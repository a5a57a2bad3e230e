//! Running microtasks where JavaScript runs already. The engine runs them when its lock is let go,
//! each as an entry of its own, with caches cleared and the stack's limits set anew; within a
//! callback an entry stands already, and one costs half. It has no public function for that. In: a
//! scope of a callback. Out: whether they ran. Absent: when they may; that is the loop's.

use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::rc::Rc;

use crate::engine::engine;
use crate::scope::Scope;
use crate::symbols::RawGroup;

/// `JSC::VM::drainMicrotasks()`.
const DRAIN: &CStr = c"_ZN3JSC2VM15drainMicrotasksEv";

/// The function, not yet believed.
#[derive(Clone, Copy)]
pub(crate) struct Drain(unsafe extern "C" fn(RawGroup));

impl Drain {
    /// In a release whose source was read.
    pub fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<Drain> {
        let address = find(DRAIN);
        (!address.is_null()).then(|| {
            // SAFETY: the mangled name says that there is no argument but the VM; `verify` sees
            // whether it does what it says.
            Drain(unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn(RawGroup)>(address) })
        })
    }

    fn run(self, scope: &Scope) {
        // SAFETY: the group is the VM, and its lock is held; what runs may do what any callback
        // may.
        unsafe { (self.0)(scope.shared().group) }
    }
}

impl Scope {
    /// Runs microtasks until there is none, and tells of rejections without a handler, as the end
    /// of a turn does. `false`: this engine does it there alone. To be called where no program's
    /// function is under way.
    pub fn run_microtasks(&self) -> bool {
        let Some(drain) = self.shared().drain.get().copied().flatten() else { return false };
        drain.run(self);
        true
    }
}

/// The function of this engine, if a microtask of ours runs by it. Asked before a program changes
/// what promises do.
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
