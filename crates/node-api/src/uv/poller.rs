//! What the loop waits for on behalf of addons: descriptors that are theirs, and the next timer.
//! In: descriptors by number, which addons close themselves. Out: a call for each that is ready.
//! They are in an epoll instance of their own, which the runtime's loop waits for. Absent: what a
//! call means ([`super::poll`], [`super::timers`]).

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::os::fd::{AsFd, BorrowedFd, RawFd};
use std::rc::Rc;
use std::time::Duration;

use rusk_base::sys::epoll::{Epoll, EventFlags, ReadyEvent};
use rusk_base::sys::timer_fd::TimerFd;
use rusk_base::sys::{self, Errno};
use rusk_jsc::Scope;
use rusk_runtime::{IoHandle, Readiness};

use super::poll::{self, Watch};
use super::timers;
use crate::instance::Instance;

/// Tokens of others are their descriptors.
const TIMER: u64 = u64::MAX;

pub struct Poller {
    epoll: Epoll,
    timer: TimerFd,
    /// Of the last wait, not yet called.
    ready: RefCell<VecDeque<ReadyEvent>>,
    watches: RefCell<HashMap<RawFd, Watch>>,
    /// Its registration with the runtime's loop.
    _registration: IoHandle,
}

impl Poller {
    /// That of a runtime, made at its first use.
    pub fn of(instance: &Instance) -> sys::Result<Rc<Poller>> {
        if let Some(poller) = &*instance.uv.poller.borrow() {
            return Ok(Rc::clone(poller));
        }
        let owner = instance.handle().ok_or(Errno::INVAL)?;
        let (epoll, timer) = (Epoll::new()?, TimerFd::new()?);
        epoll.add(timer.as_fd(), TIMER, EventFlags::IN)?;
        let registration = owner.add_io(Rc::new(epoll.duplicate_fd()?), Readiness::READ, |scope, _| {
            call_next(scope);
            Ok(())
        })?;
        // Each active handle keeps the loop alive by itself.
        registration.unref();
        let (ready, watches) = (RefCell::default(), RefCell::default());
        let poller = Rc::new(Poller { epoll, timer, ready, watches, _registration: registration });
        *instance.uv.poller.borrow_mut() = Some(Rc::clone(&poller));
        Ok(poller)
    }

    pub fn watch(&self, fd: RawFd) -> Option<Watch> {
        self.watches.borrow().get(&fd).copied()
    }

    /// `EPERM`: a regular file, which is always ready; `EBADF`: it is not open.
    pub fn check(&self, fd: RawFd) -> sys::Result<()> {
        if fd < 0 {
            return Err(Errno::BADF);
        }
        self.epoll.add(borrow(fd), token(fd), EventFlags::empty())?;
        self.epoll.remove(borrow(fd))
    }

    pub fn add(&self, fd: RawFd, watch: Watch) -> sys::Result<()> {
        self.epoll.add(borrow(fd), token(fd), watch.flags)?;
        self.watches.borrow_mut().insert(fd, watch);
        Ok(())
    }

    /// Forgets a descriptor, and what was found of it. The addon may have closed it.
    pub fn unwatch(&self, fd: RawFd) {
        self.watches.borrow_mut().remove(&fd);
        self.ready.borrow_mut().retain(|ready| ready.token != token(fd));
        let _ = self.epoll.remove(borrow(fd));
    }

    /// Has [`timers::run`] called after the delay; `None`: not at all.
    pub fn set_timer(&self, delay: Option<Duration>) {
        // A delay of zero would disarm it.
        let delay = delay.map_or(Duration::ZERO, |delay| delay.max(Duration::from_nanos(1)));
        // It is open, and takes any time.
        let _ = self.timer.set(delay);
    }

    /// What is ready, one after the other. A wait is repeated when all of it was called: a
    /// descriptor that stays ready has its turn once in an iteration of the loop.
    fn next(&self) -> Option<ReadyEvent> {
        let mut ready = self.ready.borrow_mut();
        if ready.is_empty() {
            let mut found = Vec::new();
            self.epoll.wait(&mut found, Some(Duration::ZERO)).ok()?;
            ready.extend(found);
        }
        ready.pop_front()
    }
}

fn token(fd: RawFd) -> u64 {
    u64::from(fd.unsigned_abs())
}

/// For the call that it is passed to. If it is not open, the call says so.
fn borrow(fd: RawFd) -> BorrowedFd<'static> {
    // SAFETY: it is not -1, which `check` refuses; the kernel checks the number.
    unsafe { BorrowedFd::borrow_raw(fd) }
}

fn call_next(scope: &Scope) {
    let Some(instance) = Instance::current() else { return };
    let Some(poller) = instance.uv.poller.borrow().clone() else { return };
    let Some(ready) = poller.next() else { return };
    // Between two calls are the ticks and microtasks of the first.
    if let (false, Some(owner)) = (poller.ready.borrow().is_empty(), instance.handle()) {
        owner.call_again();
    }
    match ready.token {
        TIMER => timers::run(scope, &instance, &poller),
        token => poll::call(scope, &poller, token as RawFd, ready.flags),
    }
}
