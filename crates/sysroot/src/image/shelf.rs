//! Images in the cache: `/roots`, which nobody else may look into. In: the cache's folder, digests.
//! Out: roots that are there as a whole, places to unpack to, and room made. An image is kept as
//! long as the layout that it came from is there and leads to it. Absent: what is in images.

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
use super::{Image, TEXT_BYTES_MAX};
use crate::problem;

pub const CONFIG_NAME: &str = "config.json";
const ROOT_NAME: &str = "root";
const SHELF_NAME: &str = "roots";
const LOCK_NAME: &str = ".lock";
const STAGING_NAME: &str = ".staging";
/// One file for each layout: its path, and the image that it led to last.
const SOURCES_NAME: &str = ".sources";
const SOURCE_BYTES_MAX: u64 = 8 << 10;
/// Longer than a large image takes to unpack.
const LOCK_LIMIT: Duration = Duration::from_secs(1800);

pub struct Shelf {
    path: PathBuf,
}

/// A folder that becomes an image, or goes.
pub struct Staged<'a> {
    shelf: &'a Shelf,
    name: String,
    is_published: bool,
}

impl Shelf {
    pub fn open(cache_dir: &Path) -> Result<Shelf> {
        files::create_directories(cache_dir)?;
        let path = cache_dir.join(SHELF_NAME);
        // Programs in it may be set-user-id: whoever could reach them here could run them outside
        // of any root.
        match sys::mkdirat(CWD, &path, Mode::from_raw_mode(0o700)) {
            Ok(()) | Err(Errno::EXIST) => Ok(Shelf { path }),
            Err(errno) => Err(refused::create_directory(&path, errno)),
        }
    }

    /// Files that belong to other users are not those that are all ours.
    pub fn name(&self, digest: &Digest, owners: Owners) -> String {
        match owners {
            Owners::Kept => format!("{}-owned", digest.hex()),
            Owners::Ours => digest.hex().to_owned(),
        }
    }

    pub fn find(&self, name: &str) -> Result<Option<Image>> {
        let folder = self.path.join(name);
        let Some(config) = files::find_bytes(&folder.join(CONFIG_NAME), TEXT_BYTES_MAX)? else {
            return Ok(None);
        };
        let Config(defaults) = Config::parse(&config).map_err(|found| problem::bad_image(&folder, &found))?;
        Ok(Some(Image { root: folder.join(ROOT_NAME), defaults }))
    }

    pub fn lock(&self, waiting: &mut dyn FnMut(Duration)) -> Result<FileLock> {
        let wait = LockWait { subject: "another unpacking of an image", limit: LOCK_LIMIT };
        FileLock::acquire(&self.path.join(LOCK_NAME), wait, waiting)
    }

    /// A fresh folder; what killed processes left of theirs goes, since whoever has the lock is
    /// alone.
    pub fn stage(&self, _lock: &FileLock) -> Result<Staged<'_>> {
        files::remove_tree(&self.path.join(STAGING_NAME))?;
        let name = format!("{STAGING_NAME}/{}", files::unpredictable_name());
        files::create_directories(&self.path.join(&name))?;
        Ok(Staged { shelf: self, name, is_published: false })
    }

    fn source_path(&self, source: &Path, is_owned: bool) -> PathBuf {
        let key = Digest::of(source.as_os_str().as_bytes());
        self.path.join(SOURCES_NAME).join(format!("{}{}", key.hex(), if is_owned { "-owned" } else { "" }))
    }
}

impl Staged<'_> {
    pub fn path(&self) -> PathBuf {
        self.shelf.path.join(&self.name)
    }

    pub fn make_root(&self) -> Result<OwnedFd> {
        let path = self.path().join(ROOT_NAME);
        let made = sys::mkdirat(CWD, &path, Mode::from_raw_mode(0o755));
        made.and_then(|()| {
            let folder = sys::open_directory(CWD, &path)?;
            // Whatever the umask made of it: users inside are to see their root.
            sys::fchmod(folder.as_fd(), Mode::from_raw_mode(0o755))?;
            Ok(folder)
        })
        .map_err(|errno| refused::create_directory(&path, errno))
    }

    /// First it is noted where it came from, then it is there: so that none is there for good of
    /// which that is not known.
    pub fn publish(mut self, name: &str, source: &Path) -> Result<()> {
        let note = self.shelf.source_path(source, name.ends_with("-owned"));
        files::create_directories(&self.shelf.path.join(SOURCES_NAME))?;
        let text = [source.as_os_str().as_bytes(), b"\n", name.as_bytes(), b"\n"].concat();
        files::write_atomically(&note, &text)?;
        let target = self.shelf.path.join(name);
        sys::renameat(CWD, self.path(), CWD, &target).map_err(|errno| refused::rename(&target, errno))?;
        self.is_published = true;
        Ok(())
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        if !self.is_published {
            // What cannot be removed now goes with the next image.
            let _ = files::remove_tree(&self.path());
        }
    }
}

/// Removes the images whose layouts are gone, or lead to others: how many. None is unpacked
/// meanwhile.
pub fn prune(cache_dir: &Path, waiting: &mut dyn FnMut(Duration)) -> Result<usize> {
    let mut pruned = 0;
    if !cache_dir.join(SHELF_NAME).is_dir() {
        return Ok(pruned);
    }
    let shelf = Shelf::open(cache_dir)?;
    let lock = shelf.lock(waiting)?;
    let mut used = BTreeSet::new();
    let sources = shelf.path.join(SOURCES_NAME);
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
    for name in names(&shelf.path).into_iter().filter(|name| !name.starts_with('.') && !used.contains(name)) {
        // Out of sight by one rename, then away.
        let staged = shelf.stage(&lock)?;
        let image = shelf.path.join(&name);
        let moved = sys::renameat(CWD, &image, CWD, staged.path().join(ROOT_NAME));
        moved.map_err(|errno| refused::remove(&image, errno))?;
        pruned += 1;
    }
    files::remove_tree(&shelf.path.join(STAGING_NAME))?;
    Ok(pruned)
}

/// None where the folder is not there.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}
