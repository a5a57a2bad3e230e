//! What folders and links look like, and the marks that tell them from others of their names. In: an open folder, paths. Out:
//! values, by path. Absent: which paths matter, what follows from a mark.

use std::collections::{HashMap, HashSet};
use std::os::fd::BorrowedFd;

use rusk_base::sys::many::{Means, Paths};
use rusk_base::sys::{self, FileType};

/// Folders and links of the project, each looked at once.
pub struct Seen<'a>(HashMap<&'a str, Found>);

struct Found {
    kind: FileType,
    inode: u64,
    made_ns: i128,
    modified_ns: i128,
}

impl<'a> Seen<'a> {
    pub fn look(project: BorrowedFd<'_>, names: impl Iterator<Item = &'a str>, means: Means) -> Seen<'a> {
        let names: HashSet<&str> = names.collect();
        let mut paths = Paths::default();
        names.iter().for_each(|name| paths.add(name));
        let (mut names, mut seen) = (names.iter(), HashMap::with_capacity(names.len()));
        paths.lstatx_each(project, means, &mut |stat| {
            if let (Some(name), Ok(stat)) = (names.next(), stat) {
                seen.insert(*name, Found::of(stat));
            }
        });
        Seen(seen)
    }

    /// Not a link to one: what lies behind that is not what we made.
    pub fn is_folder(&self, path: &str) -> bool {
        self.0.get(path).is_some_and(|found| found.kind == FileType::Directory)
    }

    /// When it was made, because the next folder may be given the inode of one that was removed. What somebody adds
    /// inside a package is theirs. `None` where there is nothing, or a file.
    pub fn mark_of_place(&self, path: &str) -> Option<Mark> {
        self.folder_or_link(path).map(|found| Mark { inode: found.inode, time_ns: found.made_ns })
    }

    /// Of a folder of places: when something was last put into it or taken out.
    pub fn mark_of_folder(&self, path: &str) -> Option<Mark> {
        self.folder_or_link(path).map(|found| Mark { inode: found.inode, time_ns: found.modified_ns })
    }

    fn folder_or_link(&self, path: &str) -> Option<&Found> {
        self.0.get(path).filter(|found| matches!(found.kind, FileType::Directory | FileType::Symlink))
    }
}

impl Found {
    fn of(stat: &sys::Statx) -> Found {
        Found {
            kind: FileType::from_raw_mode(stat.stx_mode.into()),
            inode: stat.stx_ino,
            made_ns: nanoseconds(stat.stx_btime),
            modified_ns: nanoseconds(stat.stx_mtime),
        }
    }
}

/// What tells a folder or a link from another one of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    inode: u64,
    pub time_ns: i128,
}

impl Mark {
    pub fn parse(text: &str) -> Option<Mark> {
        let (inode, time_ns) = text.split_once(' ')?;
        Some(Mark { inode: inode.parse().ok()?, time_ns: time_ns.parse().ok()? })
    }

    pub fn text(self) -> String {
        format!("{} {}", self.inode, self.time_ns)
    }
}

pub fn nanoseconds(time: sys::StatxTimestamp) -> i128 {
    i128::from(time.tv_sec) * 1_000_000_000 + i128::from(time.tv_nsec)
}
