//! Termination of a VM from any thread (V8: `TerminateExecution`), for good: of loops, of code in
//! `catch` and `finally`, and of `Atomics.wait`. In: a VM. Out: a [`TerminationHandle`]. Absent:
//! waking an event loop that waits for file descriptors; its owner does that.
//!
//! `traps` terminates at once, where the unstable ABI is available. Otherwise `watchdog` uses the
//! engine's public time limit, which does not interrupt `Atomics.wait`.

mod traps;
mod watchdog;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::symbols::RawGroup;
use crate::vm::{Shared, Vm};
pub(crate) use traps::ExecutionTerminator;
use traps::TrapAbi;

/// Terminates the scripts of one VM. It can be used on any thread and may outlive the VM.
#[derive(Clone)]
pub struct TerminationHandle(Arc<Target>);

pub(crate) struct Target {
    is_terminated: AtomicBool,
    /// `None` after the VM has ended, and where the watchdog is used.
    vm: Mutex<Option<VmPointer>>,
}

struct VmPointer {
    abi: TrapAbi,
    group: RawGroup,
}

// SAFETY: the address is only used under the lock, while the VM is alive; the functions called with
// it are made for other threads.
unsafe impl Send for VmPointer {}

impl TerminationHandle {
    /// From now on every script of the VM throws a termination exception at its next step, which no
    /// script catches, and no further script runs.
    pub fn terminate(&self) {
        self.0.is_terminated.store(true, Ordering::Release);
        self.0.reassert();
    }

    pub fn is_terminated(&self) -> bool {
        self.0.is_terminated()
    }
}

impl Vm {
    /// Terminates this VM's scripts: within a millisecond with the unstable ABI; otherwise within
    /// some twenty milliseconds of processor time, and not during a wait.
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
            abi.prepare(shared.group, shared.global());
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

    /// Requests the termination again if it was requested: each request only ends one script.
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

    /// Called before the VM is freed.
    pub fn detach(&self) {
        *self.lock() = None;
    }
}
