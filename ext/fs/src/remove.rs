//! Recursive removal (`fs.rm`). In: a path. Out: nothing, or the error with the path that could not
//! be removed. Links are removed, never followed: every name is resolved relative to an open
//! directory. Absent: retries after a delay (`js/internal/fs/rm.js`).

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, BorrowedFd};

use rusk_base::sys::{self, CWD, Errno, FileType, Mode, OFlags, OwnedFd, directory};
use rusk_jsc::{Call, Outcome, Scope};

use super::arguments::Arguments;
use super::dispatch::dispatch;
use super::result::{FsError, Output};

/// Nesting limit: each directory is open while it is emptied. The kernel's path length allows eight
/// times as many, which does not occur in practice.
const DEPTH_MAX: usize = 256;

/// `remove(path, callback)`. A missing file is no error.
pub fn remove<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let path = arguments.path(0)?;
    dispatch(scope, arguments.callback(1), move || match remove_named(CWD, &path, FileType::Unknown, 0) {
        Ok(()) => Ok(Output::Undefined),
        Err(error) => {
            let path = error.directories.iter().rev().fold(path, |path, name| {
                CString::new([path.to_bytes(), b"/", name.to_bytes()].concat()).expect("neither has a null")
            });
            Err(FsError::at(error.errno, error.call, path))
        }
    })
}

/// A failed removal, with the directories that contain the name, innermost first.
struct RemoveError {
    errno: Errno,
    call: &'static str,
    directories: Vec<CString>,
}

fn remove_error(errno: Errno, call: &'static str) -> RemoveError {
    RemoveError { errno, call, directories: Vec::new() }
}

fn remove_named(
    directory: BorrowedFd<'_>,
    name: &CStr,
    kind: FileType,
    depth: usize,
) -> Result<(), RemoveError> {
    if kind != FileType::Directory {
        match sys::unlinkat(directory, name) {
            Ok(()) | Err(Errno::NOENT) => return Ok(()),
            Err(Errno::ISDIR) => {}
            Err(errno) => match sys::lstatat(directory, name) {
                Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Directory => {}
                _ => return Err(remove_error(errno, "unlink")),
            },
        }
    }
    match sys::rmdirat(directory, name) {
        Ok(()) | Err(Errno::NOENT) => return Ok(()),
        Err(Errno::NOTEMPTY | Errno::EXIST) => {}
        Err(errno) => return Err(remove_error(errno, "rmdir")),
    }
    if depth == DEPTH_MAX {
        return Err(remove_error(Errno::NAMETOOLONG, "scandir"));
    }
    empty_directory(directory, name, depth)?;
    match sys::rmdirat(directory, name) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(errno) => Err(remove_error(errno, "rmdir")),
    }
}

fn empty_directory(directory: BorrowedFd<'_>, name: &CStr, depth: usize) -> Result<(), RemoveError> {
    let open = match open(directory, name) {
        Ok(open) => open,
        Err(Errno::NOENT) => return Ok(()),
        Err(errno) => return Err(remove_error(errno, "scandir")),
    };
    let entries = directory::entries(open.as_fd()).map_err(|errno| remove_error(errno, "scandir"))?;
    for entry in entries {
        remove_named(open.as_fd(), &entry.name, entry.kind, depth + 1).map_err(|mut error| {
            error.directories.push(entry.name);
            error
        })?;
    }
    Ok(())
}

fn open(directory: BorrowedFd<'_>, name: &CStr) -> sys::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW;
    sys::openat(directory, name, flags, Mode::empty())
}
