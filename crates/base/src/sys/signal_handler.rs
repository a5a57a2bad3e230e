//! Signal handler with a self-pipe (an eventfd), for event loops. In: signal numbers. Out: a file
//! descriptor that is ready when a signal arrived, and which ones did. Absent: listeners.
//!
//! It is not a `signalfd(2)`: that requires the signal to be blocked in every thread, and the
//! JavaScript engine starts threads of its own.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::{Errno, Result, epoll};

/// Pending signals, one bit each.
static PENDING: AtomicU64 = AtomicU64::new(0);
/// The descriptor of `WAKER`, for the handler.
static WAKER_FD: AtomicI32 = AtomicI32::new(-1);
/// Never closed, since a handler may be using it on any thread.
static WAKER: OnceLock<OwnedFd> = OnceLock::new();
static IS_INSTALLED: AtomicBool = AtomicBool::new(false);

/// The engine suspends threads with this signal for garbage collection; another handler would end
/// the program. Listeners of it are accepted and never called; otherwise only init sends it.
const ENGINE_SIGNAL: i32 = libc::SIGPWR;

/// The process's signal handler. Dropping it restores the former dispositions.
pub struct SignalHandler {
    waker: BorrowedFd<'static>,
    saved: Mutex<Vec<(i32, libc::sigaction)>>,
}

impl SignalHandler {
    /// `EBUSY` if another one exists in this process.
    pub fn install() -> Result<SignalHandler> {
        if IS_INSTALLED.swap(true, Ordering::SeqCst) {
            return Err(Errno::BUSY);
        }
        let waker = match WAKER.get() {
            Some(waker) => waker,
            None => {
                let waker = epoll::waker().inspect_err(|_| IS_INSTALLED.store(false, Ordering::SeqCst))?;
                WAKER.get_or_init(|| waker)
            }
        };
        WAKER_FD.store(waker.as_raw_fd(), Ordering::SeqCst);
        Ok(SignalHandler { waker: waker.as_fd(), saved: Mutex::default() })
    }

    /// Ready when one of the added signals has arrived.
    pub fn waker(&self) -> BorrowedFd<'static> {
        self.waker
    }

    /// Catches a signal. `EINVAL` if it does not exist or cannot be caught.
    pub fn add(&self, signal: i32) -> Result<()> {
        let mut saved = self.saved();
        if saved.iter().any(|(other, _)| *other == signal) {
            return Ok(());
        }
        if !(1..64).contains(&signal) {
            return Err(Errno::INVAL);
        }
        if signal == ENGINE_SIGNAL {
            return Ok(());
        }
        saved.push((signal, catch(signal)?));
        Ok(())
    }

    /// Restores the default disposition, not an inherited `SIG_IGN`: a program that stops listening
    /// wants the signal to have its default effect.
    pub fn remove(&self, signal: i32) {
        let mut saved = self.saved();
        if let Some(index) = saved.iter().position(|(other, _)| *other == signal) {
            saved.swap_remove(index);
            // SAFETY: sets a signal disposition.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
    }

    /// Signals that arrived since the last call; several of one kind count once.
    pub fn take_pending(&self) -> Result<Vec<i32>> {
        epoll::reset_waker(self.waker)?;
        let pending = PENDING.swap(0, Ordering::SeqCst);
        Ok((1..64).filter(|signal| pending & (1 << signal) != 0).collect())
    }

    fn saved(&self) -> MutexGuard<'_, Vec<(i32, libc::sigaction)>> {
        self.saved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SignalHandler {
    fn drop(&mut self) {
        self.saved().drain(..).for_each(|action| restore(&action));
        IS_INSTALLED.store(false, Ordering::SeqCst);
    }
}

/// Makes a write beyond the file size limit (`RLIMIT_FSIZE`) fail with `EFBIG` instead of ending
/// the process. By a handler, since `SIG_IGN` would be inherited by children.
pub fn catch_file_size_limit() {
    extern "C" fn nothing(_: i32) {}
    // SAFETY: the handler does nothing, so it is async-signal-safe.
    unsafe { libc::signal(libc::SIGXFSZ, nothing as extern "C" fn(_) as usize) };
}

fn catch(signal: i32) -> Result<libc::sigaction> {
    let mut before = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: zeroes are a valid sigaction with an empty mask; the handler lives as long as the
    // program and is async-signal-safe; `before` has room for the result.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_signal as extern "C" fn(_) as usize;
        action.sa_flags = libc::SA_RESTART;
        match libc::sigaction(signal, &action, before.as_mut_ptr()) {
            0 => Ok(before.assume_init()),
            _ => Err(Errno::from_raw_os_error(*libc::__errno_location())),
        }
    }
}

fn restore((signal, before): &(i32, libc::sigaction)) {
    // SAFETY: `before` is what the kernel returned for this signal.
    unsafe { libc::sigaction(*signal, before, ptr::null_mut()) };
}

/// The signal handler. It may interrupt any thread at any point, so it only uses atomics and
/// `write(2)`.
extern "C" fn on_signal(signal: i32) {
    PENDING.fetch_or(1 << signal, Ordering::SeqCst);
    let one = 1_u64;
    // SAFETY: the kernel reads eight bytes of `one`; errno is restored for the interrupted code. If
    // the eventfd's counter is full, it is ready already.
    unsafe {
        let errno = *libc::__errno_location();
        libc::write(WAKER_FD.load(Ordering::SeqCst), (&raw const one).cast(), size_of::<u64>());
        *libc::__errno_location() = errno;
    }
}
