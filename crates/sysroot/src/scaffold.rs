//! Places made in what lies over a root, before it does. In: the root's folder, the empty one that
//! what is written goes to, paths. Out: folders and files in the latter, at which something is seen
//! later. Made there they are ours, whoever owns the root: a folder of somebody else's cannot be
//! added to, not even in memory. Absent: mounts.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

use rusk_base::sys::{self, CWD, Errno, FileType, Mode, OFlags, OwnedFd, Stat};

use crate::place::{self, FOLDER, Kind};

/// As many as the kernel follows, `path_resolution(7)`.
const LINKS_MAX: usize = 40;

pub struct Scaffold<'a> {
    pub lower: BorrowedFd<'a>,
    pub upper: BorrowedFd<'a>,
    /// Whose folders can be written to already; `None`: everybody's.
    pub owner: Option<u32>,
}

/// A folder that was come to, without links, and the same in both.
struct Step {
    /// `None`: not there.
    lower: Option<OwnedFd>,
    upper: OwnedFd,
}

impl Scaffold<'_> {
    /// Makes what is missing at a path.
    pub fn make(&self, path: &Path, kind: Kind) -> sys::Result<()> {
        match place::find(self.lower, path) {
            Err(Errno::NOENT) => self.walk(path, kind, FOLDER),
            found => found.map(drop),
        }
    }

    /// Makes a folder that can be written to, with all that the root has in it; `mode`: where the
    /// root has none.
    pub fn claim(&self, path: &Path, mode: Mode) -> sys::Result<()> {
        let found = place::find(self.lower, path).and_then(|found| sys::fstat(found.as_fd()));
        match (found, self.owner) {
            (Ok(_), None) => Ok(()),
            (Ok(found), Some(owner)) if found.st_uid == owner => Ok(()),
            _ => self.walk(path, Kind::Folder, mode),
        }
    }

    fn walk(&self, path: &Path, kind: Kind, mode: Mode) -> sys::Result<()> {
        let mut steps: Vec<Step> = Vec::new();
        let mut rest: Vec<OsString> = Vec::new();
        push(&mut rest, path);
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
            let found = lower.and_then(|folder| sys::lstatat(folder, &name).ok());
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
                    push(&mut rest, target);
                    continue;
                }
                Some(FileType::Directory) | None => {}
                Some(_) if rest.is_empty() && kind == Kind::File => return Ok(()),
                Some(_) => return Err(Errno::NOTDIR),
            }
            if rest.is_empty() && kind == Kind::File && found.is_none() {
                return place::make_file(upper, Path::new(&name)).or_else(unless_there);
            }
            let is_last = rest.is_empty();
            make_folder(upper, &name, found.as_ref(), if is_last { mode } else { FOLDER })?;
            let lower = lower.filter(|_| found.is_some());
            if is_last {
                if let Some(folder) = lower {
                    hide_what_is_closed(folder, upper, &name);
                }
                return Ok(());
            }
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW;
            let lower = lower.and_then(|folder| sys::openat(folder, &name, flags, Mode::empty()).ok());
            let upper = sys::openat(upper, &name, flags, Mode::empty())?;
            steps.push(Step { lower, upper });
        }
        Ok(())
    }
}

/// As the root has it, as far as we may.
fn make_folder(upper: BorrowedFd<'_>, name: &OsStr, found: Option<&Stat>, mode: Mode) -> sys::Result<()> {
    let mode = found.map_or(mode, |found| Mode::from_raw_mode(found.st_mode));
    if let Err(errno) = sys::mkdirat(upper, name, mode) {
        return unless_there(errno);
    }
    if let Some(found) = found {
        let _ = sys::chownat(upper, name, found.st_uid, found.st_gid);
    }
    Ok(())
}

/// What is in a folder that we may not look into would keep us from looking at what is ours there.
fn hide_what_is_closed(lower: BorrowedFd<'_>, upper: BorrowedFd<'_>, name: &OsStr) {
    if sys::open_directory(lower, name).is_err()
        && let Ok(folder) = sys::open_directory(upper, name)
    {
        // In memory, from Linux 6.6. Before it the folder stays closed, which is no reason to run
        // nothing.
        let _ = sys::fsetxattr(folder.as_fd(), "user.overlay.opaque", b"y");
    }
}

fn unless_there(errno: Errno) -> sys::Result<()> {
    if errno == Errno::EXIST { Ok(()) } else { Err(errno) }
}

/// The names of a path, the first one to be taken first.
fn push(rest: &mut Vec<OsString>, path: &Path) {
    let names = path.components().rev().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    });
    rest.extend(names);
}
