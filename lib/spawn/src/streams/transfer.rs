//! Writing to a pipe without SIGPIPE. In: a pipe and bytes. Out: the bytes written, or an errno.

use std::os::fd::{AsRawFd, BorrowedFd};

use crate::kernel::{self, Errno, checked};

/// Writes what fits. A pipe without a reader is `EPIPE`, without `SIGPIPE`, which would kill a C
/// program that does not handle it.
pub fn write(pipe: BorrowedFd<'_>, bytes: &[u8]) -> Result<usize, Errno> {
    const SIGPIPE: u64 = 1 << (libc::SIGPIPE - 1);
    let before = kernel::set_signal_mask_with(libc::SIG_BLOCK, SIGPIPE);
    let was_pending = is_pending(SIGPIPE);
    let result = loop {
        // SAFETY: the kernel only reads the buffer.
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

/// Makes the parent's end non-blocking. The child's end is not affected.
pub fn unblock(pipe: BorrowedFd<'_>) -> Result<(), Errno> {
    change_flags(pipe, |flags| flags | libc::O_NONBLOCK)
}

pub fn block(pipe: BorrowedFd<'_>) {
    // This cannot fail for an open fd.
    let _ = change_flags(pipe, |flags| flags & !libc::O_NONBLOCK);
}

fn change_flags(pipe: BorrowedFd<'_>, change: impl Fn(i32) -> i32) -> Result<(), Errno> {
    // SAFETY: no pointers.
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

/// Consumes a signal that this thread has raised.
fn take_pending(signals: u64) {
    let now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let nowhere = std::ptr::null_mut::<libc::siginfo_t>();
    // SAFETY: the set is 8 bytes, as the last argument says; set and time outlive the call.
    unsafe { libc::syscall(libc::SYS_rt_sigtimedwait, &raw const signals, nowhere, &raw const now, 8) };
}
