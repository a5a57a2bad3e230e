//! `timerfd_create(2)`: a timer as a file descriptor, for an epoll instance. In: a delay. Out: a
//! descriptor that is readable when the delay has passed. Absent: intervals.

use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create, timerfd_settime,
};

use super::syscall_stats::traced;
use super::{OwnedFd, Result};

/// A one-shot timer of the monotonic clock.
pub struct TimerFd(OwnedFd);

impl TimerFd {
    pub fn new() -> Result<TimerFd> {
        let flags = TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK;
        traced(libc::SYS_timerfd_create, || timerfd_create(TimerfdClockId::Monotonic, flags))
            .map(|fd| TimerFd(fd.into()))
    }

    /// Makes the descriptor readable after the delay, and until then not, if it was. A delay of
    /// zero disarms it.
    pub fn set(&self, delay: Duration) -> Result<()> {
        let never = Timespec { tv_sec: 0, tv_nsec: 0 };
        let value = Timespec { tv_sec: delay.as_secs() as i64, tv_nsec: delay.subsec_nanos().into() };
        let time = Itimerspec { it_interval: never, it_value: value };
        traced(libc::SYS_timerfd_settime, || {
            timerfd_settime(&self.0, TimerfdTimerFlags::empty(), &time).map(|_| ())
        })
    }
}

impl AsFd for TimerFd {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
