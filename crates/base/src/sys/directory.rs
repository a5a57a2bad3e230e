//! The entries of a folder, by `getdents64(2)`. In: a descriptor. Out: names and kinds, in the kernel's order,
//! without `.` and `..`. Absent: recursion, sorting.

use std::ffi::CString;
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
