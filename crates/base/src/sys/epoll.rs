//! `epoll(7)` and `eventfd(2)`: waiting for readiness of many file descriptors, and wakers for
//! other threads. In: file descriptors, each with a token. Out: ready tokens. Absent: the meaning
//! of tokens.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::event::{EventfdFlags, Timespec, epoll, eventfd};

use super::syscall_stats::traced;
use super::{Errno, Result};
pub use rustix::event::epoll::EventFlags;

/// Events that one wait returns at most; the next wait returns the others.
pub const READY_MAX: usize = 256;

/// An epoll instance.
pub struct Epoll(super::OwnedFd);

/// One ready file descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadyEvent {
    pub token: u64,
    pub flags: EventFlags,
}

impl Epoll {
    pub fn new() -> Result<Epoll> {
        let create = || epoll::create(epoll::CreateFlags::CLOEXEC);
        traced(libc::SYS_epoll_create1, create).map(|file| Epoll(file.into()))
    }

    /// Moves the instance to another file descriptor and returns the former one.
    pub fn replace_fd(&mut self) -> Result<OwnedFd> {
        let copy = super::fd::duplicate(super::fd::raw(&self.0))?;
        Ok(std::mem::replace(&mut self.0, copy.into()).into_std())
    }

    /// `EPERM`: the descriptor is a regular file, which is always ready.
    pub fn add(&self, fd: BorrowedFd<'_>, token: u64, flags: EventFlags) -> Result<()> {
        traced(libc::SYS_epoll_ctl, || epoll::add(&self.0, fd, epoll::EventData::new_u64(token), flags))
    }

    /// Changes what a registered descriptor is waited for.
    pub fn modify(&self, fd: BorrowedFd<'_>, token: u64, flags: EventFlags) -> Result<()> {
        traced(libc::SYS_epoll_ctl, || epoll::modify(&self.0, fd, epoll::EventData::new_u64(token), flags))
    }

    pub fn remove(&self, fd: BorrowedFd<'_>) -> Result<()> {
        traced(libc::SYS_epoll_ctl, || epoll::delete(&self.0, fd))
    }

    /// Waits until a descriptor is ready, at most for `timeout`. Returns early, without events,
    /// after a signal.
    pub fn wait(&self, ready: &mut Vec<ReadyEvent>, timeout: Option<Duration>) -> Result<()> {
        let mut events = [const { std::mem::MaybeUninit::<epoll::Event>::uninit() }; READY_MAX];
        let timeout = timeout
            .map(|time| Timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos().into() });
        ready.clear();
        // A timeout of less than a millisecond uses `epoll_pwait2(2)`.
        match traced(libc::SYS_epoll_pwait, || epoll::wait(&self.0, &mut events, timeout.as_ref())) {
            Ok((found, _)) => {
                ready.extend(
                    found.iter().map(|event| ReadyEvent { token: event.data.u64(), flags: event.flags }),
                );
                Ok(())
            }
            Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

impl Epoll {
    /// Another descriptor of the same instance.
    pub fn duplicate_fd(&self) -> Result<OwnedFd> {
        super::fd::duplicate(super::fd::raw(&self.0))
    }
}

/// An epoll instance can be registered in another one.
impl AsFd for Epoll {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// An eventfd that [`wake`] makes ready, from any thread.
pub fn waker() -> Result<OwnedFd> {
    let flags = EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK;
    traced(libc::SYS_eventfd2, || eventfd(0, flags))
}

pub fn wake(waker: BorrowedFd<'_>) -> Result<()> {
    match super::write(waker, &1_u64.to_ne_bytes()) {
        // The counter is full: the waker is ready already.
        Ok(_) | Err(Errno::AGAIN) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Makes the waker unready again, by reading its counter.
pub fn reset_waker(waker: BorrowedFd<'_>) -> Result<()> {
    match super::read(waker, &mut [0; 8]) {
        Ok(_) | Err(Errno::AGAIN) => Ok(()),
        Err(error) => Err(error),
    }
}
