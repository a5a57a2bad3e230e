//! System calls of a child, without libc. In: arguments. Out: a result or an [`Errno`]. A callback
//! in a child may use them too: nothing here allocates, locks, or touches `errno`.

use std::os::fd::RawFd;

use crate::raw;

/// A positive errno.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Errno(pub i32);

/// The highest errno that the kernel returns.
const ERRNO_MAX: isize = 4095;

/// Any system call, restarted on EINTR.
///
/// # Safety
/// The call must be sound with these arguments.
#[inline(always)]
pub unsafe fn call(number: libc::c_long, args: [usize; 6]) -> Result<usize, Errno> {
    loop {
        // SAFETY: guaranteed by the caller.
        let result = unsafe { raw::call(number, args) };
        if !(-ERRNO_MAX..0).contains(&result) {
            return Ok(result as usize);
        }
        if result != -(libc::EINTR as isize) {
            return Err(Errno(result.wrapping_neg() as i32));
        }
    }
}

/// A call with up to three arguments.
///
/// # Safety
/// The call must be sound with these arguments.
#[inline(always)]
pub unsafe fn call3(number: libc::c_long, a: usize, b: usize, c: usize) -> Result<usize, Errno> {
    // SAFETY: guaranteed by the caller.
    unsafe { call(number, [a, b, c, 0, 0, 0]) }
}

/// One `write(2)`. Returns the bytes written.
pub fn write(fd: RawFd, bytes: &[u8]) -> Result<usize, Errno> {
    // SAFETY: the kernel reads `bytes` only.
    unsafe { call3(libc::SYS_write, fd as usize, bytes.as_ptr() as usize, bytes.len()) }
}

pub fn close(fd: RawFd) -> Result<(), Errno> {
    // SAFETY: closing an fd touches no memory.
    unsafe { call3(libc::SYS_close, fd as usize, 0, 0) }.map(drop)
}

/// This process's id.
pub fn pid() -> i32 {
    // SAFETY: takes no arguments.
    unsafe { call3(libc::SYS_getpid, 0, 0, 0) }.map_or(0, |pid| pid as i32)
}

/// `dup3(2)` to `target`, which stays open across exec. The fds must differ.
pub fn copy_to(fd: RawFd, target: RawFd) -> Result<(), Errno> {
    // SAFETY: no pointers.
    unsafe { call3(libc::SYS_dup3, fd as usize, target as usize, 0) }.map(drop)
}

/// `fcntl(F_DUPFD_CLOEXEC)`: a copy at the lowest free fd from `lowest` on.
pub fn copy_above(fd: RawFd, lowest: RawFd) -> Result<RawFd, Errno> {
    // SAFETY: no pointers.
    unsafe { call3(libc::SYS_fcntl, fd as usize, libc::F_DUPFD_CLOEXEC as usize, lowest as usize) }
        .map(|number| number as RawFd)
}

/// Sets or clears close-on-exec.
pub fn set_close_on_exec(fd: RawFd, closes: bool) -> Result<(), Errno> {
    let flags = if closes { libc::FD_CLOEXEC as usize } else { 0 };
    // SAFETY: no pointers.
    unsafe { call3(libc::SYS_fcntl, fd as usize, libc::F_SETFD as usize, flags) }.map(drop)
}

/// `open(2)`. `path` must end in a NUL.
///
/// # Safety
/// `path` is readable up to its NUL.
pub unsafe fn open(path: *const u8, flags: i32) -> Result<RawFd, Errno> {
    // SAFETY: guaranteed by the caller; no mode is needed without O_CREAT.
    let opened =
        unsafe { call(libc::SYS_openat, [libc::AT_FDCWD as usize, path as usize, flags as usize, 0, 0, 0]) };
    opened.map(|number| number as RawFd)
}

/// `close_range(2)`.
pub fn close_range(first: u32, last: u32, flags: u32) -> Result<(), Errno> {
    // SAFETY: no pointers.
    unsafe { call3(libc::SYS_close_range, first as usize, last as usize, flags as usize) }.map(drop)
}
