//! Background scan of node_modules, during reading and resolution: only the plan needs its result.
//! In: the project, open. Out: the installed packages, when they are waited for. node_modules does
//! not change before there is a plan.

use std::os::fd::AsFd;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;

use rusk_base::sys::OwnedFd;
use rusk_base::timeline;

use crate::plan::InstalledTree;
use crate::state;

pub struct InstalledScan {
    thread: Mutex<Option<JoinHandle<InstalledTree>>>,
    installed: OnceLock<Arc<InstalledTree>>,
}

impl InstalledScan {
    /// A scan that is finished.
    pub fn finished(installed: InstalledTree) -> InstalledScan {
        InstalledScan { thread: Mutex::new(None), installed: OnceLock::from(Arc::new(installed)) }
    }

    /// Starts the scan in a thread; without a thread it is finished on return.
    pub fn start(project: OwnedFd) -> InstalledScan {
        let project = Arc::new(project);
        let (opened, here) = (Arc::clone(&project), timeline::current());
        let scanning = std::thread::Builder::new().spawn(move || {
            let _lane = here.enter("scan node_modules");
            timeline::phase("scan node_modules", || state::read(opened.as_fd()))
        });
        match scanning {
            Ok(thread) => InstalledScan { thread: Mutex::new(Some(thread)), installed: OnceLock::new() },
            Err(_) => InstalledScan::finished(state::read(project.as_fd())),
        }
    }

    /// Waits for the result.
    pub fn wait(&self) -> Arc<InstalledTree> {
        let join = || {
            let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
            let scanned = thread.expect("one that has not begun is over").join();
            Arc::new(scanned.unwrap_or_else(|cause| std::panic::resume_unwind(cause)))
        };
        Arc::clone(self.installed.get_or_init(join))
    }
}
