//! Pointers and fds from C. In: values for which the header's rules hold. Out: bytes, slices, and
//! owned fds; `EINVAL` for NULL.

use std::ffi::{CStr, OsStr, c_char, c_int};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;

/// A positive errno.
pub type Errno = c_int;

/// The address of a string, or null.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct CStrPtr(*const c_char);

impl CStrPtr {
    pub fn read(&self) -> Result<&OsStr, Errno> {
        if self.0.is_null() {
            return Err(libc::EINVAL);
        }
        // SAFETY: the header requires a NUL-terminated string that is valid during the call.
        Ok(OsStr::from_bytes(unsafe { CStr::from_ptr(self.0) }.to_bytes()))
    }
}

/// The address of an array, or null.
#[repr(transparent)]
pub struct Array<T>(*const T);

impl<T> Array<T> {
    pub fn read(&self, count: usize) -> Result<&[T], Errno> {
        if count == 0 {
            return Ok(&[]);
        }
        if self.0.is_null() {
            return Err(libc::EINVAL);
        }
        // SAFETY: the header requires an array of this length that is valid during the call.
        Ok(unsafe { std::slice::from_raw_parts(self.0, count) })
    }
}

impl Array<CStrPtr> {
    /// The strings up to a null.
    pub fn read_to_null(&self) -> Result<&[CStrPtr], Errno> {
        if self.0.is_null() {
            return Err(libc::EINVAL);
        }
        let mut count = 0;
        // SAFETY: the header requires an array that ends in a null.
        while unsafe { !(*self.0.add(count)).0.is_null() } {
            count += 1;
        }
        self.read(count)
    }
}

/// A duplicate of the caller's fd.
pub fn duplicate(fd: c_int) -> Result<OwnedFd, Errno> {
    if fd < 0 {
        return Err(libc::EBADF);
    }
    // SAFETY: the number is used for one call, which fails if it is not open.
    let borrowed = unsafe { BorrowedFd::borrow_raw(fd) };
    borrowed.try_clone_to_owned().map_err(|error| error.raw_os_error().unwrap_or(libc::EBADF))
}

/// Like [`duplicate`]; None for -1.
pub fn duplicate_if_any(fd: c_int) -> Result<Option<OwnedFd>, Errno> {
    if fd == -1 { Ok(None) } else { duplicate(fd).map(Some) }
}
