//! System calls that std does not have, one function each.

use std::io;
use std::os::fd::{FromRawFd, OwnedFd};
use std::time::Duration;

/// The processes whose CPU time is read.
pub enum Whose {
    Own,
    /// The children that were reaped.
    Children,
}

/// User and system time together.
pub fn cpu(whose: Whose) -> Duration {
    let who = match whose {
        Whose::Own => libc::RUSAGE_SELF,
        Whose::Children => libc::RUSAGE_CHILDREN,
    };
    // SAFETY: all zeros is a valid `rusage`.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel writes one `rusage`, which outlives the call.
    unsafe { libc::getrusage(who, &mut usage) };
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
    };
    time(usage.ru_utime) + time(usage.ru_stime)
}

pub fn open_pidfd(pid: u32) -> io::Result<OwnedFd> {
    // SAFETY: no pointers.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just created it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
}

/// `CLOCK_MONOTONIC`, which [`sleep_until`] understands.
pub fn now() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the kernel writes one `timespec`, which outlives the call.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

pub fn sleep_until(end: Duration) {
    let time = libc::timespec { tv_sec: end.as_secs() as libc::time_t, tv_nsec: end.subsec_nanos().into() };
    // SAFETY: the kernel reads one `timespec`, and writes nothing for an absolute time.
    unsafe {
        libc::clock_nanosleep(libc::CLOCK_MONOTONIC, libc::TIMER_ABSTIME, &time, std::ptr::null_mut());
    }
}

/// Reduces this thread's timer slack from the usual 50 microseconds.
pub fn sharpen_timer() {
    // SAFETY: no pointers; affects only this thread.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1_u64) };
}
