//! State of one event loop, shared by its handles.

use std::rc::Rc;

use rusk_base::sys;

use crate::reactor::{Callback, Readiness};
use crate::{Context, IoHandle, Reactor, Signals, ThreadPool};

/// The reactor, the loop's part of the thread pool, and its signals.
pub struct EventLoop<C: Context> {
    pub reactor: Reactor<C>,
    pub thread_pool: ThreadPool<C>,
    pub signals: Signals<C>,
}

impl<C: Context> EventLoop<C> {
    pub fn new(reactor: Reactor<C>, thread_pool: ThreadPool<C>) -> Rc<EventLoop<C>> {
        Rc::new(EventLoop { reactor, thread_pool, signals: Signals::default() })
    }

    /// Calls `callback` whenever the file descriptor is ready, until the handle is dropped. The
    /// handle is ref'd. `EPERM`: the descriptor is a regular file; use the thread pool.
    pub fn add(
        self: &Rc<Self>,
        fd: Rc<std::os::fd::OwnedFd>,
        interest: Readiness,
        callback: Rc<Callback<C>>,
    ) -> sys::Result<IoHandle<C>> {
        let token = self.reactor.add(fd, interest, callback)?;
        Ok(IoHandle::new(Rc::clone(self), token))
    }

    /// Whether an I/O handle that is ref'd or pending work keeps the loop alive.
    pub fn is_alive(&self) -> bool {
        self.reactor.is_alive() || self.thread_pool.is_alive()
    }
}
