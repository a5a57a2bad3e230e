//! The entries of a folder, by `getdents64(2)`. In: a descriptor. Out: names and kinds, in the kernel's order,
//! without `.` and `..`. Absent: recursion, sorting.

use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;
use std::os::fd::BorrowedFd;

use rustix::fs::RawDir;

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
    while let Some(entry) = raw.next() {
        let entry = entry?;
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            entries.push(Entry { name: entry.file_name().to_owned(), kind: entry.file_type() });
        }
    }
    Ok(entries)
}

/// The entries that one `getdents64(2)` gives into `buffer`, each shown to `visit`; the next call goes on behind them.
/// Tells whether there were any: where there are none, all have been seen.
pub fn batch(
    folder: BorrowedFd<'_>,
    buffer: &mut [MaybeUninit<u8>],
    visit: &mut dyn FnMut(&CStr, FileType),
) -> Result<bool> {
    let mut raw = RawDir::new(folder, buffer);
    let mut any = false;
    while !any || !raw.is_buffer_empty() {
        let Some(entry) = raw.next() else { break };
        let entry = entry?;
        any = true;
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            visit(entry.file_name(), entry.file_type());
        }
    }
    Ok(any)
}
