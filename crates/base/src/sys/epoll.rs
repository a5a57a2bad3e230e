//! `epoll(7)` and `eventfd(2)`: waiting for many descriptors at once, and being woken by another
//! thread. In: descriptors, each with a number. Out: the numbers of those that are ready. Absent:
//! what a number stands for.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::event::{EventfdFlags, Timespec, epoll, eventfd};

use super::syscall_stats::traced;
use super::{Errno, Result};
pub use rustix::event::epoll::EventFlags;

/// Descriptors that one wait can tell of; the others come with the next.
pub const READY_MAX: usize = 256;

/// A set of descriptors to wait for.
pub struct Epoll(super::OwnedFd);

/// One descriptor that is ready.
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

    /// Takes another number, and gives back the one it had.
    pub fn replace_fd(&mut self) -> Result<OwnedFd> {
        let copy = super::fd::duplicate(super::fd::raw(&self.0))?;
        Ok(std::mem::replace(&mut self.0, copy.into()).into_std())
    }

    /// `EPERM`: the descriptor is of a file, which is always ready.
    pub fn add(&self, fd: BorrowedFd<'_>, token: u64, flags: EventFlags) -> Result<()> {
        traced(libc::SYS_epoll_ctl, || epoll::add(&self.0, fd, epoll::EventData::new_u64(token), flags))
    }

    pub fn remove(&self, fd: BorrowedFd<'_>) -> Result<()> {
        traced(libc::SYS_epoll_ctl, || epoll::delete(&self.0, fd))
    }

    /// Waits until one is ready, at most for `timeout`; also ends early, with none, after a signal.
    pub fn wait(&self, ready: &mut Vec<ReadyEvent>, timeout: Option<Duration>) -> Result<()> {
        let mut events = [const { std::mem::MaybeUninit::<epoll::Event>::uninit() }; READY_MAX];
        let timeout = timeout
            .map(|time| Timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos().into() });
        ready.clear();
        // For parts of a millisecond it is `epoll_pwait2(2)`.
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

/// A set can be in another set, which it makes ready when it is.
impl AsFd for Epoll {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// A descriptor that another thread makes ready by [`wake`].
pub fn waker() -> Result<OwnedFd> {
    let flags = EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK;
    traced(libc::SYS_eventfd2, || eventfd(0, flags))
}

pub fn wake(waker: BorrowedFd<'_>) -> Result<()> {
    match super::write(waker, &1_u64.to_ne_bytes()) {
        // So many wakes that nobody has seen: one is enough.
        Ok(_) | Err(Errno::AGAIN) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Takes back what [`wake`] did.
pub fn reset_waker(waker: BorrowedFd<'_>) -> Result<()> {
    match super::read(waker, &mut [0; 8]) {
        Ok(_) | Err(Errno::AGAIN) => Ok(()),
        Err(error) => Err(error),
    }
}
