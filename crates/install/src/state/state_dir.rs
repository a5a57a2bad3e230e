//! Our directory in a project's node_modules, `.rusk`: it is deleted with node_modules, but not
//! with the cache. In: the project, open. Out: small files, read with a limit and written by one
//! rename. No symbolic link is followed, and anything else of that name is replaced.

use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};

use rusk_base::sys::{self, Errno, FileType, Mode, OFlags, OwnedFd};
use rusk_base::{Result, files};

const NODE_MODULES: &str = "node_modules";
const DIRECTORY: &str = ".rusk";

/// A file in the directory, and when it was written.
pub struct StateFile {
    pub text: String,
    pub written_ns: i128,
}

/// Reads one of its files; `None` if it does not exist or is not ours.
pub fn find(project: BorrowedFd<'_>, name: &str, bytes_max: u64) -> Option<StateFile> {
    find_in(open(project)?.as_fd(), Path::new(name), bytes_max)
}

/// As [`find`], in two system calls fewer, but following links. For a file that identifies its
/// directory by more than a path.
pub fn find_at_once(project: BorrowedFd<'_>, name: &str, bytes_max: u64) -> Option<StateFile> {
    find_in(project, &path(name), bytes_max)
}

fn find_in(dir: BorrowedFd<'_>, name: &Path, bytes_max: u64) -> Option<StateFile> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = sys::openat(dir, name, flags, Mode::empty()).ok()?;
    let stat = sys::fstat(file.as_fd()).ok()?;
    let size = u64::try_from(stat.st_size).ok()?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile || size > bytes_max {
        return None;
    }
    let text = String::from_utf8(read(file.as_fd(), size)?).ok()?;
    let written_ns = i128::from(stat.st_mtime) * 1_000_000_000 + i128::from(stat.st_mtime_nsec);
    Some(StateFile { text, written_ns })
}

/// Size of one of its files; 0 if it does not exist.
pub fn size(project: &Path, name: &str) -> u64 {
    let found = sys::statat(sys::CWD, project.join(path(name)));
    found.map_or(0, |stat| u64::try_from(stat.st_size).unwrap_or(0))
}

/// Opens the directory, if it exists.
pub fn open(project: BorrowedFd<'_>) -> Option<OwnedFd> {
    open_no_follow(open_no_follow(project, NODE_MODULES).ok()?.as_fd(), DIRECTORY).ok()
}

/// Reads a file up to the size from its status.
fn read(file: BorrowedFd<'_>, size: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(size).ok()?];
    let mut length = 0;
    while length < bytes.len() {
        match sys::read(file, &mut bytes[length..]).ok()? {
            0 => break,
            count => length += count,
        }
    }
    bytes.truncate(length);
    Some(bytes)
}

/// Opens the directory, made when missing; `None` if the project has no node_modules of ours.
pub fn make(project: BorrowedFd<'_>) -> Result<Option<OwnedFd>> {
    let Ok(node_modules) = open_no_follow(project, NODE_MODULES) else { return Ok(None) };
    let make = || match sys::mkdirat(node_modules.as_fd(), DIRECTORY, Mode::from_raw_mode(0o777)) {
        Ok(()) | Err(Errno::EXIST) => open_no_follow(node_modules.as_fd(), DIRECTORY),
        Err(errno) => Err(errno),
    };
    let made = match make() {
        Err(Errno::NOTDIR | Errno::LOOP) => {
            files::remove_tree_at(node_modules.as_fd(), Path::new(DIRECTORY))?;
            make()
        }
        made => made,
    };
    made.map(Some).map_err(|errno| files::problem::create_directory(&path(""), errno))
}

/// Writes a file atomically: a reader sees the old bytes or the new ones.
pub fn write(dir: BorrowedFd<'_>, name: &str, bytes: &[u8]) -> Result<()> {
    let temporary = format!("{name}.{}", files::unpredictable_name());
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
    let written = sys::openat(dir, &temporary, flags, Mode::from_raw_mode(0o666))
        .and_then(|file| sys::write_all(file.as_fd(), bytes))
        .and_then(|()| sys::renameat(dir, &temporary, dir, name));
    written.map_err(|errno| {
        let _ = sys::unlinkat(dir, &temporary);
        files::problem::write(&path(name), errno)
    })
}

/// Removes the directory with its contents.
pub fn remove(project: BorrowedFd<'_>) -> Result<()> {
    match open_no_follow(project, NODE_MODULES) {
        Ok(node_modules) => files::remove_tree_at(node_modules.as_fd(), Path::new(DIRECTORY)),
        // It does not exist, or is a link that will be replaced.
        Err(_) => Ok(()),
    }
}

fn path(name: &str) -> PathBuf {
    Path::new(NODE_MODULES).join(DIRECTORY).join(name)
}

fn open_no_follow(dir: BorrowedFd<'_>, name: &str) -> sys::Result<OwnedFd> {
    sys::openat(dir, name, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW, Mode::empty())
}
