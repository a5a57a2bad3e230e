//! Signals while a child works for us. In: which ones, which child. Out: a guard; while it lives, a
//! signal that a process sends to us alone is passed on, and one from the terminal is left to the
//! child, which the kernel sends it to as well. Absent: threads; the guard is for programs that
//! have one.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::process::{self, Pid, Signal};

use super::syscall_stats::traced;

/// What asks a program to end, or tells it something that only the child understands.
const RELAYED: [i32; 6] =
    [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM, libc::SIGUSR1, libc::SIGUSR2];

/// The child that signals are passed on to; 0 for none.
static CHILD: AtomicI32 = AtomicI32::new(0);

/// The signal that a process sent last; 0 for none.
static SENT: AtomicI32 = AtomicI32::new(0);

/// Undoes itself when dropped.
pub struct SignalRelay {
    before: Vec<(i32, libc::sigaction)>,
}

impl SignalRelay {
    /// Begins; what is ignored (by `nohup`, say) stays so, for us and for the child.
    pub fn install() -> SignalRelay {
        CHILD.store(0, Ordering::SeqCst);
        SENT.store(0, Ordering::SeqCst);
        let caught = RELAYED.into_iter().filter(|signal| !is_ignored(*signal));
        SignalRelay { before: caught.map(|signal| (signal, catch(signal))).collect() }
    }

    /// Passes signals on to this child, one that came before it included.
    pub fn forward_to(&self, child: u32) {
        CHILD.store(i32::try_from(child).unwrap_or(0), Ordering::SeqCst);
        match SENT.load(Ordering::SeqCst) {
            0 => {}
            signal => pass_on(signal),
        }
    }

    /// Waits until the child has ended, and leaves it to be waited for: its number is not given to
    /// another process before nothing is passed on any more.
    pub fn wait_for_end(&self) {
        if let Some(child) = Pid::from_raw(CHILD.load(Ordering::SeqCst)) {
            let options = process::WaitIdOptions::EXITED | process::WaitIdOptions::NOWAIT;
            // Any other error than an interruption is told by the wait that follows.
            let _ = super::again(|| {
                traced(libc::SYS_waitid, || process::waitid(process::WaitId::Pid(child), options))
            });
        }
        CHILD.store(0, Ordering::SeqCst);
    }

    /// The signal that a process sent to us while this lived.
    pub fn sent(&self) -> Option<i32> {
        Some(SENT.load(Ordering::SeqCst)).filter(|signal| *signal != 0)
    }
}

impl Drop for SignalRelay {
    fn drop(&mut self) {
        for (signal, before) in &self.before {
            // SAFETY: `before` is what the kernel gave for this signal.
            let restore = || Ok(unsafe { libc::sigaction(*signal, before, ptr::null_mut()) });
            let _ = traced(libc::SYS_rt_sigaction, restore);
        }
    }
}

/// Ends this process by a signal, as it would have ended by itself. Returns if that signal does not
/// end it.
pub fn raise_default(signal: i32) {
    // SAFETY: the default disposition holds no pointer.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
    if let Some(signal) = Signal::from_named_raw(signal) {
        let _ = process::kill_process(process::getpid(), signal);
    }
}

/// Runs between two instructions of the program: atomics and `kill(2)` are all that it may use.
extern "C" fn arrived(signal: i32, origin: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: with SA_SIGINFO the kernel hands over a filled siginfo_t.
    let code = unsafe { (*origin).si_code };
    // `sigaction(2)`: positive from the kernel, so from the terminal, else from a process.
    if code <= 0 {
        SENT.store(signal, Ordering::SeqCst);
        pass_on(signal);
    }
}

fn pass_on(signal: i32) {
    let child = Pid::from_raw(CHILD.load(Ordering::SeqCst));
    if let (Some(child), Some(signal)) = (child, Signal::from_named_raw(signal)) {
        let _ = traced(libc::SYS_kill, || process::kill_process(child, signal));
    }
}

/// Those of the signals 1 to 31 that this process ignores, as whoever started it chose.
pub fn ignored_signals() -> Vec<i32> {
    (1..32).filter(|signal| is_ignored(*signal)).collect()
}

fn is_ignored(signal: i32) -> bool {
    let mut found = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: only asks; `found` has room for the answer, and zeroes are a valid one.
    let ask = || unsafe {
        libc::sigaction(signal, ptr::null(), found.as_mut_ptr());
        Ok(found.assume_init())
    };
    traced(libc::SYS_rt_sigaction, ask).is_ok_and(|found| found.sa_sigaction == libc::SIG_IGN)
}

fn catch(signal: i32) -> libc::sigaction {
    let mut before = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: zeroes are a valid sigaction with an empty mask; the handler lives as long as the
    // program and keeps to what a handler may do; `before` has room for the answer.
    unsafe {
        let mut wanted: libc::sigaction = std::mem::zeroed();
        wanted.sa_sigaction = arrived as extern "C" fn(_, _, _) as usize;
        wanted.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
        let _ = traced(libc::SYS_rt_sigaction, || Ok(libc::sigaction(signal, &wanted, before.as_mut_ptr())));
        before.assume_init()
    }
}
