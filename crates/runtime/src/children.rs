//! Child processes in the loop. In: a child that was started. Out: how it ended, told once. It
//! keeps the loop going until then, unless that is taken back. Absent: its streams; they are
//! descriptors as any.

use std::cell::{Cell, RefCell};
use std::os::fd::AsFd;
use std::rc::Rc;

use rusk_base::sys::{self, Errno};
use rusk_jsc::{Exception, Scope};
use rusk_spawn::{Child, Exit, Usage};

use crate::abandoned::ABANDONED;
use crate::descriptors::Readiness;
use crate::runtime::Handle;
use crate::watches::Watch;

/// A child that somebody waits for. Dropped, the child goes on and nobody is told; it is reaped all
/// the same.
pub struct Waited {
    state: Rc<RefCell<State>>,
    watch: Rc<Cell<Option<Watch>>>,
}

struct State {
    /// What has ended holds no descriptor: whoever has the `Waited` may keep it for long.
    running: Option<Child>,
    usage: Option<Usage>,
}

impl State {
    fn try_end(&mut self) -> Option<rusk_spawn::Result<Exit>> {
        let child = self.running.as_mut()?;
        let end = child.try_wait().transpose()?;
        self.usage = child.usage();
        self.running = None;
        Some(end)
    }
}

impl Drop for State {
    fn drop(&mut self) {
        if let Some(child) = self.running.take() {
            ABANDONED.adopt(child);
        }
    }
}

impl Handle {
    /// Calls `then` when the child has ended, or with what kept it from beginning. `ENOSYS`: the
    /// kernel (before 5.3) has no descriptors for processes.
    pub fn wait_for(
        &self,
        child: Child,
        then: impl for<'s> FnOnce(&'s Scope, rusk_spawn::Result<Exit>) -> Result<(), Exception<'s>> + 'static,
    ) -> sys::Result<Waited> {
        let pidfd = child.pidfd().ok_or(Errno::NOSYS)?.as_fd().try_clone_to_owned();
        let pidfd = pidfd.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
        let (state, then) =
            (Rc::new(RefCell::new(State { running: Some(child), usage: None })), Cell::new(Some(then)));
        let (watch, ended) = (Rc::<Cell<Option<Watch>>>::default(), Rc::clone(&state));
        let own = Rc::clone(&watch);
        let made = self.watch(Rc::new(pidfd), Readiness::READ, move |scope, _| {
            let Some(end) = ended.borrow_mut().try_end() else { return Ok(()) };
            drop(own.take());
            then.take().map_or(Ok(()), |then| then(scope, end))
        })?;
        // What a child wrote is read before it is told that it ended, as in Node.
        made.tell_end();
        watch.set(Some(made));
        Ok(Waited { state, watch })
    }
}

impl Waited {
    /// `kill(2)`; nothing happens to one that has ended.
    pub fn signal(&self, number: i32) -> rusk_spawn::Result<()> {
        self.state.borrow().running.as_ref().map_or(Ok(()), |child| child.signal(number))
    }

    /// What it used; nothing before its end.
    pub fn usage(&self) -> Option<Usage> {
        self.state.borrow().usage
    }

    /// Lets the loop end before the child.
    pub fn unref(&self) {
        if let Some(watch) = self.watch.take() {
            watch.unref();
            self.watch.set(Some(watch));
        }
    }

    pub fn r#ref(&self) {
        if let Some(watch) = self.watch.take() {
            watch.r#ref();
            self.watch.set(Some(watch));
        }
    }
}

impl Drop for Waited {
    fn drop(&mut self) {
        drop(self.watch.take());
    }
}
