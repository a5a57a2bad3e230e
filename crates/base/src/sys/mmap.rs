//! Read-only memory mapping of a file. In: a file descriptor. Out: an owned value that dereferences
//! to bytes. Absent: writing, and protection from a file that is truncated while mapped: map only
//! files that are replaced by rename and never written in place.
#![allow(unsafe_code)]

use std::ops::Deref;
use std::os::fd::BorrowedFd;
use std::ptr::NonNull;

use rustix::mm;

use super::syscall_stats::traced;
use super::{Errno, Result, fstat};

/// The bytes of a file, mapped privately and read-only.
pub struct Mmap {
    start: NonNull<u8>,
    length: usize,
}

impl Mmap {
    /// Maps the whole file; `E2BIG` if it has more than `bytes_max` bytes.
    pub fn open(file: BorrowedFd<'_>, bytes_max: u64) -> Result<Mmap> {
        let size = fstat(file)?.st_size;
        let length = usize::try_from(size).map_err(|_| Errno::INVAL)?;
        if length as u64 > bytes_max {
            return Err(Errno::TOOBIG);
        }
        if length == 0 {
            return Ok(Mmap { start: NonNull::dangling(), length });
        }
        let (read, private) = (mm::ProtFlags::READ, mm::MapFlags::PRIVATE);
        // SAFETY: without a requested address, the kernel maps pages that are not in use.
        let map = || unsafe { mm::mmap(std::ptr::null_mut(), length, read, private, file, 0) };
        let start = traced(libc::SYS_mmap, map)?;
        Ok(Mmap { start: NonNull::new(start.cast()).ok_or(Errno::NOMEM)?, length })
    }
}

impl Deref for Mmap {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: `start` is a live mapping of `length` bytes, or dangling while `length` is zero;
        // it is never written.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl Drop for Mmap {
    fn drop(&mut self) {
        if self.length > 0 {
            // SAFETY: the mapping is ours and no slice of it outlives `self`. On failure it stays
            // mapped.
            let _ =
                traced(libc::SYS_munmap, || unsafe { mm::munmap(self.start.as_ptr().cast(), self.length) });
        }
    }
}

// SAFETY: the bytes are only read, and the mapping belongs to the process, not to a thread.
unsafe impl Send for Mmap {}
// SAFETY: as for `Send`; shared references only read.
unsafe impl Sync for Mmap {}
