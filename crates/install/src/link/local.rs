//! Packages that are local directories: copies their files and finds their programs.

use std::path::Path;

use rusk_base::sys::FileType;
use rusk_base::{Result, files};
use rusk_npm::graph::{Bin, Text};
use rusk_store::Backend;

use super::staging::{self, StagingDir};
use crate::problem;

/// Nested directories that are followed; no package has more.
const DEPTH_MAX: usize = 64;

/// Copies a directory's files to `staged`, without node_modules and `.git`. It may be the project
/// itself, where the staging directory is.
pub fn copy(source: &Path, staging_dir: &StagingDir, staged: &str, backend: Backend) -> Result<()> {
    files::create_directories_at(staging_dir.fd(), Path::new(staged))?;
    copy_dir(source, staging_dir, staged, backend, 0)
}

fn copy_dir(
    source: &Path,
    staging_dir: &StagingDir,
    staged: &str,
    backend: Backend,
    depth: usize,
) -> Result<()> {
    if depth > DEPTH_MAX {
        return Err(problem::dir_too_deep(source));
    }
    for entry in files::read_directory(source).map_err(|errno| problem::list(source, errno.into()))? {
        let Ok(name) = entry.name.into_string() else { continue };
        if ["node_modules", ".git", staging::NAME].contains(&name.as_str()) {
            continue;
        }
        let target = format!("{staged}/{name}");
        match entry.kind {
            FileType::Directory => {
                files::create_directories_at(staging_dir.fd(), Path::new(&target))?;
                copy_dir(&source.join(name), staging_dir, &target, backend, depth + 1)?;
            }
            FileType::RegularFile => link_or_copy(&source.join(name), &staging_dir.path(&target), backend)?,
            _ => {}
        }
    }
    Ok(())
}

/// Hard-links the file if that is the backend, else copies it.
fn link_or_copy(source: &Path, target: &Path, backend: Backend) -> Result<()> {
    if backend == Backend::Hardlink && std::fs::hard_link(source, target).is_ok() {
        return Ok(());
    }
    std::fs::copy(source, target).map(drop).map_err(|error| problem::copy(source, error))
}

/// Names and files of a package's programs, by the same rules as for packages of the store.
pub fn programs(bin: &Bin, package: &str, alias: &str) -> Vec<(String, String)> {
    let base = alias.rsplit('/').next().unwrap_or(alias);
    let named = match bin {
        Bin::File(file) => vec![(base, file)],
        Bin::Named(files) => {
            let plain = |(name, file)| Some((rusk_store::manifest::bin_name(name, package)?, file));
            files.iter().map(|(name, file)| (&**name, file)).filter_map(plain).collect()
        }
        Bin::None | Bin::Directory(_) => Vec::new(),
    };
    let inside = |(name, file): (&str, &Text)| Some((name.to_owned(), rusk_store::manifest::inside(file)?));
    named.into_iter().filter_map(inside).collect()
}

#[cfg(test)]
mod tests;
