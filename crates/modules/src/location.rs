//! A place that a specifier points at, which may be empty. In: a directory and a path seen from it.
//! Out: the directory that would hold it and its name there. Absent: extensions, packages.

use std::sync::Arc;

use crate::file_system::{Directory, Entry, FileSystem};

pub(crate) enum Location {
    /// A name in a directory that is there.
    Entry(Arc<Directory>, Vec<u8>),
    /// A directory itself: `.`, `..`, `/`.
    Directory(Arc<Directory>),
    /// Below something that is no directory.
    Missing,
}

/// `.` and `..` are taken by their text, as `path.resolve` does, before any link is followed.
pub(crate) fn find(fs: &FileSystem, base: &Arc<Directory>, path: &[u8]) -> Location {
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
    /// What stands there.
    pub(crate) fn entry(&self, fs: &FileSystem) -> Entry {
        match self {
            Location::Entry(directory, name) => directory.find(fs, name),
            Location::Directory(directory) => Entry::Directory(directory.clone()),
            Location::Missing => Entry::Absent,
        }
    }
}
