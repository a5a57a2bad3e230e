//! The entries of a folder, by `getdents64(2)`. In: a descriptor. Out: names and kinds, in the
//! kernel's order, without `.` and `..`. Absent: recursion, sorting.

use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;
use std::os::fd::BorrowedFd;

use rustix::fs::{RawDir, RawDirEntry};

use super::syscall_stats::traced;
use super::{FileType, Result};

/// Bytes of entries asked for at once: a folder of some hundred files in one call.
const BUFFER_BYTES: usize = 32 * 1024;

/// One name in a folder. `Unknown` kinds come from file systems that do not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: CString,
    pub kind: FileType,
}

/// All entries of a freshly opened folder.
pub fn entries(folder: BorrowedFd<'_>) -> Result<Vec<Entry>> {
    let mut buffer = vec![MaybeUninit::<u8>::uninit(); BUFFER_BYTES];
    let mut raw = RawDir::new(folder, &mut buffer);
    let mut entries = Vec::new();
    while let Some(entry) = next(&mut raw)? {
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            entries.push(Entry { name: entry.file_name().to_owned(), kind: entry.file_type() });
        }
    }
    Ok(entries)
}

/// What one `getdents64(2)` gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Batch {
    /// Some entries; there may be more.
    Some,
    /// The end: nothing more, or the last entry says that none follows.
    Last,
}

/// The entries that one `getdents64(2)` gives into `buffer`, each shown to `visit`; the next call
/// goes on behind them.
pub fn read_batch(
    folder: BorrowedFd<'_>,
    buffer: &mut [MaybeUninit<u8>],
    visit: &mut dyn FnMut(&CStr, FileType),
) -> Result<Batch> {
    /// Where to read on, as the last entry has it on ext4 and others. There is no larger offset, so
    /// nothing is behind it.
    const END: u64 = i64::MAX as u64;
    let mut raw = RawDir::new(folder, buffer);
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

/// The next entry; only where there is none left in the buffer is the kernel asked.
fn next<'a>(raw: &'a mut RawDir<'_, BorrowedFd<'_>>) -> Result<Option<RawDirEntry<'a>>> {
    match raw.is_buffer_empty() {
        true => traced(libc::SYS_getdents64, || raw.next().transpose()),
        false => raw.next().transpose(),
    }
}

#[cfg(test)]
mod tests;
