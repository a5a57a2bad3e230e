//! Signals as something to wait for. In: which ones. Out: a descriptor that is ready when one has
//! come, and which. By a handler that notes and wakes, not by `signalfd(2)`: that needs a signal
//! blocked in every thread, and a JavaScript engine begins threads when it likes. Absent: who hears
//! of them.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::{Errno, Result, epoll};

/// Signals that have come, a bit each.
static NOTED: AtomicU64 = AtomicU64::new(0);
/// The descriptor of `WAKER`, for the handler.
static WAKER_NUMBER: AtomicI32 = AtomicI32::new(-1);
/// Never closed: a handler may be at it on any thread.
static WAKER: OnceLock<OwnedFd> = OnceLock::new();
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// The engine's own, by which its collector stops threads: whoever took it from there would end the
/// program. Who listens to it, as programs do that listen to all that may end them, hears nothing;
/// it comes from init alone.
const OF_ENGINE: i32 = libc::SIGPWR;

/// The process's signals, for one who waits. Dropped, they do again what they did before.
pub struct SignalHandler {
    waker: BorrowedFd<'static>,
    before: Mutex<Vec<(i32, libc::sigaction)>>,
}

impl SignalHandler {
    /// `EBUSY`: somebody else of this process has them.
    pub fn install() -> Result<SignalHandler> {
        if IS_TAKEN.swap(true, Ordering::SeqCst) {
            return Err(Errno::BUSY);
        }
        let waker = match WAKER.get() {
            Some(waker) => waker,
            None => {
                let waker = epoll::waker().inspect_err(|_| IS_TAKEN.store(false, Ordering::SeqCst))?;
                WAKER.get_or_init(|| waker)
            }
        };
        WAKER_NUMBER.store(waker.as_raw_fd(), Ordering::SeqCst);
        Ok(SignalHandler { waker: waker.as_fd(), before: Mutex::default() })
    }

    /// Ready when a signal has come that is listened to.
    pub fn waker(&self) -> BorrowedFd<'static> {
        self.waker
    }

    /// From now on this signal is noted, and does nothing else. `EINVAL`: there is none, or nobody
    /// can listen to it.
    pub fn add(&self, signal: i32) -> Result<()> {
        let mut before = self.before();
        if before.iter().any(|(known, _)| *known == signal) {
            return Ok(());
        }
        if !(1..64).contains(&signal) {
            return Err(Errno::INVAL);
        }
        if signal == OF_ENGINE {
            return Ok(());
        }
        before.push((signal, catch(signal)?));
        Ok(())
    }

    /// It does what it does by itself. Who started the program may have had it ignored; a program
    /// that heard of it and does so no more wants to end by it.
    pub fn remove(&self, signal: i32) {
        let mut before = self.before();
        if let Some(place) = before.iter().position(|(known, _)| *known == signal) {
            before.swap_remove(place);
            // SAFETY: sets a disposition.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
    }

    /// What has come since the last call; twice the same is once.
    pub fn take_pending(&self) -> Result<Vec<i32>> {
        epoll::reset_waker(self.waker)?;
        let noted = NOTED.swap(0, Ordering::SeqCst);
        Ok((1..64).filter(|signal| noted & (1 << signal) != 0).collect())
    }

    fn before(&self) -> MutexGuard<'_, Vec<(i32, libc::sigaction)>> {
        self.before.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SignalHandler {
    fn drop(&mut self) {
        self.before().drain(..).for_each(|known| restore(&known));
        IS_TAKEN.store(false, Ordering::SeqCst);
    }
}

/// A file that would grow beyond what the process may write is an error of the call from now on,
/// and does not end the process. By a handler, for what is ignored would be so in children too.
pub fn catch_file_size_limit() {
    extern "C" fn nothing(_: i32) {}
    // SAFETY: the handler does nothing, which any handler may.
    unsafe { libc::signal(libc::SIGXFSZ, nothing as extern "C" fn(_) as usize) };
}

fn catch(signal: i32) -> Result<libc::sigaction> {
    let mut before = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: zeroes are a valid sigaction with an empty mask; the handler lives as long as the
    // program and keeps to what a handler may do; `before` has room for the answer.
    unsafe {
        let mut wanted: libc::sigaction = std::mem::zeroed();
        wanted.sa_sigaction = note as extern "C" fn(_) as usize;
        wanted.sa_flags = libc::SA_RESTART;
        match libc::sigaction(signal, &wanted, before.as_mut_ptr()) {
            0 => Ok(before.assume_init()),
            _ => Err(Errno::from_raw_os_error(*libc::__errno_location())),
        }
    }
}

fn restore((signal, before): &(i32, libc::sigaction)) {
    // SAFETY: `before` is what the kernel gave for this signal.
    unsafe { libc::sigaction(*signal, before, ptr::null_mut()) };
}

/// Runs between two instructions of the program, on any thread: atomics and `write(2)` are all that
/// it may use.
extern "C" fn note(signal: i32) {
    NOTED.fetch_or(1 << signal, Ordering::SeqCst);
    let one = 1_u64;
    // SAFETY: the kernel reads eight bytes of `one`; the interrupted code finds its errno as it
    // was. A descriptor that is full has been made ready already.
    unsafe {
        let errno = *libc::__errno_location();
        libc::write(WAKER_NUMBER.load(Ordering::SeqCst), (&raw const one).cast(), size_of::<u64>());
        *libc::__errno_location() = errno;
    }
}
