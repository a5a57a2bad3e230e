//! File status of directories and links, and fingerprints to detect replaced ones. In: an open
//! directory, paths. Out: values, by path. Absent: which paths matter, and the consequences of a
//! changed fingerprint.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::os::fd::BorrowedFd;

use rusk_base::sys::statx_batch::{PathBatch, StatxStrategy};
use rusk_base::sys::{self, FileType};

use super::clock::{Device, FileClock};

/// Status of directories and links of the project, each queried once.
#[derive(Default)]
pub struct StatCache<'a>(HashMap<&'a str, FileStat>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStat {
    kind: FileType,
    pub inode: u64,
    pub bytes: u64,
    born_ns: i128,
    pub modified_ns: i128,
    pub status_ns: i128,
    pub device: Device,
}

impl<'a> StatCache<'a> {
    /// Queries paths that were not queried so far.
    pub fn stat_all(&mut self, project: BorrowedFd<'_>, names: Vec<&'a str>, means: StatxStrategy) {
        let names: HashSet<&str> = names.into_iter().filter(|name| !self.has(name)).collect();
        let mut paths = PathBatch::default();
        names.iter().for_each(|name| paths.add(name));
        let found = paths.lstatx_all(project, means, FileStat::find);
        self.0.extend(names.into_iter().zip(found).filter_map(|(name, found)| Some((name, found?))));
    }

    /// Whether the path exists.
    pub fn has(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    /// False for a link to a directory: we did not make its target.
    pub fn is_dir(&self, path: &str) -> bool {
        self.0.get(path).is_some_and(|found| found.kind == FileType::Directory)
    }

    pub fn package_fingerprint(&self, path: &str) -> Option<EntryFingerprint> {
        self.0.get(path)?.package_fingerprint()
    }

    pub fn directory_fingerprint(&self, path: &str) -> Option<EntryFingerprint> {
        self.0.get(path)?.directory_fingerprint()
    }

    /// The status of a directory, if it still has this [`FileStat::exact_directory_fingerprint`].
    pub fn find_unchanged(&self, path: &str, fingerprint: EntryFingerprint) -> Option<&FileStat> {
        self.0.get(path).filter(|found| found.has_change_fingerprint(fingerprint))
    }
}

/// The status of each of these paths, in their order.
pub fn stat_each<'a>(
    project: BorrowedFd<'_>,
    paths: impl Iterator<Item = &'a str>,
    means: StatxStrategy,
) -> Vec<Option<FileStat>> {
    let mut looked_at = PathBatch::default();
    paths.for_each(|path| looked_at.add(path));
    looked_at.lstatx_all(project, means, FileStat::find)
}

impl FileStat {
    pub fn find(stat: sys::Result<&sys::Statx>) -> Option<FileStat> {
        let stat = stat.ok()?;
        Some(FileStat {
            kind: FileType::from_raw_mode(stat.stx_mode.into()),
            inode: stat.stx_ino,
            bytes: stat.stx_size,
            born_ns: nanoseconds(stat.stx_btime),
            modified_ns: nanoseconds(stat.stx_mtime),
            status_ns: nanoseconds(stat.stx_ctime),
            device: Device::of(stat),
        })
    }

    /// Includes the birth time, because a new directory may get the inode of a removed one. Files
    /// that users add in a package are not tracked. `None` for a file.
    pub fn package_fingerprint(&self) -> Option<EntryFingerprint> {
        self.is_dir_or_link().then_some(EntryFingerprint { inode: self.inode, time_ns: self.born_ns })
    }

    /// Of a directory of locations: includes the time when an entry was last added or removed.
    pub fn directory_fingerprint(&self) -> Option<EntryFingerprint> {
        self.is_dir_or_link().then_some(EntryFingerprint { inode: self.inode, time_ns: self.modified_ns })
    }

    /// Of a directory of locations: includes the time of its last status change, which programs
    /// cannot set. `None` where a later change might not show in it.
    pub fn exact_directory_fingerprint(&self, clock: FileClock) -> Option<EntryFingerprint> {
        let is_sure = self.is_dir_or_link() && clock.is_fine_on(self.device);
        is_sure.then(|| self.change_fingerprint())
    }

    /// Whether it still has this [`FileStat::exact_directory_fingerprint`].
    pub fn has_change_fingerprint(&self, fingerprint: EntryFingerprint) -> bool {
        self.is_dir_or_link() && fingerprint == self.change_fingerprint()
    }

    pub fn change_fingerprint(&self) -> EntryFingerprint {
        EntryFingerprint { inode: self.inode, time_ns: self.status_ns }
    }

    fn is_dir_or_link(&self) -> bool {
        matches!(self.kind, FileType::Directory | FileType::Symlink)
    }
}

/// Distinguishes a directory or link from another one of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryFingerprint {
    inode: u64,
    pub time_ns: i128,
}

impl EntryFingerprint {
    pub fn parse(text: &str) -> Option<EntryFingerprint> {
        let (inode, time_ns) = text.split_once(' ')?;
        Some(EntryFingerprint { inode: inode.parse().ok()?, time_ns: time_ns.parse().ok()? })
    }

    pub fn write(self, out: &mut String) {
        push_number(out, self.inode.into());
        out.push(' ');
        push_number(out, self.time_ns);
    }
}

/// Writes a number in decimal; 64-bit numbers are much faster.
pub fn push_number(out: &mut String, number: i128) {
    let written = match u64::try_from(number) {
        Ok(short) => write!(out, "{short}"),
        Err(_) => write!(out, "{number}"),
    };
    written.expect("writing to a string cannot fail");
}

pub fn nanoseconds(time: sys::StatxTimestamp) -> i128 {
    i128::from(time.tv_sec) * 1_000_000_000 + i128::from(time.tv_nsec)
}
