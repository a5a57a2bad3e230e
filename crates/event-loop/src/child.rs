//! Child process handle (`uv_process_t`): waits for the end of a child by its pidfd. In: a child
//! that was started. Out: its exit, reported once. It keeps the loop alive until then unless it is
//! unref'd. Absent: its standard streams; they are I/O handles like any other.

use std::cell::{Cell, RefCell};
use std::os::fd::AsFd;
use std::rc::Rc;

use rusk_base::sys::{self, Errno};
use rusk_spawn::{Child, Exit, Usage};

use crate::{Context, EventLoop, IoHandle, ORPHAN_REAPER, Readiness};

/// A child whose end is waited for. Dropped, the child runs on, its end is not reported, and it is
/// reaped all the same.
pub struct ChildHandle<C: Context> {
    state: Rc<RefCell<ChildState>>,
    io: Rc<Cell<Option<IoHandle<C>>>>,
}

struct ChildState {
    /// `None` after its end, so that no descriptor is held for long.
    running: Option<Child>,
    usage: Option<Usage>,
}

impl ChildState {
    fn try_wait(&mut self) -> Option<rusk_spawn::Result<Exit>> {
        let child = self.running.as_mut()?;
        let exit = child.try_wait().transpose()?;
        self.usage = child.usage();
        self.running = None;
        Some(exit)
    }
}

impl Drop for ChildState {
    fn drop(&mut self) {
        if let Some(child) = self.running.take() {
            ORPHAN_REAPER.adopt(child);
        }
    }
}

impl<C: Context> EventLoop<C> {
    /// Calls `on_exit` when the child has ended, or with the error that kept it from starting.
    /// `ENOSYS`: the kernel (before 5.3) has no pidfds.
    pub fn wait_for_child(
        self: &Rc<Self>,
        child: Child,
        on_exit: impl for<'s> FnOnce(&'s C::Scope, rusk_spawn::Result<Exit>) -> Result<(), C::Error<'s>> + 'static,
    ) -> sys::Result<ChildHandle<C>> {
        let pidfd = child.pidfd().ok_or(Errno::NOSYS)?.as_fd().try_clone_to_owned();
        let pidfd = pidfd.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
        let state = Rc::new(RefCell::new(ChildState { running: Some(child), usage: None }));
        let on_exit = Cell::new(Some(on_exit));
        let (io, ended) = (Rc::<Cell<Option<IoHandle<C>>>>::default(), Rc::clone(&state));
        let own = Rc::clone(&io);
        let handle = self.add(
            Rc::new(pidfd),
            Readiness::READ,
            Rc::new(move |scope: &C::Scope, _| {
                let Some(exit) = ended.borrow_mut().try_wait() else { return Ok(()) };
                drop(own.take());
                on_exit.take().map_or(Ok(()), |on_exit| on_exit(scope, exit))
            }),
        )?;
        // What a child wrote is read before its end is reported, as in Node.
        handle.set_low_priority();
        io.set(Some(handle));
        Ok(ChildHandle { state, io })
    }
}

impl<C: Context> ChildHandle<C> {
    /// Sends a signal (`kill(2)`); it has no effect on a child that has ended.
    pub fn signal(&self, number: i32) -> rusk_spawn::Result<()> {
        self.state.borrow().running.as_ref().map_or(Ok(()), |child| child.signal(number))
    }

    /// Its resource usage; `None` before its end.
    pub fn usage(&self) -> Option<Usage> {
        self.state.borrow().usage
    }

    /// Lets the loop end before the child.
    pub fn unref(&self) {
        if let Some(io) = self.io.take() {
            io.unref();
            self.io.set(Some(io));
        }
    }

    pub fn r#ref(&self) {
        if let Some(io) = self.io.take() {
            io.r#ref();
            self.io.set(Some(io));
        }
    }
}

impl<C: Context> Drop for ChildHandle<C> {
    fn drop(&mut self) {
        drop(self.io.take());
    }
}
