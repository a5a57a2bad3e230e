//! Follows symlinks name by name, as the kernel does, so that every step is cached. In: a directory
//! and a name. Out: the final entry. A dangling symlink, a cycle, and a chain longer than the
//! kernel's limit are absent.

use std::sync::Arc;

use rusk_base::sys;

use super::cache::Lookup;
use super::{Directory, Entry};
use crate::file_system::FileSystem;

/// Limit of symlinks for one name, see path_resolution(7).
pub(super) const FOLLOWED_MAX: u32 = 40;

/// More symlinks than [`FOLLOWED_MAX`]; applies to the start of the chain, and not to its parts.
pub(super) struct TooMany;

pub(super) fn find(
    directory: &Arc<Directory>,
    fs: &FileSystem,
    name: &[u8],
    followed: u32,
) -> Result<Entry, TooMany> {
    match directory.lookup(fs, name) {
        Lookup::Entry(entry) => Ok(entry),
        Lookup::Symlink => {
            let entry = follow(directory, fs, name, followed.checked_sub(1).ok_or(TooMany)?)?;
            Ok(directory.write(fs).cache_entry(name, || entry))
        }
    }
}

fn follow(directory: &Arc<Directory>, fs: &FileSystem, name: &[u8], followed: u32) -> Result<Entry, TooMany> {
    let (open, path) = directory.nearest_open(name);
    let Ok(target) = sys::readlinkat(open, &*path) else { return Ok(Entry::Absent) };
    let target = target.as_bytes();
    let mut at = if target.starts_with(b"/") { fs.root().clone() } else { directory.clone() };
    let mut names = target.split(|&byte| byte == b'/').filter(|name| !matches!(*name, b"" | b".")).peekable();
    while let Some(component) = names.next() {
        if component == b".." {
            at = at.parent().unwrap_or(&at).clone();
            continue;
        }
        let is_last = names.peek().is_none() && !target.ends_with(b"/");
        match find(&at, fs, component, followed)? {
            Entry::Directory(next) => at = next.real().clone(),
            Entry::File if is_last => return Ok(Entry::Symlink(Arc::new((at, component.into())))),
            entry @ Entry::Symlink(_) if is_last => return Ok(entry),
            _ => return Ok(Entry::Absent),
        }
    }
    Ok(Entry::Directory(directory.child(fs, name, Some(at))))
}
