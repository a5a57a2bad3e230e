//! The files of a package that are published, as npm chooses them: what `files` in package.json
//! names, or all that no ignore file excludes; package.json, the readme, the licence, `main` and
//! programs always; node_modules, lockfiles and `.npmrc` never; bundled dependencies whole. In: a
//! directory and its package.json. Out: paths, sizes and modes, in the order of the tarball.

mod bundled;
mod level;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rusk_base::Result;

use crate::ignore::EntryKind;
use crate::problem;
use crate::published_manifest::PackageFields;
pub use level::read_ignore_file;
use level::{Levels, RootKind};

/// More files are refused: the largest packages of the registry have some 50,000.
const FILES_MAX: usize = 1_000_000;
/// Deeper directories are refused.
const DEPTH_MAX: usize = 256;

/// A file of the tarball.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageFile {
    /// Relative to the package, with `/`.
    pub path: String,
    pub bytes: u64,
    /// Permission bits.
    pub mode: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileList {
    pub files: Vec<PackageFile>,
    /// Names of dependencies that are in the tarball.
    pub bundled: Vec<String>,
    /// Paths that were left out because other systems cannot unpack them, or because they are not
    /// UTF-8.
    pub skipped: Vec<String>,
}

/// What the workspace around the package contributes.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// Directories of members below this package, relative to it: they are packages of their own.
    pub member_dirs: Vec<String>,
    /// Contents of the ignore files between the project and this member, outermost first.
    pub outer_ignore_files: Vec<String>,
}

/// Lists the files of the package in `dir`.
pub fn list(dir: &Path, package: &PackageFields, surroundings: &Surroundings) -> Result<FileList> {
    let mut walk = Walk::default();
    walk.package(dir, "", package, RootKind::Project(surroundings))?;
    let bundled = bundled::find(dir, package)?;
    for dependency in &bundled {
        let kind = if dependency.is_link { RootKind::Link } else { RootKind::Installed };
        walk.package(&dependency.dir, &dependency.path, &dependency.fields, kind)?;
    }
    let mut files: Vec<PackageFile> = walk.files.into_values().collect();
    files.sort_by(|left, right| compare(&left.path, &right.path));
    let names = bundled.into_iter().filter(|dependency| dependency.is_direct);
    Ok(FileList { files, bundled: names.map(|dependency| dependency.name).collect(), skipped: walk.skipped })
}

/// package.json first, so that readers find it at once; then similar files side by side, which
/// compress better: by extension, name and path.
fn compare(left: &str, right: &str) -> Ordering {
    let key = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let extension = name.rfind('.').filter(|&at| at > 0).map_or("", |at| &name[at..]).to_owned();
        (path != "package.json", extension, name)
    };
    key(left).cmp(&key(right)).then_with(|| left.cmp(right))
}

#[derive(Default)]
struct Walk {
    files: BTreeMap<String, PackageFile>,
    skipped: Vec<String>,
}

impl Walk {
    /// Adds the files of one package, whose path in the tarball begins with `prefix`.
    fn package(
        &mut self,
        dir: &Path,
        prefix: &str,
        package: &PackageFields,
        kind: RootKind<'_>,
    ) -> Result<()> {
        let mut levels = Levels::of_package(dir, package, kind)?;
        self.directory(dir, prefix, &mut levels)
    }

    fn directory(&mut self, dir: &Path, prefix: &str, levels: &mut Levels) -> Result<()> {
        if levels.depth() > DEPTH_MAX {
            return Err(problem::too_deep(dir, DEPTH_MAX));
        }
        for entry in std::fs::read_dir(dir).map_err(|error| problem::read(dir, error))? {
            let entry = entry.map_err(|error| problem::read(dir, error))?;
            let name = match entry.file_name().into_string() {
                Ok(name) if !name.contains('*') => name,
                Ok(name) => {
                    self.skipped.push(join(prefix, &name));
                    continue;
                }
                Err(name) => {
                    self.skipped.push(join(prefix, &name.to_string_lossy()));
                    continue;
                }
            };
            let kind = entry.file_type().map_err(|error| problem::read(&entry.path(), error))?;
            if kind.is_dir() && levels.includes(&name, EntryKind::Directory) {
                let exact = levels.includes(&name, EntryKind::File) || levels.includes_exactly(&name);
                levels.enter(&entry.path(), &name, exact)?;
                self.directory(&entry.path(), &join(prefix, &name), levels)?;
                levels.leave();
            } else if kind.is_file() && levels.includes(&name, EntryKind::File) {
                self.file(&entry.path(), join(prefix, &name))?;
            }
        }
        Ok(())
    }

    fn file(&mut self, file: &Path, path: String) -> Result<()> {
        let metadata = std::fs::symlink_metadata(file).map_err(|error| problem::read(file, error))?;
        if self.files.len() == FILES_MAX {
            return Err(problem::too_many_files(FILES_MAX));
        }
        let file = PackageFile { path: path.clone(), bytes: metadata.len(), mode: metadata.mode() & 0o7777 };
        self.files.insert(path, file);
        Ok(())
    }
}

fn join(prefix: &str, name: &str) -> String {
    match prefix {
        "" => name.to_owned(),
        prefix => format!("{prefix}/{name}"),
    }
}

#[cfg(test)]
mod tests;
