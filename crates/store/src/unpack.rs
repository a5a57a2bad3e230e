//! Writes a tarball's files into one open directory, each named by its number. In: sorted files.
//! Out: nothing; after an error some files are missing, so the directory must be a staging one. One
//! `openat`, `write` and `close` per file.

use std::borrow::Cow;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rusk_base::sys::{self, Mode, OFlags, OwnedFd};
use rusk_base::{Result, files::problem};

use crate::manifest::Bin;
use crate::tarball::File;

/// A `#!` line ends within as many bytes, or it is none: the kernel reads 256, bun 2,048.
const SHEBANG_BYTES_MAX: usize = 2048;
/// Bytes copied at once; more than a `#!` line.
const COPY_BYTES: usize = 64 << 10;
/// A program's mode, before the umask.
pub const RUNNABLE: u16 = 0o777;

/// Makes the programs among the files runnable: executable, and without the carriage return that
/// makes the kernel look for an interpreter called `node\r`. Bun does both in each project; done
/// here, a link costs nothing.
pub fn make_runnable(files: &mut [File<'_>], bins: &[Bin]) {
    for bin in bins {
        if let Ok(at) = files.binary_search_by(|file| file.path.as_ref().cmp(&bin.path)) {
            files[at].mode = RUNNABLE;
            if let Some(body) = without_return(&files[at].body) {
                files[at].body = Cow::Owned(body);
            }
        }
    }
}

fn without_return(body: &[u8]) -> Option<Vec<u8>> {
    let at = find_return(body)?;
    Some([&body[..at], &body[at + 1..]].concat())
}

/// The offset of that carriage return.
fn find_return(body: &[u8]) -> Option<usize> {
    let head = &body[..body.len().min(SHEBANG_BYTES_MAX)];
    let newline = head.starts_with(b"#!").then(|| head.iter().position(|&byte| byte == b'\n'))??;
    head[..newline].ends_with(b"\r").then(|| newline - 1)
}

/// A file that was written anew.
pub struct Rewritten {
    pub bytes: u64,
    /// CRC-32 of its bytes.
    pub checksum: u32,
}

/// What [`make_runnable`] does, to a file that is written already. Answers with what it is now if
/// it was written anew.
pub fn make_file_runnable(dir: BorrowedFd<'_>, name: &str, mode: u16) -> sys::Result<Option<Rewritten>> {
    let source = sys::openat(dir, name, OFlags::RDONLY | OFlags::NOFOLLOW, Mode::empty())?;
    let mut buffer = vec![0; COPY_BYTES];
    let mut length = read_some(source.as_fd(), &mut buffer)?;
    let stray = find_return(&buffer[..length]);
    if mode == RUNNABLE && stray.is_none() {
        return Ok(None);
    }
    if let Some(at) = stray {
        buffer.copy_within(at + 1..length, at);
        length -= 1;
    }
    let beside = format!("{name}.runnable");
    let target = create(dir, &beside, RUNNABLE)?;
    let (mut written, mut checksum) = (0, libdeflater::Crc::new());
    while length > 0 {
        sys::write_all(target.as_fd(), &buffer[..length])?;
        written += length as u64;
        checksum.update(&buffer[..length]);
        length = read_some(source.as_fd(), &mut buffer)?;
    }
    sys::renameat(dir, beside.as_str(), dir, name)?;
    Ok(Some(Rewritten { bytes: written, checksum: checksum.sum() }))
}

/// Fills the buffer as far as the file reaches.
fn read_some(file: BorrowedFd<'_>, buffer: &mut [u8]) -> sys::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match sys::read(file, &mut buffer[length..])? {
            0 => break,
            count => length += count,
        }
    }
    Ok(length)
}

/// Writes all files; `path` is the path of `dir`, for messages.
pub fn write(dir: BorrowedFd<'_>, path: &Path, files: &[File<'_>]) -> Result<()> {
    for (number, file) in files.iter().enumerate() {
        let name = number.to_string();
        let written = write_file(dir, &name, &file.body, file.mode);
        written.map_err(|errno| problem::write(&path.join(name), errno))?;
    }
    Ok(())
}

/// Creates one file with its bytes; the umask applies to the mode.
pub fn write_file(dir: BorrowedFd<'_>, name: &str, body: &[u8], mode: u16) -> sys::Result<()> {
    sys::write_all(create(dir, name, mode)?.as_fd(), body)
}

/// Creates a file to be written; the umask applies to the mode.
pub fn create(dir: BorrowedFd<'_>, name: &str, mode: u16) -> sys::Result<OwnedFd> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
    sys::openat(dir, name, flags, Mode::from_raw_mode(u32::from(mode)))
}

#[cfg(test)]
mod tests;
