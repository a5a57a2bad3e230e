//! Signal forwarding to a child. In: a child. Out: a guard; while it lives, a signal that a process
//! sends to us is forwarded to the child. A signal from the terminal is not, since the kernel sends
//! it to the whole foreground process group. Absent: threads; the guard is for single-threaded
//! programs.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::process::{self, Pid, Signal};

use super::syscall_stats::traced;

/// Signals that usually end a program, or that have a meaning of the child's own.
const FORWARDED: [i32; 6] =
    [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM, libc::SIGUSR1, libc::SIGUSR2];

/// The child that signals are forwarded to; 0 for none.
static CHILD: AtomicI32 = AtomicI32::new(0);

/// The last signal that a process sent; 0 for none.
static LAST_SENT: AtomicI32 = AtomicI32::new(0);

/// Restores the former dispositions when dropped.
pub struct SignalRelay {
    before: Vec<(i32, libc::sigaction)>,
}

impl SignalRelay {
    /// Catches the signals. Those that are ignored, for example by `nohup`, stay ignored, for us
    /// and for the child.
    pub fn install() -> SignalRelay {
        CHILD.store(0, Ordering::SeqCst);
        LAST_SENT.store(0, Ordering::SeqCst);
        let caught = FORWARDED.into_iter().filter(|signal| !is_ignored(*signal));
        SignalRelay { before: caught.map(|signal| (signal, catch(signal))).collect() }
    }

    /// Forwards signals to this child from now on, and one that arrived earlier.
    pub fn forward_to(&self, child: u32) {
        CHILD.store(i32::try_from(child).unwrap_or(0), Ordering::SeqCst);
        match LAST_SENT.load(Ordering::SeqCst) {
            0 => {}
            signal => forward(signal),
        }
    }

    /// Waits until the child has ended, without reaping it: until forwarding has stopped, its
    /// process id must not be reused.
    pub fn wait_for_end(&self) {
        if let Some(child) = Pid::from_raw(CHILD.load(Ordering::SeqCst)) {
            let options = process::WaitIdOptions::EXITED | process::WaitIdOptions::NOWAIT;
            // Other errors than `EINTR` are reported by the wait that follows.
            let _ = super::retry_on_eintr(|| {
                traced(libc::SYS_waitid, || process::waitid(process::WaitId::Pid(child), options))
            });
        }
        CHILD.store(0, Ordering::SeqCst);
    }

    /// The last signal that a process sent to us while the guard lived.
    pub fn last_sent(&self) -> Option<i32> {
        Some(LAST_SENT.load(Ordering::SeqCst)).filter(|signal| *signal != 0)
    }
}

impl Drop for SignalRelay {
    fn drop(&mut self) {
        for (signal, before) in &self.before {
            // SAFETY: `before` is what the kernel returned for this signal.
            let restore = || Ok(unsafe { libc::sigaction(*signal, before, ptr::null_mut()) });
            let _ = traced(libc::SYS_rt_sigaction, restore);
        }
    }
}

/// Ends this process by a signal with the default disposition. Returns if that does not end a
/// process.
pub fn raise_default(signal: i32) {
    // SAFETY: the default disposition holds no pointer.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
    if let Some(signal) = Signal::from_named_raw(signal) {
        let _ = process::kill_process(process::getpid(), signal);
    }
}

/// The signal handler. It may interrupt the program at any point, so it only uses atomics and
/// `kill(2)`.
extern "C" fn on_signal(signal: i32, origin: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: with SA_SIGINFO the kernel passes a filled siginfo_t.
    let code = unsafe { (*origin).si_code };
    // `sigaction(2)`: `si_code` is positive if the kernel sent it, as for the terminal.
    if code <= 0 {
        LAST_SENT.store(signal, Ordering::SeqCst);
        forward(signal);
    }
}

fn forward(signal: i32) {
    let child = Pid::from_raw(CHILD.load(Ordering::SeqCst));
    if let (Some(child), Some(signal)) = (child, Signal::from_named_raw(signal)) {
        let _ = traced(libc::SYS_kill, || process::kill_process(child, signal));
    }
}

/// Those of the signals 1 to 31 that this process ignores, as inherited.
pub fn ignored_signals() -> Vec<i32> {
    (1..32).filter(|signal| is_ignored(*signal)).collect()
}

/// Whether this process ignores the signal, as one that a shell runs in the background inherits it
/// for Ctrl-C.
pub fn is_ignored(signal: i32) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: only queries; `action` has room for the result, and zeroes are a valid value.
    let query = || unsafe {
        libc::sigaction(signal, ptr::null(), action.as_mut_ptr());
        Ok(action.assume_init())
    };
    traced(libc::SYS_rt_sigaction, query).is_ok_and(|action| action.sa_sigaction == libc::SIG_IGN)
}

fn catch(signal: i32) -> libc::sigaction {
    let mut before = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: zeroes are a valid sigaction with an empty mask; the handler lives as long as the
    // program and is async-signal-safe; `before` has room for the result.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_signal as extern "C" fn(_, _, _) as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
        let _ = traced(libc::SYS_rt_sigaction, || Ok(libc::sigaction(signal, &action, before.as_mut_ptr())));
        before.assume_init()
    }
}
