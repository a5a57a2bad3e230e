//! Directory node of the cache. In: a name. Out: absent, a file, a directory. Names are looked up
//! one by one until a listing is cheaper. A directory whose path contains a symlink is a node of
//! its own, so that `..` means its textual parent; the node of the real directory caches its
//! entries. A thread that holds a directory's lock only takes the lock of a directory below.

mod cache;
mod descend;
mod symlinks;

use std::borrow::Cow;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockWriteGuard};

use rusk_base::sys::{self, OwnedFd};

use super::FileSystem;
use crate::error::ResolveError;
use crate::package::Manifest;
use crate::resolved::Resolved;
use crate::resolver::Kind;
use cache::{DirectoryCache, Lookup};

pub(crate) struct Directory {
    /// Absolute, without a trailing slash; the root's is empty.
    path: Box<[u8]>,
    parent: Option<Arc<Directory>>,
    /// The real directory, if the path contains a symlink.
    real: Option<Arc<Directory>>,
    /// The directory does not exist, but the path has parents.
    is_absent: bool,
    /// Whether its entries may be listed and cached; see `mounts`.
    is_local: bool,
    open: OnceLock<OwnedFd>,
    cache: RwLock<DirectoryCache>,
}

/// The entry of a name in a directory.
#[derive(Clone)]
pub(crate) enum Entry {
    Absent,
    /// Anything but a directory, as in Node.
    File,
    /// The file that a symlink refers to: its real directory and its name there.
    Symlink(Arc<(Arc<Directory>, Box<[u8]>)>),
    Directory(Arc<Directory>),
}

impl Directory {
    pub(super) fn root(is_local: bool) -> Arc<Directory> {
        Arc::new(Directory::new(Box::default(), None, None, is_local))
    }

    fn new(
        path: Box<[u8]>,
        parent: Option<Arc<Directory>>,
        real: Option<Arc<Directory>>,
        is_local: bool,
    ) -> Directory {
        let cache = RwLock::default();
        Directory { path, parent, real, is_absent: false, is_local, open: OnceLock::new(), cache }
    }

    /// A directory that does not exist, so it has no entries.
    pub(super) fn absent(path: Vec<u8>, parent: Arc<Directory>) -> Arc<Directory> {
        let directory = Directory::new(path.into(), Some(parent), None, false);
        Arc::new(Directory { is_absent: true, ..directory })
    }

    fn child(
        self: &Arc<Directory>,
        fs: &FileSystem,
        name: &[u8],
        real: Option<Arc<Directory>>,
    ) -> Arc<Directory> {
        let path = self.join(name);
        let is_local = fs.mounts.find_local(&path).unwrap_or(self.is_local);
        Arc::new(Directory::new(path.into(), Some(self.clone()), real, is_local))
    }

    pub(crate) fn join(&self, name: &[u8]) -> Vec<u8> {
        let mut path = Vec::with_capacity(self.path.len() + 1 + name.len());
        path.extend_from_slice(&self.path);
        path.push(b'/');
        path.extend_from_slice(name);
        path
    }

    /// Absolute; `/` for the root.
    pub(crate) fn path(&self) -> &[u8] {
        if self.path.is_empty() { b"/" } else { &self.path }
    }

    pub(crate) fn name(&self) -> &[u8] {
        let slash = self.path.iter().rposition(|&byte| byte == b'/');
        slash.map_or(b"", |slash| &self.path[slash + 1..])
    }

    pub(crate) fn parent(&self) -> Option<&Arc<Directory>> {
        self.parent.as_ref()
    }

    /// The real directory.
    pub(crate) fn real(self: &Arc<Directory>) -> &Arc<Directory> {
        self.real.as_ref().unwrap_or(self)
    }

    /// The subdirectory of that name.
    pub(crate) fn enter(self: &Arc<Directory>, fs: &FileSystem, name: &[u8]) -> Option<Arc<Directory>> {
        match self.find(fs, name) {
            Entry::Directory(directory) => Some(directory),
            _ => None,
        }
    }

    /// The entry of that name; symlinks are followed.
    pub(crate) fn find(self: &Arc<Directory>, fs: &FileSystem, name: &[u8]) -> Entry {
        match &self.real {
            _ if self.is_absent => Entry::Absent,
            None => symlinks::find(self, fs, name, symlinks::FOLLOWED_MAX).unwrap_or(Entry::Absent),
            Some(real) => self.find_through_symlink(fs, real, name),
        }
    }

    /// Entries of the real directory; subdirectories get a path through the symlink.
    fn find_through_symlink(
        self: &Arc<Directory>,
        fs: &FileSystem,
        real: &Arc<Directory>,
        name: &[u8],
    ) -> Entry {
        let known = self.read(fs, |cache| cache.find_cached(name));
        if let Some(known) = known.flatten() {
            return known;
        }
        match real.find(fs, name) {
            Entry::Directory(found) => {
                let mut cache = self.write(fs);
                let child = || Entry::Directory(self.child(fs, name, Some(found.real().clone())));
                cache.cache_entry(name, child)
            }
            entry => entry,
        }
    }

    /// The package.json in this directory, parsed once.
    pub(crate) fn manifest(self: &Arc<Directory>, fs: &FileSystem, main_fields: &[String]) -> Manifest {
        let real = self.real();
        if self.is_absent {
            return Manifest::Absent;
        }
        if let Some(Some(known)) = real.read(fs, DirectoryCache::manifest) {
            return known;
        }
        real.write(fs).read_manifest(real, fs, main_fields)
    }

    /// The cached resolution of a specifier for files of this directory, in this epoch.
    pub(crate) fn find_resolution(
        &self,
        fs: &FileSystem,
        kind: Kind,
        specifier: &str,
    ) -> Option<Result<Resolved, ResolveError>> {
        self.read(fs, |cache| cache.resolutions(kind).get(specifier.as_bytes()).cloned())?
    }

    pub(crate) fn cache_resolution(
        &self,
        fs: &FileSystem,
        kind: Kind,
        specifier: &str,
        answer: &Result<Resolved, ResolveError>,
    ) {
        self.write(fs).resolutions_mut(kind).insert(specifier.as_bytes().into(), answer.clone());
    }

    /// Empties the cache; the directories that it led to are added to `pending`.
    pub(super) fn forget_into(&self, pending: &mut Vec<Arc<Directory>>) {
        let cache = std::mem::take(&mut *self.cache.write().unwrap_or_else(PoisonError::into_inner));
        pending.extend(cache.into_directories());
        pending.extend(self.real.clone());
    }

    /// Sets the complete listing of this directory.
    pub(crate) fn prime_listing(self: &Arc<Directory>, fs: &FileSystem, names: &[(&[u8], sys::FileType)]) {
        let real = self.real();
        real.write(fs).set_listing(names);
    }

    /// The entry of a name, without following a symlink.
    fn lookup(self: &Arc<Directory>, fs: &FileSystem, name: &[u8]) -> Lookup {
        if let Some(Some(seen)) = self.read(fs, |cache| cache.find(name)) {
            return seen;
        }
        self.write(fs).lookup(self, fs, name)
    }

    /// Reads the cache, if it is of this epoch.
    fn read<T>(&self, fs: &FileSystem, query: impl Fn(&DirectoryCache) -> T) -> Option<T> {
        let cache = self.cache.read().unwrap_or_else(PoisonError::into_inner);
        cache.is_current(fs.epoch()).then(|| query(&cache))
    }

    /// The cache, revalidated for this epoch.
    fn write(&self, fs: &FileSystem) -> RwLockWriteGuard<'_, DirectoryCache> {
        let mut cache = self.cache.write().unwrap_or_else(PoisonError::into_inner);
        cache.revalidate(self, fs);
        cache
    }

    /// The nearest open directory, this one or a parent, and the relative path from there to a name
    /// in this directory.
    fn nearest_open<'f>(&'f self, name: &[u8]) -> (BorrowedFd<'f>, Cow<'f, [u8]>) {
        let mut above = Some(self);
        while let Some(directory) = above {
            if let Some(open) = directory.open.get() {
                let rest = &self.path[(directory.path.len() + 1).min(self.path.len())..];
                return (open.as_fd(), joined(rest, name).into());
            }
            above = directory.parent.as_deref();
        }
        (sys::CWD, self.join(name).into())
    }
}

fn joined(directory: &[u8], name: &[u8]) -> Vec<u8> {
    let mut path = Vec::with_capacity(directory.len() + 1 + name.len());
    path.extend_from_slice(directory);
    if !directory.is_empty() && !name.is_empty() {
        path.push(b'/');
    }
    path.extend_from_slice(name);
    path
}
