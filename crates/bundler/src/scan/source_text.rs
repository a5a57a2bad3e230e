//! The text of a file. In: a path. Out: its bytes, and those as text. What is not UTF-8 is an
//! error, except in installed packages, which others wrote: there it is U+FFFD.

use std::borrow::Cow;
use std::path::Path;

use crate::diagnostic::Diagnostic;
use crate::problem;

use super::is_installed;

/// The largest file that is read.
const FILE_BYTES_MAX: u64 = 512 << 20;

/// Bytes that are asked for at first; few sources have more.
const READ_BYTES: usize = 64 << 10;

/// Reads a file into a buffer that is used again and again. A regular file gives less than was
/// asked for at its end alone.
pub(super) fn read(path: &Path, buffer: &mut Vec<u8>) -> std::io::Result<()> {
    buffer.clear();
    let file = std::fs::File::open(path)?;
    let is_regular = !path.starts_with("/dev") && !path.starts_with("/proc");
    loop {
        buffer.reserve(READ_BYTES.max(buffer.len()));
        let room = buffer.capacity() - buffer.len();
        let count = rustix::io::read(&file, rustix::buffer::spare_capacity(buffer))?;
        if buffer.len() as u64 > FILE_BYTES_MAX {
            return Err(std::io::Error::other("it has more than 512 MiB"));
        }
        if count == 0 || is_regular && count < room {
            return Ok(());
        }
    }
}

/// `name`: that of the module in messages.
pub(super) fn text_of<'b>(name: &str, path: &Path, bytes: &'b [u8]) -> Result<Cow<'b, str>, Vec<Diagnostic>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Cow::Borrowed(text)),
        Err(_) if is_installed(path) => Ok(String::from_utf8_lossy(bytes)),
        Err(error) => {
            let at = u32::try_from(error.valid_up_to()).unwrap_or(u32::MAX);
            let error = problem::not_utf8(name, bytes.get(error.valid_up_to()).copied());
            Err(vec![error.at(name, &String::from_utf8_lossy(bytes), at..at)])
        }
    }
}

#[cfg(test)]
mod tests;
