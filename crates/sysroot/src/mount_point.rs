//! Mount points inside a root. In: the root, a path. Out: the file or directory there, created if
//! missing; symbolic links are resolved within the root.

use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rusk_base::sys::mounts::open_in_root;
use rusk_base::sys::{self, Errno, FileType, Mode, OFlags, OwnedFd};

pub const DIRECTORY_MODE: Mode = Mode::from_raw_mode(0o755);
pub const STICKY_DIRECTORY_MODE: Mode = Mode::from_raw_mode(0o1777);
pub const FILE_MODE: Mode = Mode::from_raw_mode(0o644);

/// The type of a mount point, which must equal that of the mounted tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MountPointKind {
    Directory,
    File,
}

impl MountPointKind {
    pub fn of(path: BorrowedFd<'_>) -> sys::Result<MountPointKind> {
        match FileType::from_raw_mode(sys::fstat(path)?.st_mode) {
            FileType::Directory => Ok(MountPointKind::Directory),
            _ => Ok(MountPointKind::File),
        }
    }
}

/// Opens a path with `O_PATH`.
pub fn open(root: BorrowedFd<'_>, path: &Path) -> sys::Result<OwnedFd> {
    open_in_root(root, path, OFlags::PATH, Mode::empty())
}

pub fn create(root: BorrowedFd<'_>, path: &Path, kind: MountPointKind) -> sys::Result<OwnedFd> {
    match open(root, path) {
        Err(Errno::NOENT) => {}
        found => return found,
    }
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Err(Errno::INVAL) };
    let parent = create(root, parent, MountPointKind::Directory)?;
    match kind {
        MountPointKind::Directory => sys::mkdirat(parent.as_fd(), name, DIRECTORY_MODE)?,
        MountPointKind::File => create_file(parent.as_fd(), name.as_ref())?,
    }
    open(root, path)
}

/// Creates an empty file.
pub fn create_file(directory: BorrowedFd<'_>, name: &Path) -> sys::Result<()> {
    sys::create_empty_file_at(directory, name, FILE_MODE)
}
