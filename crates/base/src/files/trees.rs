//! Directory trees: removed, or copied to another file system. Symbolic links are not followed, and
//! mount points below the root are not entered: what is mounted there belongs to somebody else.

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::problem;
use crate::Result;
use crate::sys::{self, Errno, FileType, Mode, OFlags, OwnedFd};

/// Deepest directory tree that is removed; each level holds a descriptor open. A path of 4,096
/// bytes, the kernel's limit, has at most 2,048 levels.
const DEPTH_MAX: u32 = 512;

/// Bytes that one call copies.
const COPY_BYTES: usize = 1 << 30;

/// Removes a file, a symbolic link or a directory tree without following symbolic links. A missing
/// path is fine.
pub fn remove_tree(path: &Path) -> Result<()> {
    remove_tree_at(sys::CWD, path)
}

/// As [`remove_tree`], relative to an open directory.
pub fn remove_tree_at(directory: BorrowedFd<'_>, path: &Path) -> Result<()> {
    let name = CString::new(path.as_os_str().as_bytes()).map_err(|_| problem::remove(path, Errno::INVAL))?;
    remove_entry(directory, &name, FileType::Unknown, DEPTH_MAX).map_err(|errno| problem::remove(path, errno))
}

fn remove_entry(directory: BorrowedFd<'_>, name: &CStr, kind: FileType, depth: u32) -> sys::Result<()> {
    if kind != FileType::Directory {
        match sys::unlinkat(directory, name) {
            Err(Errno::ISDIR | Errno::PERM) => {}
            Ok(()) | Err(Errno::NOENT) => return Ok(()),
            Err(errno) => return Err(errno),
        }
    }
    match open_to_remove(directory, name, depth) {
        Ok(open) => remove_entries(open.as_fd(), depth.checked_sub(1).ok_or(Errno::LOOP)?)?,
        Err(Errno::NOENT) => return Ok(()),
        Err(errno) => return Err(errno),
    }
    match sys::rmdirat(directory, name) {
        Err(Errno::NOENT) => Ok(()),
        outcome => outcome,
    }
}

fn remove_entries(open: BorrowedFd<'_>, depth: u32) -> sys::Result<()> {
    for entry in sys::directory::entries(open)? {
        let remove = || remove_entry(open, &entry.name, entry.kind, depth);
        match remove() {
            // A directory that its owner may not write to.
            Err(Errno::ACCESS) => {
                sys::fchmod(open, Mode::RWXU).map_err(|_| Errno::ACCESS)?;
                remove()?;
            }
            outcome => outcome?,
        }
    }
    Ok(())
}

/// The root of a tree may be a mount point. A directory that its owner may not read is made
/// readable.
fn open_to_remove(directory: BorrowedFd<'_>, name: &CStr, depth: u32) -> sys::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW;
    let open = || match depth == DEPTH_MAX {
        true => sys::openat(directory, name, flags, Mode::empty()),
        false => sys::open_directory_no_mounts(directory, name),
    };
    match open() {
        Err(Errno::ACCESS) if depth < DEPTH_MAX => {
            sys::chmodat(directory, name, Mode::RWXU).map_err(|_| Errno::ACCESS)?;
            open()
        }
        outcome => outcome,
    }
}

/// Copies a file, a symbolic link or a directory tree; the target must not exist. Modes are kept,
/// times and owners are not.
pub fn copy_tree_at(
    source_dir: BorrowedFd<'_>,
    source: &Path,
    target_dir: BorrowedFd<'_>,
    target: &Path,
) -> Result<()> {
    let text = |path: &Path| CString::new(path.as_os_str().as_bytes());
    let (Ok(from), Ok(to)) = (text(source), text(target)) else {
        return Err(problem::write(target, Errno::INVAL));
    };
    copy_entry(source_dir, &from, target_dir, &to, DEPTH_MAX).map_err(|errno| problem::write(target, errno))
}

fn copy_entry(
    source_dir: BorrowedFd<'_>,
    source: &CStr,
    target_dir: BorrowedFd<'_>,
    target: &CStr,
    depth: u32,
) -> sys::Result<()> {
    let stat = sys::lstatat(source_dir, source)?;
    let mode = Mode::from_raw_mode(stat.st_mode);
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => {
            let depth = depth.checked_sub(1).ok_or(Errno::LOOP)?;
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW;
            let from = sys::openat(source_dir, source, flags, Mode::empty())?;
            sys::mkdirat(target_dir, target, Mode::RWXU)?;
            let to = sys::openat(target_dir, target, flags, Mode::empty())?;
            for entry in sys::directory::entries(from.as_fd())? {
                copy_entry(from.as_fd(), &entry.name, to.as_fd(), &entry.name, depth)?;
            }
            sys::fchmod(to.as_fd(), mode)
        }
        FileType::Symlink => {
            sys::symlinkat(sys::readlinkat(source_dir, source)?.as_c_str(), target_dir, target)
        }
        FileType::RegularFile => {
            let from = sys::openat(source_dir, source, OFlags::RDONLY | OFlags::NOFOLLOW, Mode::empty())?;
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
            let to = sys::openat(target_dir, target, flags, Mode::RWXU)?;
            while sys::sendfile(from.as_fd(), to.as_fd(), COPY_BYTES)? > 0 {}
            sys::fchmod(to.as_fd(), mode)
        }
        // Sockets and the like, of a tool's cache.
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
