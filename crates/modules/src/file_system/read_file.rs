//! Reads a small file with three system calls: open, read, close. In: a directory and a path. Out:
//! its bytes, absent, or why it cannot be read. Absent: querying its size; the buffer is larger
//! than nearly all of these files.

use std::os::fd::{AsFd, BorrowedFd};

use rusk_base::sys::{self, Errno, Mode, OFlags, Stat};

/// Nine of ten manifests fit, and so do most of those with many exports.
const BUFFER_BYTES: usize = 16 * 1024;

/// The result of a read.
pub(crate) enum ReadFile {
    Absent,
    Read { bytes: Vec<u8>, stat: Option<Stat> },
    Unreadable(String),
}

/// Whether to return the file's `stat`, taken before its bytes are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WithStat {
    Yes,
    No,
}

pub(crate) fn read(
    directory: BorrowedFd<'_>,
    path: &[u8],
    bytes_max: usize,
    with_stat: WithStat,
) -> ReadFile {
    match read_or_errno(directory, path, bytes_max, with_stat) {
        Ok(Some((bytes, stat))) => ReadFile::Read { bytes, stat },
        Ok(None) => ReadFile::Unreadable(format!("it has more than {bytes_max} bytes")),
        // Node treats a file that cannot be opened as absent; that would be wrong when memory or
        // descriptors ran out.
        Err(errno @ (Errno::MFILE | Errno::NFILE | Errno::NOMEM | Errno::IO)) => {
            ReadFile::Unreadable(std::io::Error::from(errno).to_string())
        }
        Err(_) => ReadFile::Absent,
    }
}

/// `None`: the file is larger than the limit.
fn read_or_errno(
    directory: BorrowedFd<'_>,
    path: &[u8],
    bytes_max: usize,
    with_stat: WithStat,
) -> sys::Result<Option<(Vec<u8>, Option<Stat>)>> {
    // A FIFO in place of the file must not block `open`.
    let file =
        sys::openat(directory, path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY, Mode::empty())?;
    let stat = match with_stat {
        WithStat::Yes => Some(sys::fstat(file.as_fd())?),
        WithStat::No => None,
    };
    let mut bytes = vec![0; BUFFER_BYTES];
    let mut length = 0;
    loop {
        let count = sys::read(file.as_fd(), &mut bytes[length..])?;
        length += count;
        // A short read means the end of a regular file; files in /proc end with an empty read.
        if count == 0 || (length < bytes.len() && !path.starts_with(b"/proc/")) {
            break;
        }
        if length > bytes_max {
            return Ok(None);
        }
        if length == bytes.len() {
            bytes.resize(length * 2, 0);
        }
    }
    bytes.truncate(length);
    Ok((length <= bytes_max).then_some((bytes, stat)))
}
