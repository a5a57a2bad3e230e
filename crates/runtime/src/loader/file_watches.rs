//! Watches of files whose modules are kept, with inotify(7). In: paths of files that are noted.
//! Out: a number; while it is the same, none of them has changed, and no stat is needed to know it.
//! Absent: which file has changed (unchanged_files.rs), and writes to a file that is mapped into
//! memory, for which the kernel has no event.
//!
//! A watch is one of an inode. So a file is watched, and each directory that leads to it, which
//! another one may replace. After an event all are watched anew.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rusk_base::sys::inotify::{self, WatchFlags};
use rusk_base::sys::metadata::{self, SymlinkMode};
use rusk_base::sys::{Errno, FileType, Result, Statx};
use rusk_jsc::{Call, Outcome, Scope};

/// Magic numbers of file systems (statfs(2)) of which this kernel makes all changes: Btrfs, ext2 to
/// ext4, F2FS, tmpfs, XFS. A server changes others, and files below an overlay have watches of
/// their own.
const LOCAL: [u64; 5] = [0x9123_683e, 0xef53, 0xf2f5_2010, 0x0102_1994, 0x5846_5342];

/// A project whose files change more often is not watched any more.
const EVENTS_MAX: u32 = 16;

const OF_FILES: WatchFlags =
    WatchFlags::MODIFY.union(WatchFlags::ATTRIB).union(WatchFlags::MOVE_SELF).union(WatchFlags::DELETE_SELF);

const OF_DIRECTORIES: WatchFlags =
    WatchFlags::MOVE_SELF.union(WatchFlags::DELETE_SELF).union(WatchFlags::ONLYDIR);

thread_local! {
    static WATCHES: RefCell<FileWatches> = RefCell::default();
}

/// Watches a file from now on. Out: its metadata, if that was looked at since.
pub fn add(path: &str) -> Option<Statx> {
    WATCHES.with_borrow_mut(|watches| watches.add(path))
}

/// Out: another number than last time if a file may have changed.
pub fn changes<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    Ok(scope.number(f64::from(WATCHES.with_borrow_mut(FileWatches::changes))))
}

type Device = (u32, u32);

#[derive(Default)]
struct FileWatches {
    inotify: Option<OwnedFd>,
    files: HashSet<String>,
    directories: HashSet<PathBuf>,
    /// Directories of files, with their devices.
    parents: HashMap<PathBuf, Device>,
    /// A file cannot be watched: any may have changed at any time.
    is_incomplete: bool,
    events: u32,
    changes: u32,
}

impl FileWatches {
    fn add(&mut self, path: &str) -> Option<Statx> {
        if self.is_incomplete || self.files.contains(path) {
            return None;
        }
        let watched = self.watch(Path::new(path));
        self.is_incomplete = watched.is_err();
        self.files.insert(path.to_owned());
        watched.ok()
    }

    fn changes(&mut self) -> u32 {
        if self.is_incomplete || self.has_events() {
            self.changes = self.changes.wrapping_add(1);
        }
        self.changes
    }

    fn has_events(&mut self) -> bool {
        let Some(inotify) = &self.inotify else { return false };
        let mut has_events = false;
        let read = inotify::read(inotify.as_fd(), &mut |_, _, _| has_events = true);
        if read.is_ok() && !has_events {
            return false;
        }
        self.events += 1;
        let files = std::mem::take(&mut self.files);
        self.directories.clear();
        self.parents.clear();
        self.is_incomplete = read.is_err() || self.events > EVENTS_MAX;
        files.iter().for_each(|file| _ = self.add(file));
        if self.is_incomplete {
            self.inotify = None;
        }
        true
    }

    fn watch(&mut self, file: &Path) -> Result<Statx> {
        let parent = file.parent().ok_or(Errno::INVAL)?;
        let device = match self.parents.get(parent) {
            Some(device) => *device,
            None => self.watch_parent(parent)?,
        };
        self.inotify_add(file, OF_FILES)?;
        // A link leads elsewhere, and a file may be mounted.
        let stat = metadata::stat(file, SymlinkMode::NoFollow)?;
        let is_file = FileType::from_raw_mode(stat.stx_mode.into()) == FileType::RegularFile;
        match is_file && device == (stat.stx_dev_major, stat.stx_dev_minor) {
            true => Ok(stat),
            false => Err(Errno::XDEV),
        }
    }

    fn watch_parent(&mut self, parent: &Path) -> Result<Device> {
        let is_local = LOCAL.contains(&(metadata::file_system(parent)?.f_type as u64));
        if !is_local || std::fs::canonicalize(parent).ok().as_deref() != Some(parent) {
            return Err(Errno::XDEV);
        }
        for directory in parent.ancestors() {
            if self.directories.contains(directory) {
                break;
            }
            self.inotify_add(directory, OF_DIRECTORIES)?;
            self.directories.insert(directory.to_owned());
        }
        let stat = metadata::stat(parent, SymlinkMode::Follow)?;
        let device = (stat.stx_dev_major, stat.stx_dev_minor);
        self.parents.insert(parent.to_owned(), device);
        Ok(device)
    }

    fn inotify_add(&mut self, path: &Path, events: WatchFlags) -> Result<()> {
        let inotify = match &self.inotify {
            Some(inotify) => inotify,
            None => self.inotify.insert(inotify::open()?),
        };
        inotify::add(inotify.as_fd(), path, events).map(drop)
    }
}

#[cfg(test)]
mod tests;
