//! Record of the paths that scripts were ever allowed to write to, of all projects that use one
//! cache: what is in them may be a link that a script made, also after its approval is gone. In: a
//! file, and the paths of a run. Out: all paths. Each is followed by a NUL byte, which no path has.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rusk_base::sys::Errno;
use rusk_base::{Result, files};

/// Some thousand paths.
const BYTES_MAX: u64 = 1 << 20;

/// Adds those that are missing, before a script may write there. Others may add theirs meanwhile:
/// each record is appended by one call.
pub fn add<'a>(file: &Path, paths: impl IntoIterator<Item = &'a Path>) -> Result<Vec<PathBuf>> {
    let text = match files::exists(file) {
        true => files::read_bytes(file, BYTES_MAX)?,
        false => Vec::new(),
    };
    let known = text.split(|&byte| byte == 0).filter(|path| !path.is_empty());
    let mut all: BTreeSet<PathBuf> = known.map(|path| PathBuf::from(OsStr::from_bytes(path))).collect();
    let mut added = Vec::new();
    for path in paths {
        // A path with a NUL byte cannot be opened, and so is never granted.
        if !path.as_os_str().as_bytes().contains(&0) && all.insert(path.to_owned()) {
            added.extend_from_slice(path.as_os_str().as_bytes());
            added.push(0);
        }
    }
    if !added.is_empty() {
        if let Some(directory) = file.parent() {
            files::create_directories(directory)?;
        }
        let opened = OpenOptions::new().append(true).create(true).open(file);
        let failed = |error: std::io::Error| {
            files::problem::write(file, Errno::from_io_error(&error).unwrap_or(Errno::IO))
        };
        opened.and_then(|mut open| open.write_all(&added)).map_err(failed)?;
    }
    Ok(all.into_iter().collect())
}

#[cfg(test)]
mod tests;
