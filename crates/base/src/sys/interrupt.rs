//! SIGINT that ends a job, not the process, and tells none of the program's listeners. In: a job
//! begins. Out: whether the signal has come since. Absent: what the job does then.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

static HAS_COME: AtomicBool = AtomicBool::new(false);

/// How many jobs there are, and what the signal did before the first of them.
static JOBS: Mutex<(usize, Option<libc::sigaction>)> = Mutex::new((0, None));

/// A job that SIGINT is for. When the last one is dropped, the signal does again what it did
/// before.
pub struct SigintGuard {
    _made_here: (),
}

impl SigintGuard {
    pub fn install() -> SigintGuard {
        let mut jobs = JOBS.lock().unwrap_or_else(PoisonError::into_inner);
        if jobs.0 == 0 {
            HAS_COME.store(false, Ordering::SeqCst);
            jobs.1 = Some(catch());
        }
        jobs.0 += 1;
        SigintGuard { _made_here: () }
    }

    /// Whether it has come and nobody has taken it yet.
    pub fn is_interrupted() -> bool {
        let jobs = JOBS.lock().unwrap_or_else(PoisonError::into_inner);
        if jobs.0 > 0 && is_pending() {
            HAS_COME.store(true, Ordering::SeqCst);
        }
        HAS_COME.load(Ordering::SeqCst)
    }

    /// The job is over. Whether the signal was for it; a job around it does not hear of it.
    pub fn finish(self) -> bool {
        SigintGuard::is_interrupted();
        HAS_COME.swap(false, Ordering::SeqCst)
    }
}

impl Drop for SigintGuard {
    fn drop(&mut self) {
        let mut jobs = JOBS.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.0 -= 1;
        if jobs.0 == 0
            && let Some(before) = jobs.1.take()
        {
            // SAFETY: `before` is what the kernel gave for this signal.
            unsafe { libc::sigaction(libc::SIGINT, &before, ptr::null_mut()) };
        }
    }
}

/// `sigaction(2)` fails for signals alone that cannot be caught.
fn catch() -> libc::sigaction {
    let mut before = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: zeroes are a valid sigaction with an empty mask; the handler lives as long as the
    // program and stores a flag, which any handler may; `before` has room for the answer.
    unsafe {
        let mut wanted: libc::sigaction = std::mem::zeroed();
        wanted.sa_sigaction = arrived as extern "C" fn(_) as usize;
        wanted.sa_flags = libc::SA_RESTART;
        libc::sigaction(libc::SIGINT, &wanted, before.as_mut_ptr());
        before.assume_init()
    }
}

/// A program that listens blocks the signal in its threads, for a descriptor. Unless another thread
/// does not block it, no handler runs: it waits for that descriptor's reader, which the job keeps
/// from reading. Takes it.
fn is_pending() -> bool {
    let now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let mut signals = MaybeUninit::<libc::sigset_t>::zeroed();
    // SAFETY: the set is filled before it is read; nobody asks who sent the signal.
    unsafe {
        libc::sigemptyset(signals.as_mut_ptr());
        libc::sigaddset(signals.as_mut_ptr(), libc::SIGINT);
        libc::sigtimedwait(signals.as_ptr(), ptr::null_mut(), &now) == libc::SIGINT
    }
}

/// Runs between two instructions of the program, on any thread.
extern "C" fn arrived(_: i32) {
    HAS_COME.store(true, Ordering::SeqCst);
}
