//! Copies of package directories.

use std::fs;
use std::path::{Path, PathBuf};

use rusk_base::{Result, files};

use crate::commands::problem;

/// Deeper directories are not copied: no package has them.
const DEPTH_MAX: usize = 128;

/// Copies the files of a package; links, and packages in its node_modules, are left out.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    for path in list(from)? {
        let target = to.join(&path);
        if let Some(parent) = target.parent() {
            files::create_directories(parent)?;
        }
        // The mode is copied, too: it is part of a patch.
        fs::copy(from.join(&path), &target).map_err(|error| problem::copy(&from.join(&path), error))?;
    }
    Ok(())
}

/// The regular files below a directory, relative to it.
fn list(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![(PathBuf::new(), 0)];
    while let Some((inner, depth)) = open.pop() {
        let path = dir.join(&inner);
        let entries = fs::read_dir(&path).map_err(|error| problem::copy(&path, error))?;
        for entry in entries {
            let entry = entry.map_err(|error| problem::copy(&path, error))?;
            let kind = entry.file_type().map_err(|error| problem::copy(&path, error))?;
            let name = inner.join(entry.file_name());
            match () {
                () if kind.is_file() => found.push(name),
                () if kind.is_dir() && depth < DEPTH_MAX && name != Path::new("node_modules") => {
                    open.push((name, depth + 1));
                }
                () => {}
            }
        }
    }
    found.sort();
    Ok(found)
}
