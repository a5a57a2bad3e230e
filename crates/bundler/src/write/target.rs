//! Where an output really goes: symbolic links are followed, and pipes and devices are written
//! into, never replaced. In: the path of an output. Out: a path to rename to, or one to open.

use std::path::{Path, PathBuf};

use rusk_base::{Result, files};
use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;

use super::stage::write_slices;
use super::{Signals, Written};
use crate::problem;

/// As the kernel's own limit.
const LINKS_MAX: usize = 40;

/// How long a pipe without a reader is left alone.
const READER_INTERVAL: std::time::Duration = std::time::Duration::from_millis(10);

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum WriteTarget {
    /// A regular file, or one that does not exist.
    File(PathBuf),
    /// Written in place: a pipe, a device, or an open file of the process.
    Stream(PathBuf),
}

/// Follows links. A directory, or too many links, is an error.
pub(crate) fn find(path: &Path) -> Result<WriteTarget> {
    let mut target = path.to_owned();
    for _ in 0..LINKS_MAX {
        // `/dev/stdout` leads to an open file, whose name, if it has one, is not the same thing.
        if target.starts_with("/proc") || target.starts_with("/dev/fd") {
            return Ok(WriteTarget::Stream(path.to_owned()));
        }
        let Ok(metadata) = target.symlink_metadata() else { return Ok(WriteTarget::File(target)) };
        if metadata.is_dir() {
            return Err(problem::unwritable(path, &std::io::ErrorKind::IsADirectory.into()));
        }
        if metadata.is_file() {
            return Ok(WriteTarget::File(target));
        }
        if !metadata.is_symlink() {
            return Ok(WriteTarget::Stream(path.to_owned()));
        }
        let link = std::fs::read_link(&target).map_err(|error| problem::unwritable(path, &error))?;
        // The directory may be a link, too, so that `..` must not be removed from text.
        let parent = target.parent().unwrap_or(Path::new("/"));
        let parent = parent.canonicalize().unwrap_or_else(|_| parent.to_owned());
        target = files::normalized(&parent.join(link));
    }
    Err(problem::unwritable(path, &Errno::LOOP.into()))
}

/// Writes into a pipe or a device. A pipe is opened when somebody reads it.
pub(super) fn write_stream(path: &Path, slices: &[&[u8]], signals: Signals<'_>) -> Result<Written> {
    let unwritable = |error: std::io::Error| problem::unwritable(path, &error);
    let flags = OFlags::WRONLY | OFlags::TRUNC | OFlags::CLOEXEC | OFlags::NOCTTY;
    let is_pipe = rustix::fs::stat(path).is_ok_and(|found| FileType::from_raw_mode(found.st_mode).is_fifo());
    let opened = loop {
        let flags = if is_pipe { flags | OFlags::NONBLOCK } else { flags };
        match rustix::fs::open(path, flags, Mode::empty()) {
            Err(Errno::NXIO | Errno::INTR) if is_pipe => {}
            Err(errno) => return Err(unwritable(errno.into())),
            Ok(opened) => break opened,
        }
        if let Some(signal) = signals() {
            return Ok(Written::Interrupted(signal));
        }
        std::thread::sleep(READER_INTERVAL);
    };
    if is_pipe {
        rustix::fs::fcntl_setfl(&opened, OFlags::empty()).map_err(|errno| unwritable(errno.into()))?;
    }
    write_slices(&mut std::fs::File::from(opened), slices).map_err(unwritable)?;
    Ok(Written::All)
}

#[cfg(test)]
mod tests;
