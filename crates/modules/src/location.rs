//! Location in the file system to which a specifier refers; nothing need exist there. In: a
//! directory and a path relative to it. Out: the containing directory and the name in it. Absent:
//! extensions, packages.

use std::sync::Arc;

use crate::file_system::{Directory, Entry, FileSystem};

pub(crate) enum Location {
    /// A name in an existing directory.
    Entry(Arc<Directory>, Vec<u8>),
    /// A directory itself: `.`, `..`, `/`.
    Directory(Arc<Directory>),
    /// Below something that is not a directory.
    Missing,
}

/// `.` and `..` are resolved textually, as by `path.resolve`, before any symlink is followed.
pub(crate) fn locate(fs: &FileSystem, base: &Arc<Directory>, path: &[u8]) -> Location {
    let mut at = if path.starts_with(b"/") { fs.root().clone() } else { base.clone() };
    let mut names: Vec<&[u8]> = Vec::with_capacity(8);
    for name in path.split(|&byte| byte == b'/') {
        match name {
            b"" | b"." => {}
            b".." => {
                if names.pop().is_none() {
                    at = at.parent().unwrap_or(&at).clone();
                }
            }
            name => names.push(name),
        }
    }
    let Some((last, above)) = names.split_last() else { return Location::Directory(at) };
    match at.descend(fs, above) {
        Some(directory) => Location::Entry(directory, last.to_vec()),
        None => Location::Missing,
    }
}

impl Location {
    /// The entry at the location.
    pub(crate) fn entry(&self, fs: &FileSystem) -> Entry {
        match self {
            Location::Entry(directory, name) => directory.find(fs, name),
            Location::Directory(directory) => Entry::Directory(directory.clone()),
            Location::Missing => Entry::Absent,
        }
    }
}
