//! Handle of the event loop, for bindings and embedders. In: file descriptors, blocking work,
//! signals, children, each with a callback. Out: callbacks, each followed by its ticks and
//! microtasks. Absent: what an event means to JavaScript.

use std::any::Any;
use std::os::fd::OwnedFd;
use std::rc::Rc;

use rusk_base::sys;
use rusk_base::sys::epoll::{Epoll, EventFlags};
use rusk_event_loop::{Context, EventLoop};
use rusk_jsc::{Exception, Scope};
use rusk_spawn::{Child, Exit};

use crate::check_hooks::{CheckHandle, CheckHooks};
use crate::inbox::Inbox;
use crate::worker::Workers;

pub use rusk_event_loop::{Completer, Pending, Readiness};

/// What callbacks of a runtime's loop run in: a scope of its VM, where they may throw.
pub struct VmContext;

impl Context for VmContext {
    type Scope = Scope;
    type Error<'s> = Exception<'s>;
}

pub type IoHandle = rusk_event_loop::IoHandle<VmContext>;
pub type ChildHandle = rusk_event_loop::ChildHandle<VmContext>;
pub type SignalHandle = rusk_event_loop::SignalHandle<VmContext>;
pub type ThreadPool = rusk_event_loop::ThreadPool<VmContext>;
pub type Reactor = rusk_event_loop::Reactor<VmContext>;

/// The loop as callbacks see it.
#[derive(Clone)]
pub struct LoopHandle(pub(crate) Rc<Inner>);

pub(crate) struct Inner {
    pub event_loop: Rc<EventLoop<VmContext>>,
    pub inbox: Inbox,
    pub workers: Workers,
    pub check_hooks: CheckHooks,
}

impl LoopHandle {
    /// Calls `callback` whenever the file descriptor is ready, until the handle is dropped. It is
    /// ref'd. `EPERM`: the descriptor is a regular file; use [`LoopHandle::queue_work`].
    pub fn add_io(
        &self,
        fd: Rc<OwnedFd>,
        interest: Readiness,
        callback: impl for<'s> Fn(&'s Scope, Readiness) -> Result<(), Exception<'s>> + 'static,
    ) -> sys::Result<IoHandle> {
        self.0.event_loop.add(fd, interest, Rc::new(callback))
    }

    /// The callback that runs now has not taken all that is there: it is called again.
    pub fn call_again(&self) {
        self.0.event_loop.reactor.call_again();
    }

    /// Runs `work` on a thread of the pool, then `completion` with its result. It keeps the loop
    /// alive until then. A panic of the work continues in the loop.
    pub fn queue_work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
        completion: impl for<'s> FnOnce(&'s Scope, T) -> Result<(), Exception<'s>> + 'static,
    ) {
        let work = Box::new(move || -> Box<dyn Any + Send> { Box::new(work()) });
        self.thread_pool().queue_work(
            work,
            Box::new(move |scope, result| {
                let result = result.downcast::<T>().expect("the work returns this type");
                completion(scope, *result)
            }),
        );
    }

    /// Calls `callback` whenever the signal comes. `EBUSY`: another loop of this process has the
    /// signals, or this loop has a handler for this one; `EINVAL`: no such signal, or it cannot be
    /// caught.
    pub fn on_signal(
        &self,
        signal: i32,
        callback: impl for<'s> Fn(&'s Scope) -> Result<(), Exception<'s>> + 'static,
    ) -> sys::Result<SignalHandle> {
        self.0.event_loop.on_signal(signal, Rc::new(callback))
    }

    /// Calls `callback` in each iteration of the loop, after the poll phase (`uv_check_t`), until
    /// the handle is dropped. It does not keep the loop alive.
    pub fn on_check(
        &self,
        callback: impl for<'s> Fn(&'s Scope) -> Result<(), Exception<'s>> + 'static,
    ) -> CheckHandle {
        CheckHandle::new(&self.0, Rc::new(callback))
    }

    /// Waits until `is_done`, when the program has ended. Of what other threads send, only results
    /// that outlive the program are taken; what their completions throw is dropped.
    pub fn wait_after_program(&self, scope: &Scope, is_done: impl Fn() -> bool) -> sys::Result<()> {
        let (epoll, mut ready) = (Epoll::new()?, Vec::new());
        epoll.add(self.thread_pool().waker(), 0, EventFlags::IN | EventFlags::ET)?;
        while !is_done() {
            epoll.wait(&mut ready, None)?;
            for (completion, result) in self.thread_pool().take_last_completed() {
                let _ = completion(scope, result);
            }
        }
        Ok(())
    }

    /// Calls `on_exit` when the child has ended, or with the error that kept it from starting.
    /// `ENOSYS`: the kernel (before 5.3) has no pidfds.
    pub fn wait_for_child(
        &self,
        child: Child,
        on_exit: impl for<'s> FnOnce(&'s Scope, rusk_spawn::Result<Exit>) -> Result<(), Exception<'s>> + 'static,
    ) -> sys::Result<ChildHandle> {
        self.0.event_loop.wait_for_child(child, on_exit)
    }

    /// Gives up the file descriptor number of the loop's epoll instance, which is a low one that
    /// children can use. The instance stays, under another number.
    pub fn give_up_epoll_fd_number(&self) -> sys::Result<OwnedFd> {
        self.reactor().give_up_fd_number()
    }

    pub fn thread_pool(&self) -> &ThreadPool {
        &self.0.event_loop.thread_pool
    }

    /// Messages from other threads.
    pub fn inbox(&self) -> &Inbox {
        &self.0.inbox
    }

    pub(crate) fn reactor(&self) -> &Reactor {
        &self.0.event_loop.reactor
    }

    pub(crate) fn workers(&self) -> &Workers {
        &self.0.workers
    }
}
