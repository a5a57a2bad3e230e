//! One write. In: a pipe and bytes. Out: how many went through, or an errno; never a signal.

use std::os::fd::{AsRawFd, BorrowedFd};

use crate::kernel::{self, Errno, checked};

/// What fits. A pipe that nobody reads is `EPIPE`, and no `SIGPIPE`: a program in C that has not
/// heard of it would die.
pub fn write(pipe: BorrowedFd<'_>, bytes: &[u8]) -> Result<usize, Errno> {
    const SIGPIPE: u64 = 1 << (libc::SIGPIPE - 1);
    let before = kernel::set_signal_mask_with(libc::SIG_BLOCK, SIGPIPE);
    let was_pending = is_pending(SIGPIPE);
    let result = loop {
        // SAFETY: the kernel reads the buffer alone.
        let written = unsafe { libc::write(pipe.as_raw_fd(), bytes.as_ptr().cast(), bytes.len()) };
        match usize::try_from(written) {
            Ok(written) => break Ok(written),
            Err(_) if kernel::errno() == libc::EINTR => {}
            Err(_) => break Err(kernel::errno()),
        }
    };
    if result == Err(libc::EPIPE) && !was_pending {
        take_pending(SIGPIPE);
    }
    kernel::set_signal_mask(before);
    result
}

/// From now on a write takes what fits and returns. The child's own end of the pipe is not touched
/// by that.
pub fn unblock(pipe: BorrowedFd<'_>) -> Result<(), Errno> {
    change_flags(pipe, |flags| flags | libc::O_NONBLOCK)
}

pub fn block(pipe: BorrowedFd<'_>) {
    // Of a descriptor that is open this cannot go wrong.
    let _ = change_flags(pipe, |flags| flags & !libc::O_NONBLOCK);
}

fn change_flags(pipe: BorrowedFd<'_>, change: impl Fn(i32) -> i32) -> Result<(), Errno> {
    // SAFETY: numbers alone.
    let flags = checked(unsafe { libc::fcntl(pipe.as_raw_fd(), libc::F_GETFL) })?;
    // SAFETY: as above.
    checked(unsafe { libc::fcntl(pipe.as_raw_fd(), libc::F_SETFL, change(flags)) }).map(drop)
}

fn is_pending(signals: u64) -> bool {
    let mut pending = 0_u64;
    // SAFETY: the kernel writes 8 bytes, as the last argument says.
    unsafe { libc::syscall(libc::SYS_rt_sigpending, &raw mut pending, 8) };
    pending & signals != 0
}

/// Takes a signal that this thread has made for itself.
fn take_pending(signals: u64) {
    let now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let nowhere = std::ptr::null_mut::<libc::siginfo_t>();
    // SAFETY: the set is 8 bytes, as the last argument says; set and time live through the call.
    unsafe { libc::syscall(libc::SYS_rt_sigtimedwait, &raw const signals, nowhere, &raw const now, 8) };
}
