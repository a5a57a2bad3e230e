//! Directories watched with inotify(7). In: files, or paths to watch recursively. Out: whether one
//! of them has changed. A file counts as changed when it was written and closed or replaced by
//! rename, so a half-written file does not count. Absent: a fallback past the kernel's limit of
//! watches, which is an error.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rusk_base::Result;
use rusk_base::sys::Errno;
use rusk_base::sys::inotify::{self, ReadFlags, WatchFlags};

use crate::problem;

/// Which changes count.
#[derive(Clone, Copy)]
pub enum ChangeFilter {
    KnownFiles,
    /// Also new files with such a name.
    NewFiles(fn(&str) -> bool),
}

struct WatchedDirectory {
    path: PathBuf,
    names: HashSet<OsString>,
    /// Watches everything in it, recursively.
    is_recursive: bool,
}

pub struct WatchedDirectories {
    inotify: OwnedFd,
    watches: HashMap<i32, WatchedDirectory>,
    has_removed: bool,
}

impl WatchedDirectories {
    pub fn new() -> Result<WatchedDirectories> {
        let inotify = inotify::open().map_err(|error| problem::no_watch("inotify_init", error.into()))?;
        Ok(WatchedDirectories { inotify, watches: HashMap::new(), has_removed: false })
    }

    pub fn inotify(&self) -> BorrowedFd<'_> {
        self.inotify.as_fd()
    }

    /// Watches a file; one whose directory does not exist cannot change. Out: whether it was not
    /// watched before.
    pub fn add_file(&mut self, path: &Path) -> Result<bool> {
        let (Some(directory), Some(name)) = (path.parent(), path.file_name()) else { return Ok(false) };
        if let Some(known) = self.watches.values_mut().find(|known| known.path == directory) {
            return Ok(known.names.insert(name.to_owned()));
        }
        let watch = self.watch(directory, false)?;
        Ok(watch.is_some_and(|watch| watch.names.insert(name.to_owned())))
    }

    /// Watches a file, or a directory recursively; links are not followed.
    pub fn add_tree(&mut self, path: &Path) -> Result<()> {
        if !path.is_dir() {
            return match path.exists() {
                true => self.add_file(path).map(drop),
                false => Err(problem::nothing_to_watch(path)),
            };
        }
        self.add_below(path)
    }

    fn add_below(&mut self, directory: &Path) -> Result<()> {
        let mut pending = vec![directory.to_owned()];
        while let Some(directory) = pending.pop() {
            if self.watch(&directory, true)?.is_none() {
                continue;
            }
            // A directory removed meanwhile needs no watch.
            let Ok(entries) = std::fs::read_dir(&directory) else { continue };
            let directories =
                entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            pending.extend(directories.map(|entry| entry.path()));
        }
        Ok(())
    }

    /// `None`: the directory does not exist.
    fn watch(&mut self, directory: &Path, is_recursive: bool) -> Result<Option<&mut WatchedDirectory>> {
        let events = WatchFlags::CLOSE_WRITE
            | WatchFlags::MOVED_TO
            | WatchFlags::MOVED_FROM
            | WatchFlags::CREATE
            | WatchFlags::DELETE
            | WatchFlags::DELETE_SELF
            | WatchFlags::MOVE_SELF
            | WatchFlags::ONLYDIR;
        match inotify::add(self.inotify.as_fd(), directory, events) {
            Ok(number) => {
                let new =
                    || WatchedDirectory { path: directory.to_owned(), names: HashSet::new(), is_recursive };
                Ok(Some(self.watches.entry(number).or_insert_with(new)))
            }
            Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS) => Ok(None),
            Err(Errno::NOSPC) => Err(problem::too_many_watches(self.watches.len())),
            Err(error) => Err(problem::no_watch("inotify_add_watch", error.into())),
        }
    }

    /// Whether something has changed since the last call.
    pub fn read(&mut self, filter: ChangeFilter) -> Result<bool> {
        let mut events: Vec<(i32, ReadFlags, OsString)> = Vec::new();
        let visit = &mut |watch: i32, flags: ReadFlags, name: Option<&std::ffi::CStr>| {
            let name = name.map(|name| OsStr::from_bytes(name.to_bytes()).to_owned());
            events.push((watch, flags, name.unwrap_or_default()));
        };
        inotify::read(self.inotify.as_fd(), visit)
            .map_err(|error| problem::no_watch("read of inotify", error.into()))?;
        let mut has_changed = false;
        for (watch, flags, name) in events {
            has_changed |= self.is_change(watch, flags, &name, filter)?;
        }
        Ok(has_changed)
    }

    /// Whether a watched file was removed since the last call. An editor may write it anew, so
    /// this is no change by itself.
    pub fn take_removal(&mut self) -> bool {
        std::mem::take(&mut self.has_removed)
    }

    fn is_change(
        &mut self,
        watch: i32,
        flags: ReadFlags,
        name: &OsStr,
        filter: ChangeFilter,
    ) -> Result<bool> {
        if flags.contains(ReadFlags::QUEUE_OVERFLOW) {
            return Ok(true);
        }
        let Some(directory) = self.watches.get(&watch) else { return Ok(false) };
        if flags.intersects(ReadFlags::IGNORED | ReadFlags::DELETE_SELF | ReadFlags::MOVE_SELF) {
            // A new directory may appear under the old path.
            let _ = inotify::remove(self.inotify.as_fd(), watch);
            return Ok(self.watches.remove(&watch).is_some_and(|directory| !directory.names.is_empty()));
        }
        let path = directory.path.join(name);
        if directory.is_recursive {
            let is_directory = flags.contains(ReadFlags::ISDIR);
            if is_directory && flags.intersects(ReadFlags::CREATE | ReadFlags::MOVED_TO) {
                self.add_below(&path)?;
            }
            return Ok(is_directory || !flags.contains(ReadFlags::CREATE) || path.is_symlink());
        }
        if flags.intersects(ReadFlags::DELETE | ReadFlags::MOVED_FROM) {
            self.has_removed |= directory.names.contains(name);
            return Ok(false);
        }
        let is_new = |name: &str| match filter {
            ChangeFilter::KnownFiles => false,
            ChangeFilter::NewFiles(is_wanted) => is_wanted(name),
        };
        let is_known = directory.names.contains(name) || name.to_str().is_some_and(is_new);
        // A created file will be written next; a link is complete already.
        Ok(is_known && (!flags.contains(ReadFlags::CREATE) || path.is_symlink()))
    }
}
