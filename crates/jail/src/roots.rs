//! Directories and files that all jails of one run may read: opened once. In: paths. Out: open
//! directories with their rights.

use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};

use rusk_base::sys::landlock;
use rusk_base::sys::{self, Errno, FileType, Mode, OFlags, OwnedFd};

/// Devices without state; a script may write to them.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Reading and executing.
pub const READ: u64 = landlock::READ_FILE | landlock::READ_DIR | landlock::EXECUTE;
/// Rights of a rule for a file; the others are of directories.
const FILE_RIGHTS: u64 =
    landlock::EXECUTE | landlock::WRITE_FILE | landlock::READ_FILE | landlock::TRUNCATE | landlock::IOCTL_DEV;

/// What all jails of one run may read, besides their own.
pub struct SharedRoots {
    roots: Vec<GrantedRoot>,
}

/// A directory or file, and the rights in it.
pub struct GrantedRoot {
    file: OwnedFd,
    pub rights: u64,
}

impl SharedRoots {
    /// Paths that do not exist are left out.
    pub fn open(readable: &[PathBuf]) -> SharedRoots {
        let readable = readable.iter().map(|path| (path.as_path(), READ));
        let write = landlock::READ_FILE | landlock::WRITE_FILE;
        let devices = DEVICES.iter().map(|path| (Path::new(path), write));
        SharedRoots {
            roots: readable
                .chain(devices)
                .filter_map(|(path, rights)| GrantedRoot::open(path, rights).ok())
                .collect(),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &GrantedRoot> {
        self.roots.iter()
    }
}

impl GrantedRoot {
    /// A symbolic link is followed.
    pub fn open(path: &Path, rights: u64) -> Result<GrantedRoot, Errno> {
        let file = sys::openat(sys::CWD, path, OFlags::PATH, Mode::empty())?;
        let is_directory = FileType::from_raw_mode(sys::fstat(file.as_fd())?.st_mode) == FileType::Directory;
        Ok(GrantedRoot { file, rights: if is_directory { rights } else { rights & FILE_RIGHTS } })
    }
}

impl AsFd for GrantedRoot {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}
