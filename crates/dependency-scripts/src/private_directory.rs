//! Private directory of one package's scripts, locked while it is in use. In: the directory for
//! temporary files. Out: a directory that is removed with the value, and those removed that killed
//! installs left. Absent: what is in it.

use std::fs::{self, DirBuilder, Permissions};
use std::os::fd::AsFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rusk_base::sys::{self, Errno, FlockOperation, OwnedFd};
use rusk_base::{Result, files};

use crate::problem;

/// Earlier versions, which do not lock their directories, have `rusk-scripts-`.
const PREFIX: &str = "rusk-locked-scripts-";
/// Another install may take a new directory for an abandoned one, before it is locked.
const ATTEMPTS_MAX: u32 = 10;

pub struct PrivateDirectory {
    path: PathBuf,
    /// The kernel releases its lock when this process ends in any way. No script inherits it.
    /// `None` on a file system without locks, where no directory is taken for an abandoned one.
    _lock: Option<OwnedFd>,
}

impl PrivateDirectory {
    pub fn new(temporary: &Path) -> Result<PrivateDirectory> {
        let mut attempts = 0;
        loop {
            attempts += 1;
            let path = temporary.join(format!("{PREFIX}{}", files::unpredictable_name()));
            let made = DirBuilder::new().mode(0o700).create(&path);
            made.map_err(|error| problem::private_directory(&path, error))?;
            match lock(&path) {
                Err(Errno::WOULDBLOCK | Errno::NOENT) if attempts < ATTEMPTS_MAX => {}
                locked => return Ok(PrivateDirectory { path, _lock: locked.ok() }),
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for PrivateDirectory {
    fn drop(&mut self) {
        if files::remove_tree(&self.path).is_err() {
            // A script may have taken its own rights to its directories away.
            open_directories(&self.path, DEPTH_MAX);
            let _ = files::remove_tree(&self.path);
        }
    }
}

/// Removes the directories of installs of this user that were killed. Best effort: processes of
/// their scripts may still run, so no rights are changed.
pub fn remove_abandoned(temporary: &Path) {
    let user = fs::metadata("/proc/self").map(|own| own.uid());
    let Ok((user, entries)) = user.and_then(|user| Ok((user, fs::read_dir(temporary)?))) else { return };
    let is_named = |entry: &fs::DirEntry| entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes());
    for entry in entries.flatten().filter(is_named) {
        let path = entry.path();
        let is_own = fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir() && found.uid() == user);
        if is_own && let Ok(_lock) = lock(&path) {
            let _ = files::remove_tree(&path);
        }
    }
}

/// `EWOULDBLOCK`: it is in use; `ENOENT`: it is removed, perhaps since it was opened.
fn lock(path: &Path) -> sys::Result<OwnedFd> {
    let file = sys::open_directory(sys::CWD, path)?;
    sys::flock(file.as_fd(), FlockOperation::NonBlockingLockExclusive)?;
    let locked = sys::fstat(file.as_fd())?;
    let found = fs::symlink_metadata(path).ok();
    let is_same = found.is_some_and(|found| found.ino() == locked.st_ino && found.dev() == locked.st_dev);
    if is_same { Ok(file) } else { Err(Errno::NOENT) }
}

/// Directories below that are looked into.
const DEPTH_MAX: u32 = 128;

/// Lets the user remove what is in these directories. No process of the script runs any more.
fn open_directories(directory: &Path, depth: u32) {
    if depth == 0 || fs::set_permissions(directory, Permissions::from_mode(0o700)).is_err() {
        return;
    }
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_directories(&entry.path(), depth - 1);
        }
    }
}

#[cfg(test)]
mod tests;
