//! Interval timer (`setitimer(2)`): `SIGALRM` at a fixed interval, so that a blocking call without
//! a timeout returns with `EINTR`. In: the interval. Out: a guard that stops the timer when
//! dropped. Absent: threads; the guard is for single-threaded programs.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ptr;
use std::time::Duration;

/// Stops the timer and restores the signal's disposition when dropped.
pub struct Alarm {
    before: libc::sigaction,
}

impl Alarm {
    pub fn every(interval: Duration) -> Alarm {
        let mut before = MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: zeroes are a valid sigaction with an empty mask and without SA_RESTART; the
        // handler does nothing; `before` has room for the result.
        let before = unsafe {
            let mut wanted: libc::sigaction = std::mem::zeroed();
            wanted.sa_sigaction = nothing as extern "C" fn(_) as usize;
            libc::sigaction(libc::SIGALRM, &wanted, before.as_mut_ptr());
            before.assume_init()
        };
        set(interval);
        Alarm { before }
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        set(Duration::ZERO);
        // SAFETY: `before` is what the kernel returned for this signal.
        unsafe { libc::sigaction(libc::SIGALRM, &self.before, ptr::null_mut()) };
    }
}

extern "C" fn nothing(_: i32) {}

/// A zero interval disarms the timer.
fn set(interval: Duration) {
    let time = libc::timeval { tv_sec: interval.as_secs() as i64, tv_usec: interval.subsec_micros().into() };
    let timer = libc::itimerval { it_interval: time, it_value: time };
    // SAFETY: the kernel reads `timer` and writes nothing.
    unsafe { libc::setitimer(libc::ITIMER_REAL, &timer, ptr::null_mut()) };
}
