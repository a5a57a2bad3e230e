//! Cached entries of a directory: names that were looked up, a listing where one is cheaper,
//! package.json; and their epoch. In: a name. Out: its entry, without following symlinks. All
//! system calls for a directory's own entries are made here.

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::os::fd::AsFd;
use std::sync::{Arc, PoisonError};

use rusk_base::sys::directory::{self, Batch};
use rusk_base::sys::{self, FileType, Mode, OFlags, OwnedFd};

use super::super::byte_map::ByteMap;
use super::super::fingerprint::Fingerprint;
use super::super::listing::Listing;
use super::super::read_file::{self, ReadFile, WithStat};
use super::{Directory, Entry, FileSystem};
use crate::error::ResolveError;
use crate::options::Lifetime;
use crate::package::{self, Manifest, PackageConfig};
use crate::resolved::Resolved;
use crate::resolver::Kind;

/// Lookups before a directory is listed: a listing of some twenty names takes four system calls,
/// and answers all later lookups.
const LOOKUPS_BEFORE_LISTING: u32 = 2;
/// Lookups before a directory that did not fit two batches is listed to its end.
const LOOKUPS_BEFORE_COMPLETE: u32 = 50;
/// Some 250 names.
const BATCH_BYTES: usize = 8 * 1024;

#[derive(Default)]
pub(super) struct DirectoryCache {
    epoch: usize,
    /// Fingerprint of this directory, taken before anything was cached. `None` if nothing outlives
    /// the epoch.
    fingerprint: Option<Fingerprint>,
    is_settled: bool,
    lookups: u32,
    listing: ListingState,
    /// Names that were looked up individually, subdirectories that were entered, symlinks that were
    /// followed.
    names: ByteMap<Entry>,
    /// Subdirectories that existed before this one changed; each may still be the same.
    previous: ByteMap<Arc<Directory>>,
    manifest: Option<(Option<Fingerprint>, Manifest)>,
    /// Cached resolutions for files of this directory: of `require`, of `import`.
    resolutions: [ByteMap<Result<Resolved, ResolveError>>; 2],
}

#[derive(Default)]
enum ListingState {
    #[default]
    None,
    /// Two batches of it; the open descriptor continues after them.
    Partial(Listing),
    Complete(Listing),
    /// The directory cannot be listed.
    Unavailable,
}

/// The result of a lookup in the directory itself.
pub(super) enum Lookup {
    Entry(Entry),
    Symlink,
}

impl DirectoryCache {
    /// The directories that the entries lead to.
    pub(super) fn into_directories(self) -> impl Iterator<Item = Arc<Directory>> {
        let entered = self.names.into_values().filter_map(|entry| match entry {
            Entry::Directory(directory) => Some(directory),
            Entry::Symlink(target) => Some(target.0.clone()),
            Entry::Absent | Entry::File => None,
        });
        entered.chain(self.previous.into_values())
    }

    pub(super) fn is_current(&self, epoch: usize) -> bool {
        self.epoch == epoch
    }

    pub(super) fn resolutions(&self, kind: Kind) -> &ByteMap<Result<Resolved, ResolveError>> {
        &self.resolutions[usize::from(kind == Kind::Import)]
    }

    pub(super) fn resolutions_mut(&mut self, kind: Kind) -> &mut ByteMap<Result<Resolved, ResolveError>> {
        &mut self.resolutions[usize::from(kind == Kind::Import)]
    }

    /// The entry of a name that was looked up individually.
    pub(super) fn find_cached(&self, name: &[u8]) -> Option<Entry> {
        self.names.get(name).cloned()
    }

    /// Caches `entry`, unless another thread was faster.
    pub(super) fn cache_entry(&mut self, name: &[u8], entry: impl FnOnce() -> Entry) -> Entry {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let entry = entry();
        self.names.insert(name.into(), entry.clone());
        entry
    }

    /// The cached entry of a name. Subdirectories are cached once they were entered, symlinks once
    /// they were followed.
    pub(super) fn find(&self, name: &[u8]) -> Option<Lookup> {
        match &self.listing {
            ListingState::Complete(listing) => match listing.find(name) {
                None => return Some(Lookup::Entry(Entry::Absent)),
                Some(kind) if is_plain(kind) => return Some(Lookup::Entry(Entry::File)),
                Some(_) => {}
            },
            ListingState::Partial(listing) if listing.find(name).is_some_and(is_plain) => {
                return Some(Lookup::Entry(Entry::File));
            }
            _ => {}
        }
        self.find_cached(name).map(Lookup::Entry)
    }

    /// Whether nothing is cached for a name, except that the listing may have it as a directory.
    pub(super) fn may_be_directory(&self, name: &[u8]) -> bool {
        let listed = match &self.listing {
            ListingState::Complete(listing) => {
                return self.find_cached(name).is_none() && is_directory(listing.find(name));
            }
            ListingState::Partial(listing) => listing.find(name),
            ListingState::None | ListingState::Unavailable => None,
        };
        self.find_cached(name).is_none() && (listed.is_none() || is_directory(listed))
    }

    /// The entry of a name, with a system call if necessary.
    pub(super) fn lookup(&mut self, directory: &Arc<Directory>, fs: &FileSystem, name: &[u8]) -> Lookup {
        if let Some(seen) = self.find(name) {
            return seen;
        }
        self.count_lookup(directory, fs);
        match self.kind(directory, name) {
            Some(FileType::Symlink) => self.find_cached(name).map_or(Lookup::Symlink, Lookup::Entry),
            Some(FileType::Directory) => {
                let previous = self.previous.remove(name).filter(|previous| previous.has_same_inode());
                let child = || Entry::Directory(previous.unwrap_or_else(|| directory.child(fs, name, None)));
                Lookup::Entry(self.cache_entry(name, child))
            }
            // The listing has it from now on.
            Some(kind) if matches!(self.listing, ListingState::Complete(_)) && is_plain(kind) => {
                Lookup::Entry(Entry::File)
            }
            None if matches!(self.listing, ListingState::Complete(_)) => Lookup::Entry(Entry::Absent),
            Some(_) => Lookup::Entry(self.cache_entry(name, || Entry::File)),
            None => Lookup::Entry(self.cache_entry(name, || Entry::Absent)),
        }
    }

    /// The type of a name, from the listing or by a system call.
    fn kind(&self, directory: &Directory, name: &[u8]) -> Option<FileType> {
        let listed = match &self.listing {
            ListingState::Complete(listing) => Some(listing.find(name)?),
            ListingState::Partial(listing) => listing.find(name),
            ListingState::None | ListingState::Unavailable => None,
        };
        if let Some(kind) = listed.filter(|&kind| kind != FileType::Unknown) {
            return Some(kind);
        }
        let (open, path) = directory.nearest_open(name);
        sys::lstatat(open, &*path).ok().map(|stat| FileType::from_raw_mode(stat.st_mode))
    }

    /// Counts a lookup, and lists the directory after enough of them.
    fn count_lookup(&mut self, directory: &Directory, fs: &FileSystem) {
        self.lookups = self.lookups.saturating_add(1);
        match &self.listing {
            ListingState::None if self.lookups > LOOKUPS_BEFORE_LISTING && directory.is_local => {
                self.list(directory, fs)
            }
            ListingState::Partial(_) if self.lookups > LOOKUPS_BEFORE_COMPLETE => self.list_rest(directory),
            _ => {}
        }
    }

    fn list(&mut self, directory: &Directory, fs: &FileSystem) {
        let (open, path) = directory.nearest_open(b"");
        let path: &[u8] = if path.is_empty() { b"." } else { &path };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW;
        match sys::openat(open, path, flags, Mode::empty()) {
            Ok(opened) => self.list_opened(directory, fs, opened),
            Err(_) => self.listing = ListingState::Unavailable,
        }
    }

    /// Lists this directory, which was just opened, unless it is listed already.
    pub(super) fn list_opened(&mut self, directory: &Directory, fs: &FileSystem, opened: OwnedFd) {
        if !matches!(self.listing, ListingState::None) || !directory.is_local {
            return;
        }
        let mut listing = Listing::default();
        // Only a descriptor that the directory keeps can continue later.
        let calls = if directory.open.get().is_none() { 2 } else { usize::MAX };
        self.listing = match read_batches(&opened, &mut listing, calls) {
            Ok(Progress::Complete) => ListingState::Complete(listing),
            Ok(Progress::Partial) => ListingState::Partial(listing),
            Err(_) => ListingState::Unavailable,
        };
        if matches!(self.listing, ListingState::Partial(_)) || fs.may_keep_open() {
            // There is one already only if this directory was listed in an earlier epoch.
            let _ = directory.open.set(opened);
        }
    }

    fn list_rest(&mut self, directory: &Directory) {
        let ListingState::Partial(mut listing) = std::mem::take(&mut self.listing) else { return };
        let Some(open) = directory.open.get() else { return };
        self.listing = match read_batches(open, &mut listing, usize::MAX) {
            Ok(_) => ListingState::Complete(listing),
            Err(_) => ListingState::Unavailable,
        };
    }

    /// Sets the complete listing.
    pub(super) fn set_listing(&mut self, names: &[(&[u8], FileType)]) {
        let mut listing = Listing::default();
        for &(name, kind) in names {
            listing.push(name, kind);
        }
        listing.sort();
        self.names.clear();
        self.listing = ListingState::Complete(listing);
    }

    pub(super) fn manifest(&self) -> Option<Manifest> {
        self.manifest.as_ref().map(|(_, manifest)| manifest.clone())
    }

    /// Reads package.json, unless it is known to be absent or unchanged.
    pub(super) fn read_manifest(
        &mut self,
        directory: &Directory,
        fs: &FileSystem,
        fields: &[String],
    ) -> Manifest {
        if let Some(known) = self.manifest() {
            return known;
        }
        self.count_lookup(directory, fs);
        let known = match self.find(package::FILE_NAME) {
            Some(Lookup::Entry(Entry::Absent | Entry::Directory(_))) => (None, Manifest::Absent),
            _ => self.read_package(directory, fs, fields),
        };
        self.manifest = Some(known.clone());
        known.1
    }

    fn read_package(
        &mut self,
        directory: &Directory,
        fs: &FileSystem,
        fields: &[String],
    ) -> (Option<Fingerprint>, Manifest) {
        let with_stat = if fs.lifetime == Lifetime::Watch { WithStat::Yes } else { WithStat::No };
        let (open, path) = directory.nearest_open(package::FILE_NAME);
        match read_file::read(open, &path, package::BYTES_MAX, with_stat) {
            ReadFile::Absent => (None, Manifest::Absent),
            ReadFile::Unreadable(reason) => (None, Manifest::Invalid(reason.into())),
            ReadFile::Read { bytes, stat } => {
                let fingerprint = stat.as_ref().map(Fingerprint::new).filter(Fingerprint::is_settled);
                (fingerprint, PackageConfig::parse(directory.path(), &bytes, fields))
            }
        }
    }

    /// Starts an epoch: invalidates what may have changed.
    pub(super) fn revalidate(&mut self, directory: &Directory, fs: &FileSystem) {
        if self.epoch == fs.epoch() {
            return;
        }
        self.epoch = fs.epoch();
        self.resolutions = Default::default();
        // Nodes below a symlink are made anew in each epoch, and cache nothing across epochs.
        if fs.lifetime == Lifetime::Run || directory.real.is_some() {
            return;
        }
        let found = directory.fingerprint();
        let is_unchanged =
            self.is_settled && directory.is_local && found.is_some() && found == self.fingerprint;
        self.is_settled = found.as_ref().is_some_and(Fingerprint::is_settled);
        self.fingerprint = found;
        if is_unchanged {
            self.names.retain(|_, entry| is_stable(entry));
        } else {
            self.invalidate();
        }
        self.revalidate_manifest(directory, is_unchanged);
    }

    fn invalidate(&mut self) {
        self.lookups = 0;
        self.listing = ListingState::None;
        for (name, entry) in std::mem::take(&mut self.names) {
            if let Entry::Directory(child) = entry
                && child.real.is_none()
            {
                self.previous.insert(name, child);
            }
        }
    }

    /// Keeps a parsed package.json if its file has the same fingerprint.
    fn revalidate_manifest(&mut self, directory: &Directory, is_directory_unchanged: bool) {
        let Some((fingerprint, manifest)) = self.manifest.take() else { return };
        let is_unchanged = match (&fingerprint, &manifest) {
            (None, Manifest::Absent) => is_directory_unchanged,
            (None, _) => false,
            (Some(fingerprint), _) => {
                let (open, path) = directory.nearest_open(package::FILE_NAME);
                sys::statat(open, &*path).is_ok_and(|stat| Fingerprint::new(&stat) == *fingerprint)
            }
        };
        if is_unchanged {
            self.manifest = Some((fingerprint, manifest));
        }
    }
}

impl Directory {
    fn fingerprint(&self) -> Option<Fingerprint> {
        let (open, path) = match &self.parent {
            Some(parent) => parent.nearest_open(self.name()),
            None => (sys::CWD, (&b"/"[..]).into()),
        };
        sys::lstatat(open, &*path).ok().map(|stat| Fingerprint::new(&stat))
    }

    /// Whether the directory at this path has the same inode as before.
    fn has_same_inode(&self) -> bool {
        let known = self.cache.read().unwrap_or_else(PoisonError::into_inner).fingerprint;
        known.is_some_and(|known| self.fingerprint().is_some_and(|found| found.is_same_inode(&known)))
    }
}

fn is_directory(kind: Option<FileType>) -> bool {
    kind == Some(FileType::Directory)
}

fn is_plain(kind: FileType) -> bool {
    !matches!(kind, FileType::Directory | FileType::Symlink | FileType::Unknown)
}

/// Whether the directory's own fingerprint covers the entry.
fn is_stable(entry: &Entry) -> bool {
    match entry {
        Entry::Absent | Entry::File => true,
        Entry::Directory(child) => child.real.is_none(),
        Entry::Symlink(_) => false,
    }
}

enum Progress {
    Complete,
    Partial,
}

/// Continues to read at the descriptor's position, at most `calls` times.
fn read_batches(open: &impl AsFd, listing: &mut Listing, calls: usize) -> sys::Result<Progress> {
    let mut buffer = [MaybeUninit::uninit(); BATCH_BYTES];
    let mut end = Progress::Partial;
    for _ in 0..calls {
        let mut push = |name: &CStr, kind| listing.push(name.to_bytes(), kind);
        if directory::read_batch(open.as_fd(), &mut buffer, &mut push)? == Batch::Last {
            end = Progress::Complete;
            break;
        }
    }
    listing.sort();
    Ok(end)
}
