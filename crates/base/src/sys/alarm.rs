//! A signal again and again, so that a wait which has no limit of its own comes back. In: how
//! often. Out: a guard; while it lives, a blocking call is interrupted that often. Absent: threads;
//! the guard is for programs that have one.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ptr;
use std::time::Duration;

/// Undoes itself when dropped.
pub struct Alarm {
    before: libc::sigaction,
}

impl Alarm {
    pub fn every(interval: Duration) -> Alarm {
        let mut before = MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: zeroes are a valid sigaction with an empty mask and without SA_RESTART; the
        // handler does nothing; `before` has room for the answer.
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
        // SAFETY: `before` is what the kernel gave for this signal.
        unsafe { libc::sigaction(libc::SIGALRM, &self.before, ptr::null_mut()) };
    }
}

extern "C" fn nothing(_: i32) {}

/// Zero is never.
fn set(interval: Duration) {
    let time = libc::timeval { tv_sec: interval.as_secs() as i64, tv_usec: interval.subsec_micros().into() };
    let timer = libc::itimerval { it_interval: time, it_value: time };
    // SAFETY: the kernel reads `timer`, and writes nothing.
    unsafe { libc::setitimer(libc::ITIMER_REAL, &timer, ptr::null_mut()) };
}
