//! Verification of an installed tree: every dependency of every reachable package is found where
//! Node looks for it. In: a project. Out: counts, or what is missing. Absent: file contents, which
//! `cargo xtask interop` compares.

use super::fixture;
use crate::bench::results_file;
use crate::files;
use rusk_npm::json::Node;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What a project's node_modules directories contain, and how many packages are reachable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// Distinct names and versions, without the project's own.
    pub packages: u64,
    pub files: u64,
    pub directories: u64,
    pub links: u64,
}

/// Checks and counts.
pub fn check(project: &Path) -> Result<Tree, String> {
    let mut tree = Tree { packages: count_reachable(project)?, ..Tree::default() };
    for manifest in fixture::manifests(project) {
        let directory = manifest.parent().expect("a manifest has a directory").join("node_modules");
        if directory.is_dir() {
            tree.directories += 1;
            tree.count(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
        }
    }
    Ok(tree)
}

impl Tree {
    fn count(&mut self, directory: &Path) -> std::io::Result<()> {
        for entry in std::fs::read_dir(directory)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                self.directories += 1;
                self.count(&entry.path())?;
            } else if kind.is_symlink() {
                self.links += 1;
            } else {
                self.files += 1;
            }
        }
        Ok(())
    }
}

/// A dependency of a package.
struct Requirement {
    name: String,
    /// As the manifest has it.
    range: String,
    is_optional: bool,
}

/// Walks from the project and its members along all dependencies; returns the number of packages.
fn count_reachable(project: &Path) -> Result<u64, String> {
    let mut open: Vec<PathBuf> = Vec::new();
    let mut own = BTreeSet::new();
    for manifest in fixture::manifests(project) {
        let directory = manifest.parent().expect("a manifest has a directory");
        let directory =
            directory.canonicalize().map_err(|error| format!("{}: {error}", directory.display()))?;
        own.insert(directory.clone());
        open.push(directory);
    }
    let mut seen: BTreeSet<PathBuf> = own.clone();
    let mut packages = BTreeSet::new();
    while let Some(directory) = open.pop() {
        let text = files::find(&directory.join("package.json")).unwrap_or_default();
        let manifest = results_file::parse("package.json", &text)?;
        let is_own = own.contains(&directory);
        let id = (results_file::text(&manifest, "name"), results_file::text(&manifest, "version"));
        for requirements in requirements(&manifest, is_own) {
            let Some(found) = find(&directory, &requirements.name) else {
                if requirements.is_optional {
                    continue;
                }
                return Err(format!("`{}`, a dependency of `{}`, is not there", requirements.name, id.0));
            };
            if is_own {
                check_version(&found, &requirements)?;
            }
            if seen.insert(found.clone()) {
                open.push(found);
            }
        }
        if !is_own {
            packages.insert(id);
        }
    }
    Ok(packages.len() as u64)
}

/// The required dependencies of a package; for the project's own packages also the devDependencies.
fn requirements(manifest: &Node<'_>, is_own: bool) -> Vec<Requirement> {
    let group = |key: &str, is_optional: bool| -> Vec<Requirement> {
        let members = results_file::members(manifest, key).into_iter();
        let requirements = |(name, range): (&str, &str)| (name.to_owned(), range.to_owned());
        members.map(requirements).map(|(name, range)| Requirement { name, range, is_optional }).collect()
    };
    let optional = group("optionalDependencies", true);
    let mut all = group("dependencies", false);
    if is_own {
        all.extend(group("devDependencies", false));
    }
    // A package that is in both groups is optional.
    all.retain(|requirements| !optional.iter().any(|other| other.name == requirements.name));
    all.extend(optional);
    all
}

/// Node's lookup: in node_modules of the directory and of its ancestors. Returns the real path.
fn find(directory: &Path, name: &str) -> Option<PathBuf> {
    let outside =
        directory.ancestors().filter(|above| above.file_name().is_none_or(|own| own != "node_modules"));
    let mut candidates = outside.map(|above| above.join("node_modules").join(name));
    candidates.find(|candidate| candidate.join("package.json").is_file())?.canonicalize().ok()
}

/// If the project requests an exact version, that version is installed.
fn check_version(found: &Path, requirements: &Requirement) -> Result<(), String> {
    let is_exact = requirements.range.starts_with(|first: char| first.is_ascii_digit());
    let text = files::find(&found.join("package.json")).unwrap_or_default();
    let version = results_file::text(&results_file::parse("package.json", &text)?, "version");
    if is_exact && version != requirements.range {
        return Err(format!(
            "`{}` is installed as {version}, expected {}",
            requirements.name, requirements.range
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
