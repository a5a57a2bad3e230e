//! The end of all that a VM runs, for good, said by any thread: of loops, of what `catch` and
//! `finally` would go on with, of a wait in `Atomics.wait`. In: a VM. Out: a [`Halter`], which says
//! so, and says whether it was said. Absent: waking a loop that waits for descriptors; whoever has
//! one does that.
//!
//! `traps` does so at once, in engines that it knows. In others `limit` has the engine ask, by its
//! public function, which no wait in `Atomics.wait` hears.

mod limit;
mod traps;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::symbols::RawGroup;
use crate::vm::{Shared, Vm};
use traps::Calls;
pub(crate) use traps::Stopper;

/// What ends the scripts of one VM. Any thread may have it; it outlives the VM without harm.
#[derive(Clone)]
pub struct Halter(Arc<Target>);

pub(crate) struct Target {
    is_halted: AtomicBool,
    /// Gone when the VM is; none where the engine asks.
    vm: Mutex<Option<Place>>,
}

struct Place {
    calls: Calls,
    group: RawGroup,
}

// SAFETY: an address that is used under the lock, while the VM is there; what is called with it is
// made for other threads.
unsafe impl Send for Place {}

impl Halter {
    /// From now on every script of the VM throws at its next step what no script catches, and
    /// nothing of it runs any more.
    pub fn halt(&self) {
        self.0.is_halted.store(true, Ordering::Release);
        self.0.remind();
    }

    pub fn is_halted(&self) -> bool {
        self.0.is_halted()
    }
}

impl Vm {
    /// What ends this VM's scripts: within a millisecond in engines that are known here; in others
    /// within some twenty of processor time, and no wait.
    ///
    /// # Panics
    /// Within a turn.
    pub fn halter(&self) -> Halter {
        let shared = self.shared();
        assert!(!shared.is_entered(), "a halter is made outside of turns");
        Halter(Arc::clone(shared.halt.get_or_init(|| Target::of(shared))))
    }
}

impl Target {
    fn of(shared: &Shared) -> Arc<Target> {
        let calls = traps::believed();
        if let Some(calls) = calls {
            calls.prepare(shared.group, shared.global);
        }
        let place = calls.map(|calls| Place { calls, group: shared.group });
        let is_known = place.is_some();
        let target = Arc::new(Target { is_halted: AtomicBool::new(false), vm: Mutex::new(place) });
        if !is_known {
            limit::ask(shared.group, &target);
        }
        target
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Place>> {
        self.vm.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says it once more, where it was said: each script takes note of it once.
    pub fn remind(&self) {
        if !self.is_halted() {
            return;
        }
        if let Some(place) = &*self.lock() {
            place.calls.halt(place.group);
        }
    }

    fn is_halted(&self) -> bool {
        self.is_halted.load(Ordering::Acquire)
    }

    /// The VM is about to go.
    pub fn forget(&self) {
        *self.lock() = None;
    }
}
