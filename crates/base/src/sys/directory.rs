//! Directory entries, by `getdents64(2)`. In: a file descriptor. Out: names and file types in the
//! kernel's order, without `.` and `..`. Absent: recursion, sorting.

use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;
use std::os::fd::BorrowedFd;

use rustix::fs::{RawDir, RawDirEntry};

use super::syscall_stats::traced;
use super::{FileType, Result};

/// Buffer of one call: enough for a directory of some hundred files.
const BUFFER_BYTES: usize = 32 * 1024;

/// One directory entry. File systems that do not report the type leave `Unknown`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectoryEntry {
    pub name: CString,
    pub kind: FileType,
}

/// All entries of a directory that was just opened.
pub fn entries(directory: BorrowedFd<'_>) -> Result<Vec<DirectoryEntry>> {
    let mut buffer = vec![MaybeUninit::<u8>::uninit(); BUFFER_BYTES];
    let mut raw = RawDir::new(directory, &mut buffer);
    let mut entries = Vec::new();
    while let Some(entry) = next(&mut raw)? {
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            entries.push(DirectoryEntry { name: entry.file_name().to_owned(), kind: entry.file_type() });
        }
    }
    Ok(entries)
}

/// The result of one `getdents64(2)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Batch {
    /// Some entries; more may follow.
    Some,
    /// No more entries, or the last entry's offset shows that none follows.
    Last,
}

/// Passes the entries of one `getdents64(2)` to `visit`, with `buffer` for the call. The next call
/// continues after them.
pub fn read_batch(
    directory: BorrowedFd<'_>,
    buffer: &mut [MaybeUninit<u8>],
    visit: &mut dyn FnMut(&CStr, FileType),
) -> Result<Batch> {
    /// The offset in the last entry on ext4 and others: the largest possible one.
    const END: u64 = i64::MAX as u64;
    let mut raw = RawDir::new(directory, buffer);
    let mut batch = Batch::Last;
    while batch == Batch::Last || !raw.is_buffer_empty() {
        let Some(entry) = next(&mut raw)? else { return Ok(Batch::Last) };
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            visit(entry.file_name(), entry.file_type());
        }
        batch = Batch::Some;
        if entry.next_entry_cookie() == END {
            return Ok(Batch::Last);
        }
    }
    Ok(batch)
}

/// The next entry. Calls the kernel only if the buffer is empty.
fn next<'a>(raw: &'a mut RawDir<'_, BorrowedFd<'_>>) -> Result<Option<RawDirEntry<'a>>> {
    match raw.is_buffer_empty() {
        true => traced(libc::SYS_getdents64, || raw.next().transpose()),
        false => raw.next().transpose(),
    }
}

#[cfg(test)]
mod tests;
