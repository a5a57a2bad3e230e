//! Snapshot of a directory: kinds, modes, link targets, contents; and the differences of two
//! directories.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Relative path with `/`, and the entry.
pub type Snapshot = BTreeMap<String, SnapshotEntry>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SnapshotEntry {
    Directory { mode: u32 },
    File { mode: u32, bytes: u64, sum: u64 },
    Link { target: String },
}

impl std::fmt::Display for SnapshotEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SnapshotEntry::Directory { mode } => write!(f, "directory {mode:o}"),
            SnapshotEntry::File { mode, bytes, sum } => {
                write!(f, "file {mode:o}, {bytes} bytes, sum {sum:016x}")
            }
            SnapshotEntry::Link { target } => write!(f, "link to {target}"),
        }
    }
}

/// State that rusk stores in node_modules; other tools do not have it.
const OWN: &str = ".rusk";

/// Reads everything below a directory except rusk's own state; a missing directory is empty.
pub fn take(directory: &Path) -> Result<Snapshot, String> {
    let mut snapshot = Snapshot::new();
    if directory.exists() {
        add(directory, "", &mut snapshot).map_err(|error| format!("{}: {error}", directory.display()))?;
    }
    Ok(snapshot)
}

fn add(directory: &Path, prefix: &str, snapshot: &mut Snapshot) -> std::io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_name() == OWN {
            continue;
        }
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let metadata = entry.metadata()?;
        let mode = metadata.permissions().mode() & 0o7777;
        if metadata.is_symlink() {
            let target = fs::read_link(entry.path())?.to_string_lossy().into_owned();
            snapshot.insert(path, SnapshotEntry::Link { target });
        } else if metadata.is_dir() {
            add(&entry.path(), &format!("{path}/"), snapshot)?;
            snapshot.insert(path, SnapshotEntry::Directory { mode });
        } else {
            let mut hasher = DefaultHasher::new();
            hasher.write(&fs::read(entry.path())?);
            snapshot.insert(path, SnapshotEntry::File { mode, bytes: metadata.len(), sum: hasher.finish() });
        }
    }
    Ok(())
}

/// One line for each path where the two differ, by path: `path: only in A: …`, `path: A …, B …`.
pub fn differences(a: (&str, &Snapshot), b: (&str, &Snapshot)) -> Vec<String> {
    let mut paths: Vec<&String> = a.1.keys().chain(b.1.keys()).collect();
    paths.sort();
    paths.dedup();
    let difference = |path: &&String| match (a.1.get(*path), b.1.get(*path)) {
        (Some(left), Some(right)) if left == right => None,
        (Some(left), Some(right)) => Some(format!("{path}: {} {left}; {} {right}", a.0, b.0)),
        (Some(left), None) => Some(format!("{path}: only in {}: {left}", a.0)),
        (None, Some(right)) => Some(format!("{path}: only in {}: {right}", b.0)),
        (None, None) => None,
    };
    paths.iter().filter_map(difference).collect()
}

#[cfg(test)]
mod tests;
