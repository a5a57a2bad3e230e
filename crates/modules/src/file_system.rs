//! File system cache of module resolution: directories that remember their entries. In: absolute
//! paths. Out: directories, and the entry of a name. Each entry is looked up once per epoch. From
//! one epoch to the next a directory keeps its cache if its fingerprint is unchanged (see
//! `fingerprint`). Absent: packages, except for reading package.json.

pub(crate) mod byte_map;
pub(crate) mod directory;
pub(crate) mod fingerprint;
mod listing;
mod mounts;
pub(crate) mod read_file;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use crate::options::Lifetime;
use byte_map::ByteMap;
pub(crate) use directory::{Directory, Entry};
use mounts::{Mounts, Table};

/// Directories that are kept open, so that paths below them are opened without a walk from the
/// root; further ones are closed. A process usually may have 1,024 file descriptors, and those are
/// for the program.
const OPEN_MAX: usize = 200;

pub(crate) struct FileSystem {
    root: Arc<Directory>,
    /// Directories by the path with which they were requested.
    by_path: RwLock<ByteMap<Arc<Directory>>>,
    mounts: Mounts,
    open: AtomicUsize,
    epoch: AtomicUsize,
    lifetime: Lifetime,
}

impl FileSystem {
    pub(crate) fn new(lifetime: Lifetime) -> FileSystem {
        // A watcher has to detect later whether they have changed.
        let mounts = match lifetime {
            Lifetime::Run => Mounts::default(),
            Lifetime::Watch => Mounts::with_table(Table::read()),
        };
        let root = Directory::root(mounts.find_local(b"/").unwrap_or(false));
        let by_path = RwLock::new(ByteMap::default());
        FileSystem { root, by_path, mounts, open: AtomicUsize::new(0), epoch: AtomicUsize::new(1), lifetime }
    }

    /// Starts an epoch: the file system may have changed.
    pub(crate) fn begin_epoch(&mut self) {
        match self.lifetime {
            Lifetime::Run => {
                self.release();
                *self = FileSystem::new(Lifetime::Run);
            }
            // A new mount may hide known directories without changing their fingerprint.
            Lifetime::Watch if Table::read() != *self.mounts.table() => {
                self.release();
                *self = FileSystem::new(Lifetime::Watch);
            }
            Lifetime::Watch => {
                self.by_path.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
                *self.epoch.get_mut() += 1;
            }
        }
    }

    /// The directory at an absolute path, which need not exist; `.` and `..` are resolved
    /// textually.
    pub(crate) fn directory(&self, path: &[u8]) -> Arc<Directory> {
        let known = self.by_path.read().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        if let Some(known) = known {
            return known;
        }
        let names = normal_names(path);
        let at = self.root.descend(self, &names).unwrap_or_else(|| self.walk(&names));
        self.by_path.write().unwrap_or_else(PoisonError::into_inner).insert(path.into(), at.clone());
        at
    }

    /// Walks name by name, through existing directories and beyond.
    fn walk(&self, names: &[&[u8]]) -> Arc<Directory> {
        names.iter().fold(self.root.clone(), |at, name| {
            at.enter(self, name).unwrap_or_else(|| Directory::absent(at.join(name), at))
        })
    }

    pub(crate) fn root(&self) -> &Arc<Directory> {
        &self.root
    }

    fn epoch(&self) -> usize {
        self.epoch.load(Ordering::Relaxed)
    }

    /// Gives up all directories and closes them. A directory holds its parent and caches those
    /// below, so that dropping the root alone frees none.
    pub(crate) fn release(&self) {
        let by_path = std::mem::take(&mut *self.by_path.write().unwrap_or_else(PoisonError::into_inner));
        let mut pending: Vec<Arc<Directory>> = by_path.into_values().collect();
        pending.push(self.root.clone());
        while let Some(directory) = pending.pop() {
            directory.forget_into(&mut pending);
        }
    }

    /// Whether one more directory may be kept open.
    fn may_keep_open(&self) -> bool {
        self.open.fetch_add(1, Ordering::Relaxed) < OPEN_MAX
    }
}

/// The names of a path from the root down, without `.`, `..` and empty ones.
pub(crate) fn normal_names(path: &[u8]) -> Vec<&[u8]> {
    let mut names: Vec<&[u8]> = Vec::with_capacity(16);
    for name in path.split(|&byte| byte == b'/') {
        match name {
            b"" | b"." => {}
            b".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    names
}

#[cfg(test)]
mod tests;
