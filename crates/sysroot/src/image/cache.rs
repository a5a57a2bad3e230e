//! Cache of unpacked images, `roots` in the cache directory, accessible to its user only. In: the
//! cache directory, digests. Out: complete roots, staging directories, pruning. An image is
//! retained as long as the layout that it came from exists and refers to it.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusk_base::files::problem as refused;
use rusk_base::lock::{FileLock, LockWait};
use rusk_base::sys::{self, CWD, Errno, Mode, OwnedFd};
use rusk_base::{Result, files};

use super::digest::Digest;
use super::layer::Owners;
use super::manifest::Config;
use super::{DOCUMENT_BYTES_MAX, Image};
use crate::problem;

pub const CONFIG_NAME: &str = "config.json";
const ROOT_NAME: &str = "root";
const ROOTS_NAME: &str = "roots";
const LOCK_NAME: &str = ".lock";
const STAGING_NAME: &str = ".staging";
/// A file for each layout, with its path and the image it last referred to.
const SOURCES_NAME: &str = ".sources";
const SOURCE_BYTES_MAX: u64 = 8 << 10;
/// More than the time to unpack a large image.
const LOCK_LIMIT: Duration = Duration::from_secs(1800);

pub struct ImageCache {
    path: PathBuf,
}

/// A staging directory that is published as an image, or removed.
pub struct StagedImage<'a> {
    cache: &'a ImageCache,
    name: String,
    is_published: bool,
}

impl ImageCache {
    pub fn open(cache_dir: &Path) -> Result<ImageCache> {
        files::create_directories(cache_dir)?;
        let path = cache_dir.join(ROOTS_NAME);
        // Programs in it may be set-user-id: other users must not be able to run them outside of a
        // sysroot.
        match sys::mkdirat(CWD, &path, Mode::from_raw_mode(0o700)) {
            Ok(()) | Err(Errno::EXIST) => Ok(ImageCache { path }),
            Err(errno) => Err(refused::create_directory(&path, errno)),
        }
    }

    /// Roots with preserved owners have names of their own.
    pub fn name(&self, digest: &Digest, owners: Owners) -> String {
        match owners {
            Owners::Preserved => format!("{}-owned", digest.hex()),
            Owners::Current => digest.hex().to_owned(),
        }
    }

    pub fn find(&self, name: &str) -> Result<Option<Image>> {
        let directory = self.path.join(name);
        let Some(config) = files::find_bytes(&directory.join(CONFIG_NAME), DOCUMENT_BYTES_MAX)? else {
            return Ok(None);
        };
        let Config(defaults) =
            Config::parse(&config).map_err(|found| problem::bad_image(&directory, &found))?;
        Ok(Some(Image { root: directory.join(ROOT_NAME), defaults }))
    }

    pub fn lock(&self, waiting: &mut dyn FnMut(Duration)) -> Result<FileLock> {
        let wait = LockWait { subject: "another unpacking of an image", limit: LOCK_LIMIT };
        FileLock::acquire(&self.path.join(LOCK_NAME), wait, waiting)
    }

    /// Creates a staging directory. Leftovers of killed processes are removed, since the holder of
    /// the lock is the only one.
    pub fn stage(&self, _lock: &FileLock) -> Result<StagedImage<'_>> {
        files::remove_tree(&self.path.join(STAGING_NAME))?;
        let name = format!("{STAGING_NAME}/{}", files::unpredictable_name());
        files::create_directories(&self.path.join(&name))?;
        Ok(StagedImage { cache: self, name, is_published: false })
    }

    fn source_path(&self, source: &Path, is_owned: bool) -> PathBuf {
        let key = Digest::of(source.as_os_str().as_bytes());
        self.path.join(SOURCES_NAME).join(format!("{}{}", key.hex(), if is_owned { "-owned" } else { "" }))
    }
}

impl StagedImage<'_> {
    pub fn path(&self) -> PathBuf {
        self.cache.path.join(&self.name)
    }

    pub fn make_root(&self) -> Result<OwnedFd> {
        let path = self.path().join(ROOT_NAME);
        let made = sys::mkdirat(CWD, &path, Mode::from_raw_mode(0o755));
        made.and_then(|()| {
            let directory = sys::open_directory(CWD, &path)?;
            // Regardless of the umask, users inside must be able to read their root.
            sys::fchmod(directory.as_fd(), Mode::from_raw_mode(0o755))?;
            Ok(directory)
        })
        .map_err(|errno| refused::create_directory(&path, errno))
    }

    /// Records the source first, then publishes: so no image stays in the cache without a known
    /// source.
    pub fn publish(mut self, name: &str, source: &Path) -> Result<()> {
        let note = self.cache.source_path(source, name.ends_with("-owned"));
        files::create_directories(&self.cache.path.join(SOURCES_NAME))?;
        let text = [source.as_os_str().as_bytes(), b"\n", name.as_bytes(), b"\n"].concat();
        files::write_atomically(&note, &text)?;
        let target = self.cache.path.join(name);
        sys::renameat(CWD, self.path(), CWD, &target).map_err(|errno| refused::rename(&target, errno))?;
        self.is_published = true;
        Ok(())
    }
}

impl Drop for StagedImage<'_> {
    fn drop(&mut self) {
        if !self.is_published {
            // Leftovers are removed with the next image.
            let _ = files::remove_tree(&self.path());
        }
    }
}

/// Removes images whose layouts are gone or refer to others; returns their number. No image is
/// unpacked meanwhile.
pub fn prune(cache_dir: &Path, waiting: &mut dyn FnMut(Duration)) -> Result<usize> {
    let mut pruned = 0;
    if !cache_dir.join(ROOTS_NAME).is_dir() {
        return Ok(pruned);
    }
    let cache = ImageCache::open(cache_dir)?;
    let lock = cache.lock(waiting)?;
    let mut used = BTreeSet::new();
    let sources = cache.path.join(SOURCES_NAME);
    for note in names(&sources) {
        let bytes = files::read_bytes(&sources.join(&note), SOURCE_BYTES_MAX)?;
        let mut ends = bytes.rsplitn(3, |byte| *byte == b'\n');
        let (name, source) = (ends.nth(1).unwrap_or_default(), ends.next().unwrap_or_default());
        if Path::new(OsStr::from_bytes(source)).exists() {
            used.insert(String::from_utf8_lossy(name).into_owned());
        } else {
            files::remove_file(&sources.join(&note))?;
        }
    }
    for name in names(&cache.path).into_iter().filter(|name| !name.starts_with('.') && !used.contains(name)) {
        // Hidden by one rename, then removed.
        let staged = cache.stage(&lock)?;
        let image = cache.path.join(&name);
        let moved = sys::renameat(CWD, &image, CWD, staged.path().join(ROOT_NAME));
        moved.map_err(|errno| refused::remove(&image, errno))?;
        pruned += 1;
    }
    files::remove_tree(&cache.path.join(STAGING_NAME))?;
    Ok(pruned)
}

/// Empty if the directory does not exist.
fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}
