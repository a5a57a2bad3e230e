//! Obsolete snapshot files: those whose test file is gone. In: paths of `.snap` files. Out: which
//! are obsolete; with `-u` they are removed. Absent: obsolete snapshots in a file that is used
//! (`ext/expect`).

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// What the files of bun, jest and vitest begin with. Others are of another program.
const HEADERS: [&str; 3] = ["// Bun Snapshot v", "// Jest Snapshot v", "// Vitest Snapshot v"];

/// Enough for each header.
const HEADER_BYTES: u64 = 32;

/// Directory of snapshot files, beside test files.
pub const DIRECTORY: &str = "__snapshots__";

/// What a snapshot file's name adds to that of its test file.
pub const SUFFIX: &str = ".snap";

/// Snapshot files without a test file, relative to the current directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObsoleteSnapshots {
    pub kept: Vec<String>,
    pub removed: Vec<String>,
}

impl ObsoleteSnapshots {
    /// `removes`: they are removed; one that cannot be is kept.
    pub fn of(snapshots: &[PathBuf], current_dir: &Path, removes: bool) -> ObsoleteSnapshots {
        let mut obsolete = ObsoleteSnapshots::default();
        for path in snapshots.iter().filter(|path| is_obsolete(path)) {
            let shown = path.strip_prefix(current_dir).unwrap_or(path).display().to_string();
            match removes && std::fs::remove_file(path).is_ok() {
                true => obsolete.removed.push(shown),
                false => obsolete.kept.push(shown),
            }
        }
        obsolete
    }
}

/// The test file that a snapshot file belongs to.
pub fn test_file(snapshot: &Path) -> Option<PathBuf> {
    let name = snapshot.file_name()?.to_str()?.strip_suffix(SUFFIX)?;
    Some(snapshot.parent()?.parent()?.join(name))
}

fn is_obsolete(snapshot: &Path) -> bool {
    let Some(test_file) = test_file(snapshot) else { return false };
    let is_gone = test_file.symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound);
    is_gone && has_header(snapshot)
}

fn has_header(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEADER_BYTES).read_to_end(&mut head));
    read.is_ok() && HEADERS.iter().any(|header| head.starts_with(header.as_bytes()))
}
