//! A file, a link or a whole directory removed. In: a path. Out: nothing left there, or what stood
//! in the way. Links are removed, never followed: every name is taken away below an open directory.
//! Absent: waiting and trying again; JavaScript has the clock.

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, BorrowedFd};

use rusk_base::sys::{self, CWD, Errno, FileType, Mode, OFlags, OwnedFd, directory};
use rusk_jsc::{Call, Outcome, Scope};

use super::answer::{Answer, Failure};
use super::arguments::Arguments;
use super::perform::perform;

/// Directories within directories: each is held open while it is emptied. A path of the kernel has
/// room for eight times as many, which nobody makes.
const DEPTH_MAX: usize = 256;

/// `remove(path, done)`: what is not there is fine.
pub fn remove<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let path = arguments.path(0)?;
    perform(scope, arguments.done(1), move || match remove_named(CWD, &path, FileType::Unknown, 0) {
        Ok(()) => Ok(Answer::Nothing),
        Err(trouble) => {
            let path = trouble.below.iter().rev().fold(path, |path, name| {
                CString::new([path.to_bytes(), b"/", name.to_bytes()].concat()).expect("neither has a null")
            });
            Err(Failure::at(trouble.errno, trouble.call, path))
        }
    })
}

/// What could not be done, and below which directories, innermost first.
struct Trouble {
    errno: Errno,
    call: &'static str,
    below: Vec<CString>,
}

fn trouble(errno: Errno, call: &'static str) -> Trouble {
    Trouble { errno, call, below: Vec::new() }
}

fn remove_named(folder: BorrowedFd<'_>, name: &CStr, kind: FileType, depth: usize) -> Result<(), Trouble> {
    if kind != FileType::Directory {
        match sys::unlinkat(folder, name) {
            Ok(()) | Err(Errno::NOENT) => return Ok(()),
            Err(Errno::ISDIR) => {}
            Err(errno) => match sys::lstatat(folder, name) {
                Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Directory => {}
                _ => return Err(trouble(errno, "unlink")),
            },
        }
    }
    match sys::rmdirat(folder, name) {
        Ok(()) | Err(Errno::NOENT) => return Ok(()),
        Err(Errno::NOTEMPTY | Errno::EXIST) => {}
        Err(errno) => return Err(trouble(errno, "rmdir")),
    }
    if depth == DEPTH_MAX {
        return Err(trouble(Errno::NAMETOOLONG, "scandir"));
    }
    empty(folder, name, depth)?;
    match sys::rmdirat(folder, name) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(errno) => Err(trouble(errno, "rmdir")),
    }
}

fn empty(folder: BorrowedFd<'_>, name: &CStr, depth: usize) -> Result<(), Trouble> {
    let open = match open(folder, name) {
        Ok(open) => open,
        Err(Errno::NOENT) => return Ok(()),
        Err(errno) => return Err(trouble(errno, "scandir")),
    };
    let entries = directory::entries(open.as_fd()).map_err(|errno| trouble(errno, "scandir"))?;
    for entry in entries {
        remove_named(open.as_fd(), &entry.name, entry.kind, depth + 1).map_err(|mut trouble| {
            trouble.below.push(entry.name);
            trouble
        })?;
    }
    Ok(())
}

fn open(folder: BorrowedFd<'_>, name: &CStr) -> sys::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW;
    sys::openat(folder, name, flags, Mode::empty())
}
