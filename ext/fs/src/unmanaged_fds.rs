//! Unmanaged file descriptors of a worker (`fs.open` without `FileHandle`), as in Node's
//! `Environment::AddUnmanagedFd`. In: descriptors as they are opened and closed. Out: a report of
//! those that are opened or closed twice; the rest is closed when the worker ends. Absent:
//! descriptors that an object owns; it closes them.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use rusk_base::sys::raw_fd;
use rusk_jsc::{Exception, Root, Scope};
use rusk_runtime::RuntimeState;

/// `None`: the end of the process closes all.
pub(crate) struct UnmanagedFds(Option<TrackedFds>);

#[derive(Default)]
struct TrackedFds {
    numbers: RefCell<BTreeSet<i32>>,
    /// Called with a descriptor, and whether it was opened.
    listener: RefCell<Option<Root>>,
}

impl UnmanagedFds {
    /// Of this thread's runtime.
    pub fn current() -> Rc<UnmanagedFds> {
        UnmanagedFds::of(&RuntimeState::current())
    }

    pub fn of(state: &RuntimeState) -> Rc<UnmanagedFds> {
        state.extension(|state| {
            let is_tracked =
                state.shares_process || state.worker.as_ref().is_some_and(|worker| worker.closes_files);
            UnmanagedFds(is_tracked.then(TrackedFds::default))
        })
    }

    pub fn set_listener(&self, listener: Root) {
        if let Some(tracked) = &self.0 {
            *tracked.listener.borrow_mut() = Some(listener);
        }
    }

    /// A descriptor that is tracked already was closed by other code.
    pub fn add<'s>(&self, scope: &'s Scope, fd: i32) -> Result<(), Exception<'s>> {
        match &self.0 {
            Some(tracked) if !tracked.numbers.borrow_mut().insert(fd) => tracked.notify(scope, fd, true),
            _ => Ok(()),
        }
    }

    /// A descriptor that is not tracked was opened by other code. Call it before the descriptor is
    /// closed: afterwards another thread may open the same number.
    pub fn remove<'s>(&self, scope: &'s Scope, fd: i32) -> Result<(), Exception<'s>> {
        match &self.0 {
            Some(tracked) if !tracked.numbers.borrow_mut().remove(&fd) => tracked.notify(scope, fd, false),
            _ => Ok(()),
        }
    }

    /// Closes all tracked descriptors.
    pub fn close_all(&self) {
        let Some(tracked) = &self.0 else { return };
        drop(tracked.listener.take());
        for fd in tracked.numbers.take() {
            // Other code may have closed it already.
            let _ = raw_fd::close(fd);
        }
    }
}

impl TrackedFds {
    fn notify<'s>(&self, scope: &'s Scope, fd: i32, is_opened: bool) -> Result<(), Exception<'s>> {
        let listener = self.listener.borrow().as_ref().map(|listener| listener.value(scope));
        match listener.and_then(|listener| listener.as_function(scope)) {
            Some(listener) => {
                listener.call(scope, &[scope.number(fd.into()), scope.boolean(is_opened)]).map(|_| ())
            }
            None => Ok(()),
        }
    }
}
