//! The links in `node_modules/.bin`. In: an open node_modules, a name, where it leads. Out: a
//! symbolic link, made or replaced by one rename. Absent: which package wins a name, and Windows'
//! shims. Programs from the store are runnable already; those of workspaces and directories become
//! so here.

use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rusk_base::Result;
use rusk_base::files::{self, problem};
use rusk_base::sys::{self, Errno, FileType, Mode};

const BIN_NAME: &str = ".bin";

/// Makes `.bin/NAME` lead to `target`, relative to `.bin`, as in `../typescript/bin/tsc`. `name` is
/// one path component. One system call when it is new and `.bin` is there.
pub fn link_bin(node_modules: BorrowedFd<'_>, name: &str, target: &str) -> Result<()> {
    let path = format!("{BIN_NAME}/{name}");
    let mut made = sys::symlinkat(target, node_modules, &path);
    if made == Err(Errno::NOENT) {
        match sys::mkdirat(node_modules, BIN_NAME, Mode::from_raw_mode(0o777)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(errno) => return Err(problem::create_directory(Path::new(BIN_NAME), errno)),
        }
        made = sys::symlinkat(target, node_modules, &path);
    }
    if made == Err(Errno::EXIST) {
        made = replace_link(node_modules, &path, target);
    }
    made.map_err(|errno| problem::link(Path::new(&path), errno))
}

fn replace_link(node_modules: BorrowedFd<'_>, path: &str, target: &str) -> sys::Result<()> {
    if sys::readlinkat(node_modules, path).is_ok_and(|found| found.to_bytes() == target.as_bytes()) {
        return Ok(());
    }
    let temporary = format!("{BIN_NAME}/.{}", files::unpredictable_name());
    sys::symlinkat(target, node_modules, &temporary)?;
    let mut renamed = sys::renameat(node_modules, &temporary, node_modules, path);
    if renamed == Err(Errno::ISDIR) && files::remove_tree_at(node_modules, Path::new(path)).is_ok() {
        renamed = sys::renameat(node_modules, &temporary, node_modules, path);
    }
    if renamed.is_err() {
        let _ = sys::unlinkat(node_modules, &temporary);
    }
    renamed
}

/// Makes a program that is not from the store executable for all who may read it. `path` is in the
/// package's directory. Nothing when it is missing, no file, or outside by a symbolic link.
pub fn make_executable(package: BorrowedFd<'_>, path: &str) -> Result<()> {
    let refused = |errno| problem::write(Path::new(path), errno);
    let file = match sys::open_beneath(package, path) {
        Ok(file) => file,
        Err(Errno::NOENT | Errno::NOTDIR | Errno::XDEV | Errno::LOOP) => return Ok(()),
        Err(errno) => return Err(refused(errno)),
    };
    let mode = sys::fstat(file.as_fd()).map_err(refused)?.st_mode;
    let executable = mode | (mode & 0o444) >> 2;
    if FileType::from_raw_mode(mode) != FileType::RegularFile || mode == executable {
        return Ok(());
    }
    sys::fchmod(file.as_fd(), Mode::from_raw_mode(executable & 0o7777)).map_err(refused)
}

#[cfg(test)]
mod tests;
