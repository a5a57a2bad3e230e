//! Calls on descriptors that are known by number alone, as programs in JavaScript have them. In: a
//! number, which anybody may have made up. Out: what the kernel says of it, `EBADF` where it is not
//! open. Absent: whose descriptor it is.
#![allow(unsafe_code)]

use std::os::fd::{BorrowedFd, IntoRawFd};

use rustix::fs as calls;

use super::syscall_stats::traced;
use super::{Errno, Mode, OFlags, OwnedFd, PathArg, Result, again, openat};

/// The descriptor of a number, for a call or a few.
pub fn borrow<'a>(number: i32) -> Result<BorrowedFd<'a>> {
    if number < 0 {
        return Err(Errno::BADF);
    }
    // SAFETY: not -1. The number goes to the kernel and nowhere else; whether it is open, and what
    // it is, the kernel says. Who gives numbers to programs has them close and use what they like.
    Ok(unsafe { BorrowedFd::borrow_raw(number) })
}

/// `openat(2)`, close-on-exec, from the current folder.
pub fn open(path: impl PathArg, flags: OFlags, mode: Mode) -> Result<i32> {
    openat(super::CWD, path, flags, mode).map(IntoRawFd::into_raw_fd)
}

/// `close(2)`. After a signal the number is free all the same.
pub fn close(number: i32) -> Result<()> {
    traced(libc::SYS_close, || {
        // SAFETY: a call by number, of which the kernel knows whether it is open.
        match unsafe { libc::close(number) } {
            0 => Ok(()),
            // SAFETY: the thread's own errno.
            _ => match Errno::from_raw_os_error(unsafe { *libc::__errno_location() }) {
                Errno::INTR => Ok(()),
                errno => Err(errno),
            },
        }
    })
}

/// `read(2)`, or `pread(2)` where a position is given.
pub fn read(file: BorrowedFd<'_>, buffer: &mut [u8], position: Option<u64>) -> Result<usize> {
    match position {
        None => super::read(file, buffer),
        Some(position) => {
            again(|| traced(libc::SYS_pread64, || rustix::io::pread(file, &mut *buffer, position)))
        }
    }
}

/// `read(2)` or `pread(2)` behind what is in `bytes`, at most as far as there is room.
pub fn read_append(file: BorrowedFd<'_>, bytes: &mut Vec<u8>, position: Option<u64>) -> Result<usize> {
    again(|| {
        let room = rustix::buffer::spare_capacity(bytes);
        match position {
            None => traced(libc::SYS_read, || rustix::io::read(file, room)),
            Some(position) => traced(libc::SYS_pread64, || rustix::io::pread(file, room, position)),
        }
    })
}

/// `write(2)`, or `pwrite(2)` where a position is given; may take fewer bytes than offered.
pub fn write(file: BorrowedFd<'_>, bytes: &[u8], position: Option<u64>) -> Result<usize> {
    match position {
        None => super::write(file, bytes),
        Some(position) => again(|| traced(libc::SYS_pwrite64, || rustix::io::pwrite(file, bytes, position))),
    }
}

/// `ftruncate(2)`.
pub fn truncate(file: BorrowedFd<'_>, bytes: u64) -> Result<()> {
    again(|| traced(libc::SYS_ftruncate, || calls::ftruncate(file, bytes)))
}

/// What is to be on the disk before a call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncMode {
    /// `fsync(2)`.
    All,
    /// `fdatasync(2)`: the bytes, and what is needed to find them.
    Data,
}

pub fn sync(file: BorrowedFd<'_>, synced: SyncMode) -> Result<()> {
    again(|| match synced {
        SyncMode::All => traced(libc::SYS_fsync, || calls::fsync(file)),
        SyncMode::Data => traced(libc::SYS_fdatasync, || calls::fdatasync(file)),
    })
}

impl IntoRawFd for OwnedFd {
    /// From here on nobody closes it but by number.
    fn into_raw_fd(self) -> i32 {
        self.into_std().into_raw_fd()
    }
}
