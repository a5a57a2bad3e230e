//! What of the store is compared with what was unpacked: all bytes, or size and time before a file
//! is linked. In: a package's index. Out: the first file that is not as it was.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rusk_base::{files, sys};

use super::{INDEX_NAME, Store};
use crate::index::Entry;
use crate::{Backend, Index, Package};

/// What is compared before a file of the store is linked. A program that edits a file of a project
/// in place edits the store's, too, if it is a hard link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkCheck {
    /// Nothing; [`Store::find_damage`] compares all bytes.
    Nothing,
    /// Size and time, and the bytes if those are not as they were unpacked.
    Modified,
    /// The same for hard links on a disk, where it takes no time that can be measured. In memory
    /// (tmpfs) it would take a tenth of a warm install.
    #[default]
    ModifiedOnDisk,
}

/// A file of the store that is not as it was unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// In the package.
    pub path: String,
    pub kind: DamageKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DamageKind {
    Missing,
    Changed,
}

impl Store {
    /// Whether files are compared before they are linked.
    pub(crate) fn checks_links(&self, backend: Backend) -> bool {
        match self.link_check {
            LinkCheck::Nothing => false,
            LinkCheck::Modified => true,
            LinkCheck::ModifiedOnDisk => backend == Backend::Hardlink && self.is_on_disk(),
        }
    }

    /// A file system that does not say what it is counts as one on a disk.
    fn is_on_disk(&self) -> bool {
        /// `TMPFS_MAGIC` and `RAMFS_MAGIC` of statfs(2).
        const IN_MEMORY: [i64; 2] = [0x0102_1994, 0x8584_58f6];
        *self.on_disk.get_or_init(|| {
            let found = sys::metadata::file_system_fd(self.dir());
            !found.is_ok_and(|found| IN_MEMORY.contains(&found.f_type))
        })
    }

    /// The first file of a package that is missing, or whose bytes are not those that were
    /// unpacked. Every byte is read.
    pub fn find_damage(&self, dir_name: &str, index: &Index) -> Option<Damage> {
        self.find_damage_since(dir_name, index, 0)
    }

    /// As [`Store::find_damage`], but reads only files that were written to since the package was
    /// unpacked.
    pub fn find_edit(&self, package: &Package) -> Option<Damage> {
        self.find_damage_since(package.key.dir_name(), &package.index, package.index.written_ns)
    }

    fn find_damage_since(&self, dir_name: &str, index: &Index, trusted_ns: u64) -> Option<Damage> {
        let dir = self.root.join(dir_name);
        let Some(listing) = index.listing() else {
            return Some(Damage { path: INDEX_NAME.to_owned(), kind: DamageKind::Changed });
        };
        listing.files().find_map(|entry| {
            let kind = damage_of(&dir.join(entry.number.to_string()), &entry, trusted_ns)?;
            Some(Damage { path: entry.path.to_owned(), kind })
        })
    }
}

/// Compares a file with the size and the checksum of its entry; with the size alone, if it was last
/// written to at `trusted_ns` or before.
fn damage_of(path: &Path, entry: &Entry<'_>, trusted_ns: u64) -> Option<DamageKind> {
    let Ok(found) = path.symlink_metadata() else { return Some(DamageKind::Missing) };
    if !found.is_file() || found.len() != u64::from(entry.bytes) {
        return Some(DamageKind::Changed);
    }
    if modified_ns(found.mtime(), found.mtime_nsec()) <= trusted_ns {
        return None;
    }
    let bytes = files::read_bytes(path, u64::from(entry.bytes)).ok();
    let is_same = bytes.is_some_and(|bytes| libdeflater::crc32(&bytes) == entry.checksum);
    (!is_same).then_some(DamageKind::Changed)
}

/// A time of `stat(2)` in nanoseconds; 0 for one before 1970.
pub(crate) fn modified_ns(seconds: i64, nanoseconds: i64) -> u64 {
    let part = |value: i64| u64::try_from(value).unwrap_or_default();
    part(seconds).saturating_mul(1_000_000_000).saturating_add(part(nanoseconds))
}
