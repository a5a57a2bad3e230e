//! The folders that are watched. In: files, or paths with all that is below. Out: whether one of
//! them has changed. A file has when it was written and closed, or when another took its name: so a
//! save that is half done is none. Absent: the kernel's limits; past them it is said that there are
//! too many.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rusk_base::Result;
use rusk_base::sys::Errno;
use rusk_base::sys::inotify::{self, ReadFlags, WatchFlags};

use super::super::flags;
use crate::problem;

/// Which changes count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Heed {
    Known,
    /// Also programs that nobody has loaded: what failed may have failed for want of one.
    NewPrograms,
}

struct Folder {
    path: PathBuf,
    names: HashSet<OsString>,
    /// Everything in it, and below.
    is_tree: bool,
}

pub struct Folders {
    set: OwnedFd,
    watches: HashMap<i32, Folder>,
}

impl Folders {
    pub fn new() -> Result<Folders> {
        let set = inotify::open().map_err(|error| problem::no_watch("inotify_init", error.into()))?;
        Ok(Folders { set, watches: HashMap::new() })
    }

    pub fn set(&self) -> BorrowedFd<'_> {
        self.set.as_fd()
    }

    /// Watches for a file; one whose folder is not there cannot change.
    pub fn add_file(&mut self, path: &Path) -> Result<()> {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return Ok(()) };
        if let Some(known) = self.watches.values_mut().find(|known| known.path == folder) {
            known.names.insert(name.to_owned());
            return Ok(());
        }
        if let Some(watch) = self.watch(folder, false)? {
            watch.names.insert(name.to_owned());
        }
        Ok(())
    }

    /// Watches a file, or a folder with all that is below; links are not followed.
    pub fn add_tree(&mut self, path: &Path) -> Result<()> {
        if !path.is_dir() {
            return match path.exists() {
                true => self.add_file(path),
                false => Err(problem::nothing_to_watch(path)),
            };
        }
        self.add_below(path)
    }

    fn add_below(&mut self, folder: &Path) -> Result<()> {
        let mut waiting = vec![folder.to_owned()];
        while let Some(folder) = waiting.pop() {
            if self.watch(&folder, true)?.is_none() {
                continue;
            }
            // What is gone meanwhile needs no watch.
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            let folders = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            waiting.extend(folders.map(|entry| entry.path()));
        }
        Ok(())
    }

    /// `None`: there is no such folder.
    fn watch(&mut self, folder: &Path, is_tree: bool) -> Result<Option<&mut Folder>> {
        let mut wanted = WatchFlags::CLOSE_WRITE
            | WatchFlags::MOVED_TO
            | WatchFlags::CREATE
            | WatchFlags::DELETE_SELF
            | WatchFlags::MOVE_SELF
            | WatchFlags::ONLYDIR;
        if is_tree {
            wanted |= WatchFlags::DELETE | WatchFlags::MOVED_FROM;
        }
        match inotify::add(self.set.as_fd(), folder, wanted) {
            Ok(number) => {
                let made = || Folder { path: folder.to_owned(), names: HashSet::new(), is_tree };
                Ok(Some(self.watches.entry(number).or_insert_with(made)))
            }
            Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS) => Ok(None),
            Err(Errno::NOSPC) => Err(problem::too_many_watches(self.watches.len())),
            Err(error) => Err(problem::no_watch("inotify_add_watch", error.into())),
        }
    }

    /// Whether something has changed since the last call.
    pub fn read(&mut self, heed: Heed) -> Result<bool> {
        let mut seen: Vec<(i32, ReadFlags, OsString)> = Vec::new();
        let visit = &mut |watch: i32, flags: ReadFlags, name: Option<&std::ffi::CStr>| {
            let name = name.map(|name| OsStr::from_bytes(name.to_bytes()).to_owned());
            seen.push((watch, flags, name.unwrap_or_default()));
        };
        inotify::read(self.set.as_fd(), visit)
            .map_err(|error| problem::no_watch("read of inotify", error.into()))?;
        let mut has_changed = false;
        for (watch, flags, name) in seen {
            has_changed |= self.counts(watch, flags, &name, heed)?;
        }
        Ok(has_changed)
    }

    fn counts(&mut self, watch: i32, flags: ReadFlags, name: &OsStr, heed: Heed) -> Result<bool> {
        if flags.contains(ReadFlags::QUEUE_OVERFLOW) {
            return Ok(true);
        }
        let Some(folder) = self.watches.get(&watch) else { return Ok(false) };
        if flags.intersects(ReadFlags::IGNORED | ReadFlags::DELETE_SELF | ReadFlags::MOVE_SELF) {
            // Under its old path there may be another one soon.
            let _ = inotify::remove(self.set.as_fd(), watch);
            return Ok(self.watches.remove(&watch).is_some_and(|folder| !folder.names.is_empty()));
        }
        let path = folder.path.join(name);
        if folder.is_tree {
            let is_folder = flags.contains(ReadFlags::ISDIR);
            if is_folder && flags.intersects(ReadFlags::CREATE | ReadFlags::MOVED_TO) {
                self.add_below(&path)?;
            }
            return Ok(is_folder || !flags.contains(ReadFlags::CREATE) || path.is_symlink());
        }
        let is_known = folder.names.contains(name)
            || heed == Heed::NewPrograms && name.to_str().is_some_and(flags::has_ending);
        // A file that was made is written next; a link is there as a whole.
        Ok(is_known && (!flags.contains(ReadFlags::CREATE) || path.is_symlink()))
    }
}
