//! A small file in as few calls as it takes: open, read, close. In: a directory and a path. Out: its
//! bytes, absent, or why it cannot be read. Absent: asking for its size first; the buffer is larger
//! than nearly all of these files.

use std::os::fd::{AsFd, BorrowedFd};

use rusk_base::sys::{self, Errno, Mode, OFlags, Stat};

/// Nine of ten manifests fit, and those of packages with many exports mostly too.
const BUFFER_BYTES: usize = 16 * 1024;

/// What was there.
pub(crate) enum ReadFile {
    Absent,
    Read { bytes: Vec<u8>, stat: Option<Stat> },
    Unreadable(String),
}

/// Whether the file's `stat`, taken before its bytes, is wanted too.
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
        // Node takes what it cannot open for absent; where memory or descriptors ran out that would
        // be a lie.
        Err(errno @ (Errno::MFILE | Errno::NFILE | Errno::NOMEM | Errno::IO)) => {
            ReadFile::Unreadable(std::io::Error::from(errno).to_string())
        }
        Err(_) => ReadFile::Absent,
    }
}

/// `None`: there are more bytes than wanted.
fn read_or_errno(
    directory: BorrowedFd<'_>,
    path: &[u8],
    bytes_max: usize,
    with_stat: WithStat,
) -> sys::Result<Option<(Vec<u8>, Option<Stat>)>> {
    // A pipe put where a file belongs must not hang us in `open`.
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
        // A regular file gives less than asked for only at its end; files of the kernel's own
        // making end with nothing.
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
