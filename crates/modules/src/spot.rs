//! A place that a specifier points at, which may be empty. In: a folder and a path seen from it.
//! Out: the folder that would hold it and its name there. Absent: extensions, packages.

use std::sync::Arc;

use crate::files::{Entry, Files, Folder};

pub(crate) enum Spot {
    /// A name in a folder that is there.
    In(Arc<Folder>, Vec<u8>),
    /// A folder itself: `.`, `..`, `/`.
    Is(Arc<Folder>),
    /// Below something that is no folder.
    Nowhere,
}

/// `.` and `..` are taken by their text, as `path.resolve` does, before any link is followed.
pub(crate) fn find(files: &Files, base: &Arc<Folder>, path: &[u8]) -> Spot {
    let mut at = if path.starts_with(b"/") { files.root().clone() } else { base.clone() };
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
    let Some((last, above)) = names.split_last() else { return Spot::Is(at) };
    match at.descend(files, above) {
        Some(folder) => Spot::In(folder, last.to_vec()),
        None => Spot::Nowhere,
    }
}

impl Spot {
    /// What stands there.
    pub(crate) fn entry(&self, files: &Files) -> Entry {
        match self {
            Spot::In(folder, name) => folder.find(files, name),
            Spot::Is(folder) => Entry::Folder(folder.clone()),
            Spot::Nowhere => Entry::Absent,
        }
    }
}
