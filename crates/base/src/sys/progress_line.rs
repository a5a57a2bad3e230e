//! Progress line on a terminal, and signals that end the program while it is shown: the cursor
//! moves to a line of its own, so that the prompt of the shell does not follow the progress. In:
//! whether a line is shown. Absent: drawing it.
#![allow(unsafe_code)]

use std::ptr;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Signals that a user or a system sends to end a program.
const ENDING: [i32; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

static IS_SHOWN: AtomicBool = AtomicBool::new(false);

/// Says whether the last line of standard error is a progress line. The first such line installs
/// the signal handlers; a program without one has none.
pub fn set_shown(is_shown: bool) {
    static HANDLERS: Once = Once::new();
    IS_SHOWN.store(is_shown, Ordering::SeqCst);
    if is_shown {
        HANDLERS.call_once(|| ENDING.into_iter().for_each(catch));
    }
}

/// Catches a signal whose disposition is the default; one that is ignored stays ignored.
fn catch(signal: i32) {
    // SAFETY: zeroes are a valid sigaction with an empty mask; the handler is async-signal-safe and
    // lives as long as the program; both pointers have room for a sigaction.
    unsafe {
        let mut before: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(signal, ptr::null(), &mut before) != 0 || before.sa_sigaction != libc::SIG_DFL {
            return;
        }
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_signal as extern "C" fn(_) as usize;
        // The second signal, which the handler raises, ends the program.
        action.sa_flags = libc::SA_RESETHAND;
        libc::sigaction(signal, &action, ptr::null_mut());
    }
}

/// The signal handler: only atomics, `write(2)` and `raise(3)`.
extern "C" fn on_signal(signal: i32) {
    if IS_SHOWN.load(Ordering::SeqCst) {
        // SAFETY: the buffer is one byte. If standard error is closed, there is no line to leave.
        unsafe { libc::write(libc::STDERR_FILENO, b"\n".as_ptr().cast(), 1) };
    }
    // SAFETY: the default disposition was restored by SA_RESETHAND.
    unsafe { libc::raise(signal) };
}
