//! Descriptors watched together, `epoll(7)`. In: descriptors, each with a token. Out: tokens of
//! those that are ready. Absent: what a token means.

use std::collections::VecDeque;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use crate::kernel::{Errno, checked, owned};

/// What a descriptor is watched for. An end, or an error, shows as either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interest {
    Readable,
    Writable,
}

#[derive(Debug)]
pub struct Epoll {
    epoll: OwnedFd,
}

/// Tokens taken at once: the kernel puts what stays ready at the end of its line, so a batch is
/// fair to all.
const BATCH: usize = 64;

impl Epoll {
    pub fn open() -> Result<Epoll, Errno> {
        // SAFETY: a number alone.
        let epoll = checked(unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) })?;
        // SAFETY: it was just made.
        Ok(Epoll { epoll: unsafe { owned(epoll) } })
    }

    /// Watches a descriptor until [`Epoll::remove`]. It is ready as long as there is something to
    /// be had.
    pub fn add(&self, fd: BorrowedFd<'_>, token: u64, interest: Interest) -> Result<(), Errno> {
        let events = match interest {
            Interest::Readable => libc::EPOLLIN,
            Interest::Writable => libc::EPOLLOUT,
        };
        let mut event = libc::epoll_event { events: events as u32, u64: token };
        let epoll = self.epoll.as_raw_fd();
        // SAFETY: the kernel copies the event.
        checked(unsafe { libc::epoll_ctl(epoll, libc::EPOLL_CTL_ADD, fd.as_raw_fd(), &mut event) }).map(drop)
    }

    /// Must come before the descriptor is closed: a child that is being started may hold a copy of
    /// it, which would go on to be watched. One that was not watched is left alone.
    pub fn remove(&self, fd: BorrowedFd<'_>) {
        let epoll = self.epoll.as_raw_fd();
        let nothing = std::ptr::null_mut();
        // SAFETY: this operation reads no event.
        unsafe { libc::epoll_ctl(epoll, libc::EPOLL_CTL_DEL, fd.as_raw_fd(), nothing) };
    }

    /// Waits until something is ready or the limit has passed, and adds the tokens of what is.
    pub fn wait(&self, limit: Option<Duration>, ready: &mut VecDeque<u64>) -> Result<(), Errno> {
        let end = limit.and_then(|limit| Instant::now().checked_add(limit));
        let mut events = [libc::epoll_event { events: 0, u64: 0 }; BATCH];
        loop {
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            let timeout_ms = left.map_or(-1, whole_ms);
            let epoll = self.epoll.as_raw_fd();
            // SAFETY: the kernel writes at most as many events as the array has.
            let found = checked(unsafe {
                libc::epoll_wait(epoll, events.as_mut_ptr(), events.len() as i32, timeout_ms)
            });
            match found {
                Err(libc::EINTR) => {}
                Err(errno) => return Err(errno),
                Ok(found) => {
                    ready.extend(events[..found as usize].iter().map(|event| event.u64));
                    return Ok(());
                }
            }
        }
    }
}

impl AsFd for Epoll {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.epoll.as_fd()
    }
}

/// Rounded up: a wait that ends too early would be a loop.
fn whole_ms(limit: Duration) -> i32 {
    i32::try_from(limit.as_nanos().div_ceil(1_000_000)).unwrap_or(i32::MAX)
}
