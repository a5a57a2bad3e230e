//! Files in memory that a build is given beside those on disk, or instead of them. In: an importer
//! and a specifier. Out: the path of such a file. Absent: packages.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusk_base::files;

/// As for files on disk.
const EXTENSIONS: [&str; 8] = ["tsx", "jsx", "ts", "mts", "cts", "js", "mjs", "json"];

/// Files by their absolute path.
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles(Arc<BTreeMap<PathBuf, Vec<u8>>>);

impl MemoryFiles {
    /// Relative paths begin at `directory`.
    pub fn new(directory: &Path, files: impl IntoIterator<Item = (String, Vec<u8>)>) -> MemoryFiles {
        let absolute = |path: String| files::normalized(&directory.join(path));
        MemoryFiles(Arc::new(files.into_iter().map(|(path, bytes)| (absolute(path), bytes)).collect()))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn find(&self, path: &Path) -> Option<&[u8]> {
        self.0.get(path).map(Vec::as_slice)
    }

    /// The file of a path without its extension, or of a directory.
    pub(crate) fn resolve(&self, directory: &Path, specifier: &str) -> Option<PathBuf> {
        if self.is_empty() {
            return None;
        }
        let path = files::normalized(&directory.join(specifier));
        if self.0.contains_key(&path) {
            return Some(path);
        }
        let with = |end: &str| PathBuf::from(format!("{}{end}", path.display()));
        let ends = EXTENSIONS.iter().flat_map(|end| [format!(".{end}"), format!("/index.{end}")]);
        ends.map(|end| with(&end)).find(|path| self.0.contains_key(path))
    }
}
