//! Upper layer of the overlay: mount points and writable directories that are created before the
//! overlay is mounted. In: the root directory, the empty upper layer, paths. Out: directories and
//! files in the upper layer. They belong to us regardless of the owner of the root; directories of
//! other users could not be changed through the overlay. Absent: mounts.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

use rusk_base::sys::{self, CWD, Errno, FileType, Mode, OFlags, OwnedFd, Stat};

use crate::mount_point::{self, DIRECTORY_MODE, MountPointKind};

/// The kernel's limit: path_resolution(7).
const LINKS_MAX: usize = 40;

pub struct OverlayUpper<'a> {
    pub lower: BorrowedFd<'a>,
    pub upper: BorrowedFd<'a>,
    /// The owner whose directories are writable already; `None` if all are.
    pub owner: Option<u32>,
}

/// The same directory in both layers, with symbolic links resolved.
struct LayerPair {
    /// `None` if it does not exist.
    lower: Option<OwnedFd>,
    upper: OwnedFd,
}

impl OverlayUpper<'_> {
    /// Creates a path if it is missing.
    pub fn create(&self, path: &Path, kind: MountPointKind) -> sys::Result<()> {
        match mount_point::open(self.lower, path) {
            Err(Errno::NOENT) => self.walk(path, kind, DIRECTORY_MODE),
            found => found.map(drop),
        }
    }

    /// Makes a directory writable, with the root's content. `mode` is used if the root has no such
    /// directory.
    pub fn make_writable(&self, path: &Path, mode: Mode) -> sys::Result<()> {
        let found = mount_point::open(self.lower, path).and_then(|found| sys::fstat(found.as_fd()));
        match (found, self.owner) {
            (Ok(_), None) => Ok(()),
            (Ok(found), Some(owner)) if found.st_uid == owner => Ok(()),
            _ => self.walk(path, MountPointKind::Directory, mode),
        }
    }

    fn walk(&self, path: &Path, kind: MountPointKind, mode: Mode) -> sys::Result<()> {
        let mut steps: Vec<LayerPair> = Vec::new();
        let mut rest: Vec<OsString> = Vec::new();
        push_components(&mut rest, path);
        let mut links = 0;
        while let Some(name) = rest.pop() {
            if name == ".." {
                steps.pop();
                continue;
            }
            let (lower, upper) = match steps.last() {
                Some(step) => (step.lower.as_ref().map(AsFd::as_fd), step.upper.as_fd()),
                None => (Some(self.lower), self.upper),
            };
            let found = lower.and_then(|directory| sys::lstatat(directory, &name).ok());
            match found.map(|found| FileType::from_raw_mode(found.st_mode)) {
                Some(FileType::Symlink) => {
                    links += 1;
                    if links > LINKS_MAX {
                        return Err(Errno::LOOP);
                    }
                    let text = sys::readlinkat(lower.unwrap_or(CWD), &name)?;
                    let target = Path::new(OsStr::from_bytes(text.as_bytes()));
                    if target.has_root() {
                        steps.clear();
                    }
                    push_components(&mut rest, target);
                    continue;
                }
                Some(FileType::Directory) | None => {}
                Some(_) if rest.is_empty() && kind == MountPointKind::File => return Ok(()),
                Some(_) => return Err(Errno::NOTDIR),
            }
            if rest.is_empty() && kind == MountPointKind::File && found.is_none() {
                return mount_point::create_file(upper, Path::new(&name)).or_else(ignore_existing);
            }
            let is_last = rest.is_empty();
            create_directory(upper, &name, found.as_ref(), if is_last { mode } else { DIRECTORY_MODE })?;
            let lower = lower.filter(|_| found.is_some());
            if is_last {
                if let Some(directory) = lower {
                    make_opaque(directory, upper, &name);
                }
                return Ok(());
            }
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW;
            let lower = lower.and_then(|directory| sys::openat(directory, &name, flags, Mode::empty()).ok());
            let upper = sys::openat(upper, &name, flags, Mode::empty())?;
            steps.push(LayerPair { lower, upper });
        }
        Ok(())
    }
}

/// With the lower layer's mode and owner, as far as permitted.
fn create_directory(
    upper: BorrowedFd<'_>,
    name: &OsStr,
    found: Option<&Stat>,
    mode: Mode,
) -> sys::Result<()> {
    let mode = found.map_or(mode, |found| Mode::from_raw_mode(found.st_mode));
    if let Err(errno) = sys::mkdirat(upper, name, mode) {
        return ignore_existing(errno);
    }
    if let Some(found) = found {
        let _ = sys::chownat(upper, name, found.st_uid, found.st_gid);
    }
    Ok(())
}

/// An unreadable directory of the lower layer would make ours unreadable too.
fn make_opaque(lower: BorrowedFd<'_>, upper: BorrowedFd<'_>, name: &OsStr) {
    if sys::open_directory(lower, name).is_err()
        && let Ok(directory) = sys::open_directory(upper, name)
    {
        // On tmpfs since Linux 6.6. Before that, the directory stays unreadable, which is no reason
        // to fail.
        let _ = sys::fsetxattr(directory.as_fd(), "user.overlay.opaque", b"y");
    }
}

fn ignore_existing(errno: Errno) -> sys::Result<()> {
    if errno == Errno::EXIST { Ok(()) } else { Err(errno) }
}

/// Pushes the components of a path, so that the first one is popped first.
fn push_components(rest: &mut Vec<OsString>, path: &Path) {
    let names = path.components().rev().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    });
    rest.extend(names);
}
