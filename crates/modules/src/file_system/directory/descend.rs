//! Descends several names at once: one system call opens the last directory if there is no symlink
//! on the way, and its listing then answers lookups. In: a directory and names. Out: the directory
//! below. For directories of importers and of targets: each of them gets more lookups than a
//! listing takes system calls.

use std::sync::Arc;

use rusk_base::sys;

use super::{Directory, Entry};
use crate::file_system::FileSystem;
use crate::options::Lifetime;

impl Directory {
    /// The directory below by these names, listed.
    pub(crate) fn descend(self: &Arc<Directory>, fs: &FileSystem, names: &[&[u8]]) -> Option<Arc<Directory>> {
        if let Some(real) = &self.real {
            real.descend(fs, names)?;
        }
        let mut at = self.clone();
        let mut may_jump = fs.lifetime == Lifetime::Run;
        for (index, name) in names.iter().enumerate() {
            if may_jump && at.is_unknown(fs, name) {
                if let Some(found) = at.jump(fs, &names[index..]) {
                    return Some(found);
                }
                may_jump = false;
            }
            at = at.enter(fs, name)?;
        }
        Some(at)
    }

    fn is_unknown(&self, fs: &FileSystem, name: &[u8]) -> bool {
        let is_ours = self.real.is_none() && !self.is_absent;
        is_ours && self.read(fs, |cache| cache.may_be_directory(name)).unwrap_or(true)
    }

    /// `None`: there is a symlink on the way, or no such directory, or it cannot be read.
    fn jump(self: &Arc<Directory>, fs: &FileSystem, names: &[&[u8]]) -> Option<Arc<Directory>> {
        let (open, path) = self.nearest_open(&names.join(&b'/'));
        let opened = sys::open_directory_no_symlinks(open, &*path).ok()?;
        let mut at = self.clone();
        for name in names {
            let entry = at.write(fs).cache_entry(name, || Entry::Directory(at.child(fs, name, None)));
            match entry {
                Entry::Directory(next) => at = next,
                _ => return None,
            }
        }
        at.write(fs).list_opened(&at, fs, opened);
        Some(at)
    }
}
