//! `SIGINT` as an interrupt of a running script (`breakOnSigint` of node:vm): neither ends the
//! process nor reaches the program's listeners. In: a guard for each script. Out: whether the
//! signal arrived. Absent: how the script is stopped.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Number of guards, and the disposition of the signal before the first of them.
static GUARDS: Mutex<(usize, Option<libc::sigaction>)> = Mutex::new((0, None));

/// While one exists, SIGINT interrupts the script. Dropping the last one restores the signal's
/// former disposition.
pub struct SigintGuard {
    _private: (),
}

impl SigintGuard {
    pub fn install() -> SigintGuard {
        let mut guards = GUARDS.lock().unwrap_or_else(PoisonError::into_inner);
        if guards.0 == 0 {
            IS_INTERRUPTED.store(false, Ordering::SeqCst);
            guards.1 = Some(catch());
        }
        guards.0 += 1;
        SigintGuard { _private: () }
    }

    /// Whether the signal has arrived and was not consumed yet.
    pub fn is_interrupted() -> bool {
        let guards = GUARDS.lock().unwrap_or_else(PoisonError::into_inner);
        if guards.0 > 0 && is_pending() {
            IS_INTERRUPTED.store(true, Ordering::SeqCst);
        }
        IS_INTERRUPTED.load(Ordering::SeqCst)
    }

    /// Ends the guard and returns whether the signal arrived; an outer guard does not see it.
    pub fn finish(self) -> bool {
        SigintGuard::is_interrupted();
        IS_INTERRUPTED.swap(false, Ordering::SeqCst)
    }
}

impl Drop for SigintGuard {
    fn drop(&mut self) {
        let mut guards = GUARDS.lock().unwrap_or_else(PoisonError::into_inner);
        guards.0 -= 1;
        if guards.0 == 0
            && let Some(before) = guards.1.take()
        {
            // SAFETY: `before` is what the kernel returned for this signal.
            unsafe { libc::sigaction(libc::SIGINT, &before, ptr::null_mut()) };
        }
    }
}

/// `sigaction(2)` only fails for signals that cannot be caught.
fn catch() -> libc::sigaction {
    let mut before = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: zeroes are a valid sigaction with an empty mask; the handler lives as long as the
    // program and only stores a flag, which is async-signal-safe; `before` has room for the result.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_signal as extern "C" fn(_) as usize;
        action.sa_flags = libc::SA_RESTART;
        libc::sigaction(libc::SIGINT, &action, before.as_mut_ptr());
        before.assume_init()
    }
}

/// Consumes a pending signal. A program with a listener may block the signal in its threads and
/// read it from a descriptor. Then no handler runs, and the reader is blocked by the script.
fn is_pending() -> bool {
    let now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let mut signals = MaybeUninit::<libc::sigset_t>::zeroed();
    // SAFETY: the set is initialized before it is read; the null pointer means that no siginfo is
    // action.
    unsafe {
        libc::sigemptyset(signals.as_mut_ptr());
        libc::sigaddset(signals.as_mut_ptr(), libc::SIGINT);
        libc::sigtimedwait(signals.as_ptr(), ptr::null_mut(), &now) == libc::SIGINT
    }
}

/// The signal handler. It may interrupt any thread at any point.
extern "C" fn on_signal(_: i32) {
    IS_INTERRUPTED.store(true, Ordering::SeqCst);
}
