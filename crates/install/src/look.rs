//! A look at node_modules that lasts while the project is read and versions are decided: only the
//! plan needs what comes of it. In: the project, open. Out: what is installed, once somebody asks.
//! Nobody changes node_modules before there is a plan.

use std::os::fd::AsFd;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;

use rusk_base::sys::OwnedFd;
use rusk_base::timeline;

use crate::plan::Installed;
use crate::state;

pub struct Look {
    thread: Mutex<Option<JoinHandle<Installed>>>,
    installed: OnceLock<Arc<Installed>>,
}

impl Look {
    /// One that is over.
    pub fn over(installed: Installed) -> Look {
        Look { thread: Mutex::new(None), installed: OnceLock::from(Arc::new(installed)) }
    }

    /// Begins it in a thread of its own; where none is to be had, it is over when this returns.
    pub fn begin(project: OwnedFd) -> Look {
        let project = Arc::new(project);
        let (opened, here) = (Arc::clone(&project), timeline::here());
        let looking = std::thread::Builder::new().spawn(move || {
            let _lane = here.enter("look");
            timeline::phase("look at node_modules", || state::read(opened.as_fd()))
        });
        match looking {
            Ok(thread) => Look { thread: Mutex::new(Some(thread)), installed: OnceLock::new() },
            Err(_) => Look::over(state::read(project.as_fd())),
        }
    }

    /// Waits until it is over.
    pub fn installed(&self) -> Arc<Installed> {
        let wait = || {
            let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
            let looked = thread.expect("one that has not begun is over").join();
            Arc::new(looked.unwrap_or_else(|cause| std::panic::resume_unwind(cause)))
        };
        Arc::clone(self.installed.get_or_init(wait))
    }
}
