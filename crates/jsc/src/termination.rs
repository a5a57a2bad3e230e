//! The end of all that a VM runs, for good, said by any thread: of loops, of what `catch` and
//! `finally` would go on with, of a wait in `Atomics.wait`. In: a VM. Out: a [`TerminationHandle`], which says
//! so, and says whether it was said. Absent: waking a loop that waits for descriptors; whoever has
//! one does that.
//!
//! `traps` does so at once, in engines that it knows. In others `limit` has the engine ask, by its
//! public function, which no wait in `Atomics.wait` hears.

mod traps;
mod watchdog;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::symbols::RawGroup;
use crate::vm::{Shared, Vm};
use traps::EntryPoints;
pub(crate) use traps::ExecutionTerminator;

/// What ends the scripts of one VM. Any thread may have it; it outlives the VM without harm.
#[derive(Clone)]
pub struct TerminationHandle(Arc<Target>);

pub(crate) struct Target {
    is_terminated: AtomicBool,
    /// Gone when the VM is; none where the engine asks.
    vm: Mutex<Option<VmPointer>>,
}

struct VmPointer {
    abi: EntryPoints,
    group: RawGroup,
}

// SAFETY: an address that is used under the lock, while the VM is there; what is called with it is
// made for other threads.
unsafe impl Send for VmPointer {}

impl TerminationHandle {
    /// From now on every script of the VM throws at its next step what no script catches, and
    /// nothing of it runs any more.
    pub fn terminate(&self) {
        self.0.is_terminated.store(true, Ordering::Release);
        self.0.reassert();
    }

    pub fn is_terminated(&self) -> bool {
        self.0.is_terminated()
    }
}

impl Vm {
    /// What ends this VM's scripts: within a millisecond in engines that are known here; in others
    /// within some twenty of processor time, and no wait.
    ///
    /// # Panics
    /// Within a turn.
    pub fn termination_handle(&self) -> TerminationHandle {
        let shared = self.shared();
        assert!(!shared.is_entered(), "a termination is made outside of turns");
        TerminationHandle(Arc::clone(shared.termination.get_or_init(|| Target::of(shared))))
    }
}

impl Target {
    fn of(shared: &Shared) -> Arc<Target> {
        let abi = traps::verified();
        if let Some(abi) = abi {
            abi.prepare(shared.group, shared.global);
        }
        let vm = abi.map(|abi| VmPointer { abi, group: shared.group });
        let is_known = vm.is_some();
        let target = Arc::new(Target { is_terminated: AtomicBool::new(false), vm: Mutex::new(vm) });
        if !is_known {
            watchdog::install(shared.group, &target);
        }
        target
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<VmPointer>> {
        self.vm.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says it once more, where it was said: each script takes note of it once.
    pub fn reassert(&self) {
        if !self.is_terminated() {
            return;
        }
        if let Some(vm) = &*self.lock() {
            vm.abi.terminate_vm(vm.group);
        }
    }

    fn is_terminated(&self) -> bool {
        self.is_terminated.load(Ordering::Acquire)
    }

    /// The VM is about to go.
    pub fn detach(&self) {
        *self.lock() = None;
    }
}
