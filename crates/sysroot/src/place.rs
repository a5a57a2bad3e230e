//! Places inside a root at which something is to be seen. In: the root, a path. Out: the file or
//! folder there, made where it is missing; no link leads out of the root.

use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rusk_base::sys::mounts::open_in_root;
use rusk_base::sys::{self, Errno, FileType, Mode, OFlags, OwnedFd};

pub const FOLDER: Mode = Mode::from_raw_mode(0o755);
pub const SHARED_FOLDER: Mode = Mode::from_raw_mode(0o1777);
pub const FILE: Mode = Mode::from_raw_mode(0o644);

/// Both ends of what is hung over something are folders, or neither is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Folder,
    File,
}

impl Kind {
    pub fn of(path: BorrowedFd<'_>) -> sys::Result<Kind> {
        match FileType::from_raw_mode(sys::fstat(path)?.st_mode) {
            FileType::Directory => Ok(Kind::Folder),
            _ => Ok(Kind::File),
        }
    }
}

/// What stands there, not opened for anything yet.
pub fn find(root: BorrowedFd<'_>, path: &Path) -> sys::Result<OwnedFd> {
    open_in_root(root, path, OFlags::PATH, Mode::empty())
}

pub fn make(root: BorrowedFd<'_>, path: &Path, kind: Kind) -> sys::Result<OwnedFd> {
    match find(root, path) {
        Err(Errno::NOENT) => {}
        found => return found,
    }
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Err(Errno::INVAL) };
    let parent = make(root, parent, Kind::Folder)?;
    match kind {
        Kind::Folder => sys::mkdirat(parent.as_fd(), name, FOLDER)?,
        Kind::File => make_file(parent.as_fd(), name.as_ref())?,
    }
    find(root, path)
}

/// An empty one, where nothing stands.
pub fn make_file(folder: BorrowedFd<'_>, name: &Path) -> sys::Result<()> {
    sys::create_empty_file_at(folder, name, FILE)
}
