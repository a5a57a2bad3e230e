//! A package's own directory. In: its path. Out: the open directory, in which no file has another
//! name elsewhere: hard links are replaced by copies, so that a script which writes to it changes
//! neither the store nor another project. Symbolic links are not followed.

use std::ffi::{CStr, OsStr};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};

use rusk_base::sys::{self, Errno, FileType, Mode, OFlags, OwnedFd};
use rusk_base::{Result, files};

use crate::granted_path::{GrantedPath, Missing, WritableDirs};
use crate::problem;

/// Directories within each other; npm's longest paths have fewer.
const DEPTH_MAX: u32 = 128;

/// Opens a package's directory. Below the first `node_modules` of the project, no part of its path
/// may be a link: the script of a package around it could have made one, to anywhere.
/// Above, no link that a script may have made.
pub fn open(project: &Path, package: &Path, writable: &WritableDirs) -> Result<OwnedFd> {
    let problem = |errno| files::problem::open_directory(package, errno);
    let below = package.strip_prefix(project).unwrap_or(Path::new(""));
    let count = below.iter().take_while(|name| *name != "node_modules").count() + 1;
    let inside: Vec<&OsStr> = below.iter().skip(count).collect();
    let Some(outside) = package.ancestors().nth(inside.len()).filter(|_| !inside.is_empty()) else {
        return sys::openat(sys::CWD, package, DIRECTORY, Mode::empty()).map_err(problem);
    };
    let outside = GrantedPath::open(outside, writable, Missing::Refused)?;
    let mut open: Option<OwnedFd> = None;
    for name in inside {
        let above = open.as_ref().map_or(outside.as_fd(), AsFd::as_fd);
        open = Some(sys::openat(above, name, DIRECTORY, Mode::empty()).map_err(problem)?);
    }
    Ok(open.expect("a part is inside"))
}

/// Replaces every file with more than one name below a directory.
pub fn make_own(open: BorrowedFd<'_>, directory: &Path) -> Result<()> {
    visit(open, DEPTH_MAX).map_err(|(path, errno)| problem::not_copied(&directory.join(path), errno))
}

const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW);

/// An error with the path below the directory.
fn visit(directory: BorrowedFd<'_>, depth: u32) -> std::result::Result<(), (PathBuf, Errno)> {
    let here = |errno| (PathBuf::new(), errno);
    let depth = depth.checked_sub(1).ok_or_else(|| here(Errno::LOOP))?;
    for entry in sys::directory::entries(directory).map_err(here)? {
        let name = entry.name.as_c_str();
        let in_entry = |errno| (PathBuf::from(name.to_string_lossy().into_owned()), errno);
        let stat = sys::lstatat(directory, name).map_err(in_entry)?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => {
                let open = sys::openat(directory, name, DIRECTORY, Mode::empty()).map_err(in_entry)?;
                visit(open.as_fd(), depth).map_err(|(path, errno)| (in_entry(errno).0.join(path), errno))?;
            }
            FileType::RegularFile if stat.st_nlink > 1 => {
                replace(directory, name, stat.st_mode).map_err(in_entry)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// The copy gets the file's name by one rename: a process that reads the file sees it whole.
pub fn replace(directory: BorrowedFd<'_>, name: &CStr, mode: u32) -> std::result::Result<(), Errno> {
    let source = sys::openat(directory, name, OFlags::RDONLY | OFlags::NOFOLLOW, Mode::empty())?;
    let temporary = format!(".rusk-own-{}", files::unpredictable_name());
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
    let copied =
        sys::openat(directory, temporary.as_str(), flags, Mode::from_raw_mode(0o600)).and_then(|copy| {
            let (mut source, mut copy) =
                (std::fs::File::from(source.into_std()), std::fs::File::from(copy.into_std()));
            let done = std::io::copy(&mut source, &mut copy);
            done.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
            sys::fchmod(copy.as_fd(), Mode::from_raw_mode(mode & 0o777))?;
            sys::renameat(directory, temporary.as_str(), directory, name)
        });
    if copied.is_err() {
        let _ = sys::unlinkat(directory, temporary.as_str());
    }
    copied
}

#[cfg(test)]
mod tests;
