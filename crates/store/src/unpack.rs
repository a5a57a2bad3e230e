//! A tarball's files written into one open folder, each named by its number. In: sorted files. Out: nothing; half of
//! them when a call fails, so the folder is a staging one. One `openat`, `write`, `close` a file.

use std::borrow::Cow;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rusk_base::sys::{self, Mode, OFlags};
use rusk_base::{Result, files::problem};

use crate::manifest::Bin;
use crate::tarball::File;

/// A `#!` line ends within as many bytes, or it is none: the kernel reads 256, bun 2,048.
const SHEBANG_BYTES_MAX: usize = 2048;

/// Makes the programs among the files runnable: executable, and without the carriage return that makes the
/// kernel look for an interpreter called `node\r`. Bun does both in each project; done here, a link costs nothing.
pub fn make_runnable(files: &mut [File<'_>], bins: &[Bin]) {
    for bin in bins {
        if let Ok(at) = files.binary_search_by(|file| file.path.as_ref().cmp(&bin.path)) {
            files[at].mode = 0o777;
            if let Some(body) = without_return(&files[at].body) {
                files[at].body = Cow::Owned(body);
            }
        }
    }
}

fn without_return(body: &[u8]) -> Option<Vec<u8>> {
    let head = &body[..body.len().min(SHEBANG_BYTES_MAX)];
    let newline = head.starts_with(b"#!").then(|| head.iter().position(|&byte| byte == b'\n'))??;
    let (line, rest) = body.split_at(newline);
    Some([line.strip_suffix(b"\r")?, rest].concat())
}

/// Writes all; `path` is where `folder` stands, for messages.
pub fn write(folder: BorrowedFd<'_>, path: &Path, files: &[File<'_>]) -> Result<()> {
    for (number, file) in files.iter().enumerate() {
        let name = number.to_string();
        let written = write_file(folder, &name, &file.body, file.mode);
        written.map_err(|errno| problem::write(&path.join(name), errno))?;
    }
    Ok(())
}

/// Creates one file with its bytes; the umask applies to the mode.
pub fn write_file(folder: BorrowedFd<'_>, name: &str, body: &[u8], mode: u16) -> sys::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
    let file = sys::openat(folder, name, flags, Mode::from_raw_mode(u32::from(mode)))?;
    sys::write_all(file.as_fd(), body)
}

#[cfg(test)]
mod tests;
