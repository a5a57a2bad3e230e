//! I/O on raw file descriptors, which JavaScript programs hold as numbers. In: a number, which may
//! be arbitrary. Out: what the kernel returns, `EBADF` if the descriptor is not open. Absent:
//! ownership.
#![allow(unsafe_code)]

use std::os::fd::{BorrowedFd, IntoRawFd};

use rustix::fs as calls;

use super::syscall_stats::traced;
use super::{Errno, Mode, OFlags, OwnedFd, PathArg, Result, openat, retry_on_eintr};

/// Borrows a raw descriptor for a few calls.
pub fn borrow<'a>(raw: i32) -> Result<BorrowedFd<'a>> {
    if raw < 0 {
        return Err(Errno::BADF);
    }
    // SAFETY: not -1. The number is only passed to the kernel, which checks whether it is open. A
    // program that gets raw descriptors may close and use any of them.
    Ok(unsafe { BorrowedFd::borrow_raw(raw) })
}

/// `openat(2)`, close-on-exec, relative to the current directory.
pub fn open(path: impl PathArg, flags: OFlags, mode: Mode) -> Result<i32> {
    openat(super::CWD, path, flags, mode).map(IntoRawFd::into_raw_fd)
}

/// `close(2)`. The descriptor is closed even after `EINTR`.
pub fn close(raw: i32) -> Result<()> {
    traced(libc::SYS_close, || {
        // SAFETY: a call on a number; the kernel checks whether it is open.
        match unsafe { libc::close(raw) } {
            0 => Ok(()),
            // SAFETY: the thread's own errno.
            _ => match Errno::from_raw_os_error(unsafe { *libc::__errno_location() }) {
                Errno::INTR => Ok(()),
                errno => Err(errno),
            },
        }
    })
}

/// `read(2)`, or `pread(2)` if there is a position.
pub fn read(file: BorrowedFd<'_>, buffer: &mut [u8], position: Option<u64>) -> Result<usize> {
    match position {
        None => super::read(file, buffer),
        Some(position) => {
            retry_on_eintr(|| traced(libc::SYS_pread64, || rustix::io::pread(file, &mut *buffer, position)))
        }
    }
}

/// `read(2)` or `pread(2)` into the spare capacity of `bytes`.
pub fn read_append(file: BorrowedFd<'_>, bytes: &mut Vec<u8>, position: Option<u64>) -> Result<usize> {
    retry_on_eintr(|| {
        let room = rustix::buffer::spare_capacity(bytes);
        match position {
            None => traced(libc::SYS_read, || rustix::io::read(file, room)),
            Some(position) => traced(libc::SYS_pread64, || rustix::io::pread(file, room, position)),
        }
    })
}

/// `write(2)`, or `pwrite(2)` if there is a position; may write fewer bytes than given.
pub fn write(file: BorrowedFd<'_>, bytes: &[u8], position: Option<u64>) -> Result<usize> {
    match position {
        None => super::write(file, bytes),
        Some(position) => {
            retry_on_eintr(|| traced(libc::SYS_pwrite64, || rustix::io::pwrite(file, bytes, position)))
        }
    }
}

/// `ftruncate(2)`.
pub fn truncate(file: BorrowedFd<'_>, bytes: u64) -> Result<()> {
    retry_on_eintr(|| traced(libc::SYS_ftruncate, || calls::ftruncate(file, bytes)))
}

/// What must be on disk before the call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncMode {
    /// `fsync(2)`.
    All,
    /// `fdatasync(2)`: the data, and the metadata needed to read it.
    Data,
}

pub fn sync(file: BorrowedFd<'_>, mode: SyncMode) -> Result<()> {
    retry_on_eintr(|| match mode {
        SyncMode::All => traced(libc::SYS_fsync, || calls::fsync(file)),
        SyncMode::Data => traced(libc::SYS_fdatasync, || calls::fdatasync(file)),
    })
}

impl IntoRawFd for OwnedFd {
    /// Afterwards only a close by number closes it.
    fn into_raw_fd(self) -> i32 {
        self.into_std().into_raw_fd()
    }
}
