//! Paths that a script is granted, opened part by part. In: a path, and the directories that
//! scripts may have written to. Out: the open directory or file. A symbolic link is followed only
//! where no script can have made it: links of the user's own system go on working, such as that of
//! a home or of a cache.

use std::collections::HashSet;
use std::ffi::{CString, OsStr, OsString};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

use rusk_base::Result;
use rusk_base::sys::{self, Errno, FileType, Mode, OFlags, OwnedFd, Stat};

use crate::own_files::{make_own, replace};
use crate::problem;

/// The kernel's own limit of links in one path: path_resolution(7).
const LINKS_MAX: usize = 40;
/// Parts of a path with those of its links; the kernel's paths have at most 2048.
const PARTS_MAX: usize = 4096;

const PART: OFlags = OFlags::PATH.union(OFlags::NOFOLLOW);

/// Directories that scripts may write to, or could in an earlier install: by device and inode,
/// whatever leads to them.
pub struct WritableDirs {
    ids: HashSet<(u64, u64)>,
}

/// What is done about a path that does not exist.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// It is an error.
    Refused,
    /// Directories are made.
    Made,
}

/// An open directory or file, by `O_PATH`.
pub struct GrantedPath {
    file: OwnedFd,
    stat: Stat,
    /// Its directory, and its name there; `None` for `/`.
    place: Option<(OwnedFd, OsString)>,
}

/// A directory on the way.
struct OpenPart {
    file: OwnedFd,
    stat: Stat,
    /// Whether a script may have made what is in it.
    is_written: bool,
    name: OsString,
}

impl WritableDirs {
    /// Those that do not exist are left out.
    pub fn of<'a>(paths: impl IntoIterator<Item = &'a Path>) -> WritableDirs {
        let found = paths.into_iter().filter_map(|path| sys::statat(sys::CWD, path).ok());
        WritableDirs { ids: found.map(|stat| identity(&stat)).collect() }
    }
}

impl GrantedPath {
    /// Opens an absolute path.
    pub fn open(path: &Path, writable: &WritableDirs, missing: Missing) -> Result<GrantedPath> {
        let failed = |errno| problem::no_grant(path, errno);
        let root = sys::openat(sys::CWD, "/", OFlags::PATH, Mode::empty()).map_err(failed)?;
        let root = OpenPart::new(root, false, OsString::new(), writable).map_err(failed)?;
        let (mut open, mut links) = (vec![root], 0);
        let mut pending = parts(path);
        while let Some(name) = pending.pop() {
            let above = open.last().expect("the root stays");
            if name == ".." {
                open.truncate((open.len() - 1).max(1));
                continue;
            }
            let part = above.enter(&name, writable, missing).map_err(failed)?;
            if FileType::from_raw_mode(part.stat.st_mode) != FileType::Symlink {
                open.push(part);
                continue;
            }
            if above.is_written {
                return Err(problem::grant_through_link(path));
            }
            links += 1;
            let target = sys::readlinkat(part.file.as_fd(), "").map_err(failed)?;
            let target = PathBuf::from(OsString::from_vec(target.into_bytes()));
            pending.extend(parts(&target));
            if links > LINKS_MAX || pending.len() > PARTS_MAX {
                return Err(failed(Errno::LOOP));
            }
            if target.is_absolute() {
                open.truncate(1);
            }
        }
        let last = open.pop().expect("the root stays");
        let place = open.pop().map(|above| (above.file, last.name));
        Ok(GrantedPath { file: last.file, stat: last.stat, place })
    }

    /// Replaces hard links by copies, in a directory or of a file. `path`: for an error.
    pub fn make_own(&mut self, path: &Path) -> Result<()> {
        let failed = |errno| problem::not_copied(path, errno);
        match (FileType::from_raw_mode(self.stat.st_mode), &self.place) {
            (FileType::Directory, _) => {
                let flags = OFlags::RDONLY | OFlags::DIRECTORY;
                let open = sys::openat(self.file.as_fd(), ".", flags, Mode::empty()).map_err(failed)?;
                make_own(open.as_fd(), path)
            }
            (FileType::RegularFile, Some((above, name))) if self.stat.st_nlink > 1 => {
                let c_name = CString::new(name.as_bytes()).map_err(|_| failed(Errno::INVAL))?;
                replace(above.as_fd(), &c_name, self.stat.st_mode).map_err(failed)?;
                self.file =
                    sys::openat(above.as_fd(), name.as_os_str(), PART, Mode::empty()).map_err(failed)?;
                self.stat = sys::fstat(self.file.as_fd()).map_err(failed)?;
                // Something else may have that name by now.
                match FileType::from_raw_mode(self.stat.st_mode) == FileType::RegularFile {
                    true => Ok(()),
                    false => Err(problem::grant_through_link(path)),
                }
            }
            _ => Ok(()),
        }
    }

    /// Leads to what was opened, whatever has its name by now, as long as this is open.
    pub fn path(&self) -> PathBuf {
        path_of(self.file.as_fd())
    }
}

impl AsFd for GrantedPath {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

/// A path of an open file of this process.
pub fn path_of(file: BorrowedFd<'_>) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

impl OpenPart {
    fn new(
        file: OwnedFd,
        is_written: bool,
        name: OsString,
        writable: &WritableDirs,
    ) -> std::result::Result<OpenPart, Errno> {
        let stat = sys::fstat(file.as_fd())?;
        Ok(OpenPart { is_written: is_written || writable.ids.contains(&identity(&stat)), file, stat, name })
    }

    /// Opens an entry of the directory; a link itself.
    fn enter(
        &self,
        name: &OsStr,
        writable: &WritableDirs,
        missing: Missing,
    ) -> std::result::Result<OpenPart, Errno> {
        let directory = self.file.as_fd();
        let file = match sys::openat(directory, name, PART, Mode::empty()) {
            Err(Errno::NOENT) if missing == Missing::Made => {
                match sys::mkdirat(directory, name, Mode::from_raw_mode(0o777)) {
                    Ok(()) | Err(Errno::EXIST) => sys::openat(directory, name, PART, Mode::empty())?,
                    Err(errno) => return Err(errno),
                }
            }
            other => other?,
        };
        OpenPart::new(file, self.is_written, name.to_owned(), writable)
    }
}

/// The names and `..` of a path, the last one first.
fn parts(path: &Path) -> Vec<OsString> {
    let part = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
    };
    path.components().rev().filter_map(part).collect()
}

fn identity(stat: &Stat) -> (u64, u64) {
    (stat.st_dev, stat.st_ino)
}

#[cfg(test)]
mod tests;
