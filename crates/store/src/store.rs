//! Package store: a directory with one directory per package, `NAME@VERSION@@HASH`. It holds the
//! package's files, named by their numbers, and an index of their paths; so no subdirectories are
//! created, and paths to link from are short. In: keys and tarballs. Out: packages.
//!
//! A package appears by one rename, complete and verified. Leftovers of a killed process are in
//! `.staging` and removed by a later one. Absent: fsync (a package with an invalid index is added
//! again), and knowledge of which projects use a package.

mod arriving;
mod damage;
mod staging;

use std::cell::RefCell;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};

use rusk_base::sys::mmap::Mmap;
use rusk_base::sys::{self, Errno, Mode, OFlags, OwnedFd};
use rusk_base::timeline::{self, SpanKind};
use rusk_base::{Result, files};
use rusk_npm::integrity::Integrity;
use sha2::{Digest, Sha512};

use crate::index::{Listing, Proof};
use crate::integrity;
use crate::inventory::{self, Inventory};
use crate::tarball::{self, File, inflate};
use crate::{Index, Key, Manifest, index, problem, unpack};
pub(crate) use damage::modified_ns;
pub use damage::{Damage, DamageKind, LinkCheck};
use staging::Staging;

/// Names in a package's directory.
const INDEX_NAME: &str = "index";
/// Beside the packages: a text that is another one whenever a package went.
const LOSSES_NAME: &str = ".losses";
const LOSSES_BYTES_MAX: u64 = 256;
/// An inventory that lacks no more than this part of the packages, one in so many, is not written
/// anew: the few are looked for in less time.
const MISSING_PART: usize = 32;
/// Bytes of index read at once: enough for all but the largest packages.
const INDEX_BUFFER_BYTES: usize = 64 << 10;
/// Attempts to clear a path that other processes fill meanwhile.
const PUBLISH_TRIES_MAX: u32 = 8;

thread_local! {
    static INDEX_BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// An open store. Shared by threads, and by processes.
pub struct Store {
    root: PathBuf,
    dir: OwnedFd,
    staging: Mutex<Option<Arc<Staging>>>,
    noted: Noted,
    link_check: LinkCheck,
    /// Whether the file system of the store is on a disk.
    on_disk: OnceLock<bool>,
}

/// What is known of packages without looking at them.
#[derive(Default)]
struct Noted {
    /// Path of the current project's inventory.
    path: Option<PathBuf>,
    inventory: OnceLock<Option<Inventory>>,
    /// The store's state before anything was looked for.
    state: OnceLock<String>,
    /// How many packages were looked for that it does not have.
    missing: AtomicUsize,
    /// Whether it is no longer to be believed.
    is_outdated: AtomicBool,
}

/// A package in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    pub key: Key,
    pub index: Index,
}

/// What becomes of a package that is in the store already.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Present {
    Kept,
    Replaced,
}

impl Package {
    /// The tarball's integrity as a lockfile has it, `sha512-…`, known or not before.
    pub fn integrity(&self) -> String {
        integrity::of_sha512(&self.index.sha512).to_string()
    }
}

/// What a tarball must be. Name and version are those of the package.json inside.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expected<'a> {
    pub integrity: Option<&'a Integrity>,
    pub name: Option<&'a str>,
    pub version: Option<&'a str>,
}

impl Store {
    /// Opens the store at an absolute path, made when missing.
    pub fn open(root: &Path) -> Result<Store> {
        let dir = match sys::open_directory(sys::CWD, root) {
            Err(Errno::NOENT) => {
                files::create_directories(root)?;
                sys::open_directory(sys::CWD, root)
            }
            outcome => outcome,
        };
        let dir = dir.map_err(|errno| files::problem::open_directory(root, errno))?;
        let (root, noted, link_check) = (root.to_owned(), Noted::default(), LinkCheck::default());
        Ok(Store { root, dir, staging: Mutex::new(None), noted, link_check, on_disk: OnceLock::new() })
    }

    /// The same store, whose files are compared before they are linked.
    pub fn with_link_check(self, link_check: LinkCheck) -> Store {
        Store { link_check, ..self }
    }

    /// The same store; what the inventory at `path` has is found there first.
    pub fn with_inventory(self, path: PathBuf) -> Store {
        Store { noted: Noted { path: Some(path), ..Noted::default() }, ..self }
    }

    /// Writes the inventory anew, if there are packages that it does not have, and not only a few
    /// of many. It may be lost at any time.
    pub fn write_inventory(&self, packages: &[&Package]) -> Result<()> {
        let is_short = self.noted.missing.load(Ordering::Relaxed) * MISSING_PART > packages.len();
        let is_worth_it = is_short && !self.noted.is_outdated.load(Ordering::Relaxed);
        match (&self.noted.path, self.noted.state.get()) {
            (Some(path), Some(state)) if is_worth_it => {
                files::write_atomically(path, &inventory::render(state, packages))
            }
            _ => Ok(()),
        }
    }

    /// What is another one once the store has lost a package: the directory itself, and what it
    /// says of losses.
    fn state(&self) -> String {
        let own = sys::lstatx(self.dir(), ".");
        let own =
            own.map(|stat| (stat.stx_ino, stat.stx_btime.tv_sec, stat.stx_btime.tv_nsec)).unwrap_or_default();
        let losses = files::find_string(&self.root.join(LOSSES_NAME), LOSSES_BYTES_MAX).ok().flatten();
        format!("{own:?} {}", losses.unwrap_or_default())
    }

    fn find_noted(&self, key: &Key) -> Option<Index> {
        if self.noted.is_outdated.load(Ordering::Relaxed) {
            return None;
        }
        let open = || {
            let path = self.noted.path.as_deref()?;
            let state = self.noted.state.get_or_init(|| self.state());
            let file = sys::openat(sys::CWD, path, OFlags::RDONLY | OFlags::NONBLOCK, Mode::empty()).ok()?;
            Inventory::parse(Mmap::open(file.as_fd(), inventory::BYTES_MAX).ok()?, state)
        };
        self.noted.inventory.get_or_init(open).as_ref()?.find(key.dir_name())
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The store's directory, to link from.
    pub fn dir(&self) -> BorrowedFd<'_> {
        self.dir.as_fd()
    }

    /// Where the store keeps a file of a package. It is shared: not to be written to.
    pub fn find_file(&self, package: &Package, path: &str) -> Option<PathBuf> {
        let number = package.index.listing()?.number_of(path)?;
        Some(self.root.join(package.key.dir_name()).join(number.to_string()))
    }

    /// The package, when it is there and its index adds up. Three system calls; none for what the
    /// inventory has.
    pub fn find(&self, key: &Key) -> Result<Option<Package>> {
        if let Some(index) = self.find_noted(key) {
            return Ok(Some(Package { key: key.clone(), index }));
        }
        self.noted.missing.fetch_add(1, Ordering::Relaxed);
        self.look_for(key)
    }

    fn look_for(&self, key: &Key) -> Result<Option<Package>> {
        Ok(self.find_index(key.dir_name())?.map(|index| Package { key: key.clone(), index }))
    }

    /// The index of the package in a directory of the store, when it adds up.
    pub fn find_index(&self, dir_name: &str) -> Result<Option<Index>> {
        let name = format!("{dir_name}/{INDEX_NAME}");
        let file = match sys::openat(self.dir(), name.as_str(), OFlags::RDONLY, Mode::empty()) {
            Ok(file) => file,
            Err(Errno::NOENT | Errno::NOTDIR) => return Ok(None),
            Err(errno) => return Err(files::problem::read(&self.root.join(&name), errno)),
        };
        let mut buffer = INDEX_BUFFER.take();
        let read = read_index(file.as_fd(), &mut buffer);
        let parsed = read.map(|length| Index::parse(buffer[..length].to_vec().into()));
        INDEX_BUFFER.set(buffer);
        let index = parsed.map_err(|errno| files::problem::read(&self.root.join(&name), errno))?;
        Ok(index.filter(|index| index.listing().is_some()))
    }

    /// Checks a tarball, unpacks it and makes it visible under its key. When another process or
    /// thread was first with the same bytes, its package is taken.
    pub fn add(&self, key: &Key, tarball: &[u8], expected: &Expected<'_>) -> Result<Package> {
        self.put(key, tarball, expected, Present::Kept)
    }

    /// The same, but a package that is there already gives way, whatever its index says. A tarball
    /// that is not as expected leaves it where it is.
    pub fn replace(&self, key: &Key, tarball: &[u8], expected: &Expected<'_>) -> Result<Package> {
        self.put(key, tarball, expected, Present::Replaced)
    }

    fn put(&self, key: &Key, tarball: &[u8], expected: &Expected<'_>, present: Present) -> Result<Package> {
        let begin = |kind| timeline::begin(kind).label(|| key.label().to_owned());
        let mut verifying = begin(SpanKind::Verify);
        verifying.bytes(tarball.len());
        let verified = integrity::verify(expected.integrity, tarball);
        let sha512 = verified.map_err(|problem| problem::in_package(problem, key.label()))?;
        verifying.end();
        let mut inflating = begin(SpanKind::Inflate);
        let put = |tar: &[u8]| {
            inflating.bytes(tar.len());
            inflating.end();
            self.put_tar(key, tar, sha512, expected, present)
        };
        inflate::with_tar(tarball, put).map_err(|problem| problem::in_package(problem, key.label()))
    }

    fn put_tar(
        &self,
        key: &Key,
        tar: &[u8],
        sha512: [u8; 64],
        expected: &Expected<'_>,
        present: Present,
    ) -> Result<Package> {
        let mut unpacking = timeline::begin(SpanKind::Unpack).label(|| key.label().to_owned());
        let package_files = tarball::read_files(tar)?;
        unpacking.files(package_files.len());
        let staging = self.staging()?;
        let (package, staged) = stage(&staging, key, package_files, (sha512, expected))?;
        unpacking.end();
        let _publishing = timeline::begin(SpanKind::Publish).label(|| key.label().to_owned());
        if present == Present::Replaced {
            self.remove(key)?;
        }
        self.publish(package, &staged)
    }

    /// As [`Store::add`], from files sorted by path. The digest is that of the files.
    pub fn add_files(&self, key: &Key, files: Vec<File<'_>>, expected: &Expected<'_>) -> Result<Package> {
        let mut digest = Sha512::new();
        for file in &files {
            for part in [file.path.as_bytes(), &file.mode.to_le_bytes(), &file.body] {
                digest.update((part.len() as u64).to_le_bytes());
                digest.update(part);
            }
        }
        let staging = self.staging()?;
        let (package, staged) = stage(&staging, key, files, (digest.finalize().into(), expected))?;
        self.publish(package, &staged)
    }

    /// The files of a package, sorted by path.
    pub fn read_files(&self, package: &Package) -> Result<Vec<File<'static>>> {
        let dir = self.root.join(package.key.dir_name());
        let entries = package.index.listing().into_iter().flat_map(Listing::files);
        entries
            .map(|entry| {
                let body = files::read_bytes(&dir.join(entry.number.to_string()), u64::from(entry.bytes))?;
                Ok(File { path: entry.path.to_owned().into(), body: body.into(), mode: entry.mode })
            })
            .collect()
    }

    /// Makes a staged package visible, or takes the one that another made visible first. A rename
    /// replaces no directory that has something in it, and every package has.
    fn publish(&self, package: Package, staged: &staging::Staged<'_>) -> Result<Package> {
        let place = package.key.dir_name();
        for _ in 0..PUBLISH_TRIES_MAX {
            match staged.publish(self.dir(), place) {
                Ok(()) => return Ok(package),
                Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => {}
                Err(errno) => return Err(files::problem::rename(&self.root.join(place), errno)),
            }
            match self.look_for(&package.key)? {
                Some(found) if found.index.sha512 == package.index.sha512 => return Ok(found),
                _ => self.remove(&package.key)?,
            }
        }
        Err(files::problem::rename(&self.root.join(place), Errno::EXIST))
    }

    /// Takes a package out of the store; it is gone at once, its files a moment later. Fine when it
    /// is not there.
    pub fn remove(&self, key: &Key) -> Result<()> {
        let staging = self.staging()?;
        // Before, should we be killed; and after, for who took stock in between.
        self.note_loss()?;
        staging
            .take(self.dir(), key.dir_name())
            .map_err(|errno| files::problem::remove(&self.root.join(key.dir_name()), errno))?;
        self.note_loss()
    }

    /// The directories of all packages.
    pub fn dirs(&self) -> Result<Vec<String>> {
        let refused = |errno| files::problem::open_directory(&self.root, errno);
        let listed = sys::open_directory(self.dir(), ".").map_err(refused)?;
        let entries = sys::directory::entries(listed.as_fd()).map_err(refused)?;
        let names = entries.into_iter().filter_map(|entry| entry.name.into_string().ok());
        Ok(names.filter(|name| !name.starts_with('.')).collect())
    }

    /// Takes packages out of the store by their directories.
    pub fn remove_dirs(&self, dirs: &[String]) -> Result<()> {
        let staging = self.staging()?;
        self.note_loss()?;
        for dir in dirs {
            staging
                .take(self.dir(), dir)
                .map_err(|errno| files::problem::remove(&self.root.join(dir), errno))?;
        }
        self.note_loss()
    }

    /// Makes every inventory of this store worthless.
    fn note_loss(&self) -> Result<()> {
        self.noted.is_outdated.store(true, Ordering::Relaxed);
        files::write_atomically(&self.root.join(LOSSES_NAME), files::unpredictable_name().as_bytes())
    }

    /// Removes what killed processes left in the staging directory more than an hour ago.
    pub fn sweep(&self) -> Result<()> {
        self.staging()?.sweep();
        Ok(())
    }

    /// This process's staging directory, made on first use; older debris is swept then.
    fn staging(&self) -> Result<Arc<Staging>> {
        let mut slot = self.staging.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(staging) = &*slot {
            return Ok(Arc::clone(staging));
        }
        let staging = Arc::new(Staging::make(self.dir(), &self.root)?);
        staging.sweep();
        *slot = Some(Arc::clone(&staging));
        Ok(staging)
    }
}

fn read_index(file: BorrowedFd<'_>, buffer: &mut Vec<u8>) -> sys::Result<usize> {
    let mut length = 0;
    loop {
        if buffer.len() == length {
            buffer.resize((length * 2).clamp(INDEX_BUFFER_BYTES, index::BYTES_MAX + 1), 0);
        }
        let room = buffer.len() - length;
        let count = sys::read(file, &mut buffer[length..])?;
        length += count;
        // A regular file gives less than asked for only at its end; beyond the limit it is no index
        // anyway.
        if count < room || length > index::BYTES_MAX {
            return Ok(length);
        }
    }
}

/// Writes the files of a package, which is not visible yet. `identity`: their digest, and what they
/// must be.
fn stage<'s>(
    staging: &'s Staging,
    key: &Key,
    mut package_files: Vec<File<'_>>,
    identity: ([u8; 64], &Expected<'_>),
) -> Result<(Package, staging::Staged<'s>)> {
    let (sha512, expected) = identity;
    let manifest = Manifest::read(&package_files)?;
    check_manifest(&manifest, expected)?;
    unpack::make_runnable(&mut package_files, &manifest.bins);
    let dirs = tarball::dirs_of(&package_files)?;
    let entries = index::entries(&package_files);
    let staged = staging.make_dir()?;
    unpack::write(staged.dir(), &staged.path(), &package_files)?;
    let index = Index::new(manifest, Proof { sha512, written_ns: now_ns() }, &dirs, &entries);
    staged.write_index(index.as_bytes())?;
    Ok((Package { key: key.clone(), index }, staged))
}

/// Nanoseconds of Unix time.
fn now_ns() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_nanos()).unwrap_or(u64::MAX)
}

fn check_manifest(manifest: &Manifest, expected: &Expected<'_>) -> Result<()> {
    let differs = |field, found: &str, wanted: &str| Err(problem::manifest_differs(field, found, wanted));
    match (expected.name, expected.version) {
        (Some(wanted), _) if manifest.name != wanted => differs("name", &manifest.name, wanted),
        (_, Some(wanted)) if bare(&manifest.version) != bare(wanted) => {
            differs("version", &manifest.version, wanted)
        }
        _ => Ok(()),
    }
}

/// A version without what registries take off it when it is published: blanks, `v`, `=`, build
/// metadata.
fn bare(version: &str) -> &str {
    let version = version.trim().trim_start_matches(['v', '=', ' ']);
    version.split('+').next().unwrap_or(version)
}

#[cfg(test)]
mod tests;
