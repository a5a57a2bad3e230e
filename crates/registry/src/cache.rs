//! Packument cache on disk: one file per registry and package, replaced atomically by rename, read
//! by mmap or read. A corrupt file, or one of another format or package, counts as absent. A
//! directory is named by the SHA-256 of its partition and its registry's URL: a project chooses
//! registries, so no URL may lead to the packuments of another one.
//!
//! A `304` renews a file without rewriting it: its mtime is set to the end of its freshness
//! lifetime, and the nanoseconds of that time hold the packument's mark. So an mtime set by another
//! program (a copy, a restored backup) is not mistaken for ours.

use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rusk_base::sys::{self, Errno, Mode, OFlags, OwnedFd, mmap::Mmap};
use rusk_base::{Result, files};
use rusk_npm::name::PackageName;
use rusk_npm::packument::{self, Owner, Packument};
use sha2::{Digest, Sha256};

use crate::freshness::FRESH_MAX_S;

/// Larger files are not ours: offsets are 32 bits and the largest known packument takes 50 MB.
const FILE_BYTES_MAX: u64 = 1 << 32;

/// Smaller files are read rather than mapped.
const READ_BYTES_MAX: usize = 16 << 10;

/// Nearly all packuments fit: such a file needs no `fstat` and no second `read`.
const FIRST_READ_BYTES: usize = 4 << 10;

const EXTENSION: &str = "packument";

/// NAME_MAX is 255, and `write_atomically` adds 18 bytes; no package name comes near.
const NAME_BYTES_MAX: usize = 220;

/// File times move in steps of 10 ms at most.
const CLOCK_STEP: Duration = Duration::from_millis(20);

pub struct Cache {
    dir: PathBuf,
    partition: Option<String>,
    /// Registries, and their directories that files were opened in: the path to them is resolved
    /// once.
    opened: Mutex<Vec<(String, Arc<OwnedFd>)>>,
}

/// A cached packument and its file.
pub struct Cached {
    pub packument: Arc<Packument>,
    file: OwnedFd,
}

impl Cached {
    /// Until when no request is needed; `None` if one is needed now. The file's mtime is read only
    /// if the recorded time has passed.
    pub fn fresh_until_s(&self, now_s: u64) -> Option<u64> {
        let lasts = |until_s: &u64| now_s < *until_s && *until_s - now_s <= FRESH_MAX_S;
        let recorded = Some(self.packument.fresh_until_s()).filter(lasts);
        recorded.or_else(|| renewed_until(&self.file, &self.packument).filter(lasts))
    }
}

impl Cache {
    pub fn new(dir: PathBuf, partition: Option<String>) -> Cache {
        Cache { dir, partition, opened: Mutex::default() }
    }

    pub fn find(&self, registry: &str, name: &PackageName) -> Option<Cached> {
        let directory = self.open_directory(registry)?;
        let file = file_name(name.as_str())?;
        let file = open_untouched(directory.as_fd(), &file)?;
        let packument =
            Packument::open(bytes_of(&file)?).filter(|packument| packument.name() == name.as_str())?;
        Some(Cached { packument: Arc::new(packument), file })
    }

    /// Inode and time of the last change of the directories of these registries: each packument
    /// that is added or replaced changes them. `None` if one changed so shortly before `now`, the
    /// time since 1970, that another change may get the same time.
    pub fn stamp<'r>(&self, registries: impl Iterator<Item = &'r str>, now: Duration) -> Option<String> {
        let mut stamp = String::new();
        for registry in registries {
            let Ok(found) = sys::statat(sys::CWD, self.directory(registry)) else {
                stamp.push_str("- ");
                continue;
            };
            let changed = Duration::new(u64::try_from(found.st_ctime).ok()?, found.st_ctime_nsec as u32);
            if changed + CLOCK_STEP >= now {
                return None;
            }
            stamp.push_str(&format!("{} {} ", found.st_ino, changed.as_nanos()));
        }
        Some(stamp)
    }

    fn open_directory(&self, registry: &str) -> Option<Arc<OwnedFd>> {
        let mut opened = self.opened.lock().expect("no holder of this lock panics");
        if let Some((_, directory)) = opened.iter().find(|(other, _)| other == registry) {
            return Some(Arc::clone(directory));
        }
        let flags = OFlags::PATH | OFlags::DIRECTORY;
        let directory = sys::openat(sys::CWD, self.directory(registry), flags, Mode::empty()).ok()?;
        let directory = Arc::new(directory);
        opened.push((registry.to_owned(), Arc::clone(&directory)));
        Some(directory)
    }

    /// Errors are ignored: without a cache the next run fetches again.
    pub fn write(&self, registry: &str, name: &PackageName, bytes: &[u8]) {
        let Some(path) = self.path(registry, name.as_str()) else { return };
        if files::write_atomically(&path, bytes).is_ok() {
            return;
        }
        let is_created = path.parent().is_some_and(|dir| files::create_directories(dir).is_ok());
        if is_created {
            let _ = files::write_atomically(&path, bytes);
        }
    }

    /// Records that the registry confirmed the file until `fresh_until_s`.
    pub fn renew(&self, registry: &str, packument: &Packument, fresh_until_s: u64) {
        let Some(file) = self.path(registry, packument.name()).and_then(|path| open(&path)) else {
            return;
        };
        let time = Duration::new(fresh_until_s, nanoseconds(packument));
        // If it fails, the next run sends a request again.
        let _ = sys::set_mtime(file.as_fd(), time);
    }

    fn path(&self, registry: &str, name: &str) -> Option<PathBuf> {
        Some(self.directory(registry).join(file_name(name)?))
    }

    fn directory(&self, registry: &str) -> PathBuf {
        let mut digest = Sha256::new();
        // A URL has no line break.
        self.partition.iter().for_each(|partition| digest.update(format!("{partition}\n")));
        digest.update(registry);
        let digest = digest.finalize();
        self.dir.join(digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
    }
}

/// Removes the packuments of a cache that are damaged. Returns the names of their files, and the
/// number of intact packuments.
pub fn remove_damaged(dir: &Path) -> Result<(Vec<String>, usize)> {
    let (mut removed, mut intact) = (Vec::new(), 0);
    let entries = |dir: &Path| std::fs::read_dir(dir).into_iter().flatten().flatten();
    for registry in entries(dir) {
        for path in entries(&registry.path()).map(|entry| entry.path()) {
            if path.extension().is_none_or(|extension| extension != EXTENSION) {
                continue;
            }
            let Some(bytes) = open(&path).and_then(|file| bytes_of(&file)) else { continue };
            if packument::is_of_other_format((*bytes).as_ref()) {
                continue;
            }
            if Packument::open(bytes).is_some_and(|packument| packument.is_intact()) {
                intact += 1;
                continue;
            }
            files::remove_file(&path)?;
            removed.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        }
    }
    removed.sort_unstable();
    Ok((removed, intact))
}

fn file_name(name: &str) -> Option<String> {
    let file = format!("{}.{EXTENSION}", escape(name));
    (file.len() <= NAME_BYTES_MAX).then_some(file)
}

fn open(path: &Path) -> Option<OwnedFd> {
    sys::openat(sys::CWD, path, OFlags::RDONLY, Mode::empty()).ok()
}

/// Opens for reading without a new atime: `renew` sets an mtime in the future, so that each read
/// would write one. Only the owner may.
fn open_untouched(directory: BorrowedFd<'_>, name: &str) -> Option<OwnedFd> {
    let open = |flags| sys::openat(directory, name, OFlags::RDONLY | flags, Mode::empty());
    match open(OFlags::NOATIME) {
        Err(Errno::PERM) => open(OFlags::empty()).ok(),
        opened => opened.ok(),
    }
}

/// The time in the mtime, if it was set by `renew`.
fn renewed_until(file: &OwnedFd, packument: &Packument) -> Option<u64> {
    let stat = sys::fstat(file.as_fd()).ok()?;
    let is_ours = u64::from(nanoseconds(packument)) == stat.st_mtime_nsec;
    u64::try_from(stat.st_mtime).ok().filter(|_| is_ours)
}

fn nanoseconds(packument: &Packument) -> u32 {
    (packument.mark() % 1_000_000_000) as u32
}

/// Mapped, or read if that is cheaper than a mapping with its page faults.
fn bytes_of(file: &OwnedFd) -> Option<Owner> {
    let mut first = [0; FIRST_READ_BYTES];
    let length = sys::read(file.as_fd(), &mut first).ok()?;
    if length < FIRST_READ_BYTES {
        return Some(Box::new(first[..length].to_vec()));
    }
    let stat = sys::fstat(file.as_fd()).ok()?;
    match usize::try_from(stat.st_size).ok()? {
        size @ 0..READ_BYTES_MAX => {
            let mut bytes = vec![0; size.max(FIRST_READ_BYTES)];
            bytes[..FIRST_READ_BYTES].copy_from_slice(&first);
            let length = sys::read(file.as_fd(), &mut bytes[FIRST_READ_BYTES..]).ok()?;
            bytes.truncate(FIRST_READ_BYTES + length);
            Some(Box::new(bytes))
        }
        _ => Some(Box::new(Mapped(Mmap::open(file.as_fd(), FILE_BYTES_MAX).ok()?))),
    }
}

struct Mapped(Mmap);

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Percent-encodes a name for one path segment, as `encodeURIComponent` does but with `@` kept.
pub fn escape(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len() + 2);
    for &byte in name.as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => escaped.push(char::from(byte)),
            b'-' | b'.' | b'_' | b'~' | b'!' | b'\'' | b'(' | b')' | b'*' | b'@' => {
                escaped.push(char::from(byte))
            }
            _ => escaped.push_str(&format!("%{byte:02x}")),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
