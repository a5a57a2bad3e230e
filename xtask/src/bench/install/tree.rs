//! What an install made, checked: every dependency of every package that can be reached is found
//! where Node looks for it. In: a project. Out: how much was made, or what is not there. Absent:
//! files' contents, which `cargo xtask interop` compares.

use super::fixture;
use crate::bench::stored;
use crate::place;
use rusk_npm::json::Node;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How much stands in a project's node_modules folders, and how many packages can be reached from
/// there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// Different names and versions, the project's own aside.
    pub packages: u64,
    pub files: u64,
    pub folders: u64,
    pub links: u64,
}

/// Checks and counts.
pub fn check(project: &Path) -> Result<Tree, String> {
    let mut tree = Tree { packages: reach(project)?, ..Tree::default() };
    for manifest in fixture::manifests(project) {
        let folder = manifest.parent().expect("a manifest stands in a folder").join("node_modules");
        if folder.is_dir() {
            tree.folders += 1;
            tree.count(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
    }
    Ok(tree)
}

impl Tree {
    fn count(&mut self, folder: &Path) -> std::io::Result<()> {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                self.folders += 1;
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
struct Wanted {
    name: String,
    /// As the manifest has it.
    range: String,
    is_optional: bool,
}

/// From the project and its members along all dependencies; the number of packages met.
fn reach(project: &Path) -> Result<u64, String> {
    let mut open: Vec<PathBuf> = Vec::new();
    let mut own = BTreeSet::new();
    for manifest in fixture::manifests(project) {
        let folder = manifest.parent().expect("a manifest stands in a folder");
        let folder = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
        own.insert(folder.clone());
        open.push(folder);
    }
    let mut seen: BTreeSet<PathBuf> = own.clone();
    let mut packages = BTreeSet::new();
    while let Some(folder) = open.pop() {
        let text = place::find(&folder.join("package.json")).unwrap_or_default();
        let manifest = stored::parse("package.json", &text)?;
        let is_own = own.contains(&folder);
        let id = (stored::text(&manifest, "name"), stored::text(&manifest, "version"));
        for wanted in wanted(&manifest, is_own) {
            let Some(found) = find(&folder, &wanted.name) else {
                if wanted.is_optional {
                    continue;
                }
                return Err(format!("`{}`, a dependency of `{}`, is not there", wanted.name, id.0));
            };
            if is_own {
                check_version(&found, &wanted)?;
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

/// What a package cannot do without; of the project's own packages also what they are developed
/// with.
fn wanted(manifest: &Node<'_>, is_own: bool) -> Vec<Wanted> {
    let group = |key: &str, is_optional: bool| -> Vec<Wanted> {
        let members = stored::members(manifest, key).into_iter();
        let wanted = |(name, range): (&str, &str)| (name.to_owned(), range.to_owned());
        members.map(wanted).map(|(name, range)| Wanted { name, range, is_optional }).collect()
    };
    let optional = group("optionalDependencies", true);
    let mut all = group("dependencies", false);
    if is_own {
        all.extend(group("devDependencies", false));
    }
    // A package may name one in both groups; then it can do without.
    all.retain(|wanted| !optional.iter().any(|other| other.name == wanted.name));
    all.extend(optional);
    all
}

/// As Node finds it: in the node_modules of the folder and of those above. The real place of what a
/// link names.
fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    let outside =
        folder.ancestors().filter(|above| above.file_name().is_none_or(|own| own != "node_modules"));
    let mut candidates = outside.map(|above| above.join("node_modules").join(name));
    candidates.find(|candidate| candidate.join("package.json").is_file())?.canonicalize().ok()
}

/// Where the project names one version, that one is there.
fn check_version(found: &Path, wanted: &Wanted) -> Result<(), String> {
    let is_exact = wanted.range.starts_with(|first: char| first.is_ascii_digit());
    let text = place::find(&found.join("package.json")).unwrap_or_default();
    let version = stored::text(&stored::parse("package.json", &text)?, "version");
    if is_exact && version != wanted.range {
        return Err(format!("`{}` is there as {version}, wanted is {}", wanted.name, wanted.range));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
