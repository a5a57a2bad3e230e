//! Epoll instance: `epoll(7)`. In: fds, each with a token. Out: tokens of ready fds. Absent: the
//! meaning of a token.

use std::collections::VecDeque;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use crate::kernel::{Errno, checked, owned};

/// What an fd is watched for. End of file and errors are reported for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interest {
    Readable,
    Writable,
}

#[derive(Debug)]
pub struct Epoll {
    epoll: OwnedFd,
}

/// Tokens per call: the kernel moves ready fds to the end of its queue, so batches are fair.
const BATCH: usize = 64;

impl Epoll {
    pub fn open() -> Result<Epoll, Errno> {
        // SAFETY: no pointers.
        let epoll = checked(unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) })?;
        // SAFETY: it was just created.
        Ok(Epoll { epoll: unsafe { owned(epoll) } })
    }

    /// Watches an fd until [`Epoll::remove`], level-triggered.
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

    /// Must be called before the fd is closed: a child that is being started may hold a copy, which
    /// would remain registered. An unknown fd is ignored.
    pub fn remove(&self, fd: BorrowedFd<'_>) {
        let epoll = self.epoll.as_raw_fd();
        let nothing = std::ptr::null_mut();
        // SAFETY: this operation reads no event.
        unsafe { libc::epoll_ctl(epoll, libc::EPOLL_CTL_DEL, fd.as_raw_fd(), nothing) };
    }

    /// Waits for readiness up to the limit, and appends the tokens.
    pub fn wait(&self, limit: Option<Duration>, ready: &mut VecDeque<u64>) -> Result<(), Errno> {
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        let mut events = [libc::epoll_event { events: 0, u64: 0 }; BATCH];
        loop {
            let remaining = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let timeout_ms = remaining.map_or(-1, whole_ms);
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

/// Rounded up: otherwise an early timeout would spin.
fn whole_ms(limit: Duration) -> i32 {
    i32::try_from(limit.as_nanos().div_ceil(1_000_000)).unwrap_or(i32::MAX)
}
