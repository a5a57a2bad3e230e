//! A look at node_modules that lasts while the project is read and versions are decided: only the
//! plan needs what comes of it. In: the project, open. Out: what is installed, once somebody asks.
//! Nobody changes node_modules before there is a plan.

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
    /// One that is over.
    pub fn finished(installed: InstalledTree) -> InstalledScan {
        InstalledScan { thread: Mutex::new(None), installed: OnceLock::from(Arc::new(installed)) }
    }

    /// Begins it in a thread of its own; where none is to be had, it is over when this returns.
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

    /// Waits until it is over.
    pub fn wait(&self) -> Arc<InstalledTree> {
        let join = || {
            let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
            let scanned = thread.expect("one that has not begun is over").join();
            Arc::new(scanned.unwrap_or_else(|cause| std::panic::resume_unwind(cause)))
        };
        Arc::clone(self.installed.get_or_init(join))
    }
}
