//! Bundled dependencies: those that `bundleDependencies` names and all that they depend on, as they
//! are installed in node_modules. Absent: development and peer dependencies, and what is not
//! installed.

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};

use rusk_base::Result;
use rusk_npm::name::PackageName;

use crate::problem;
use crate::published_manifest::PackageFields;

pub(super) struct BundledDependency {
    pub(super) name: String,
    /// In the tarball.
    pub(super) path: String,
    pub(super) dir: PathBuf,
    pub(super) fields: PackageFields,
    pub(super) is_link: bool,
    /// The package names it itself.
    pub(super) is_direct: bool,
}

/// Finds them from the root of the package outwards, each once.
pub(super) fn find(root: &Path, package: &PackageFields) -> Result<Vec<BundledDependency>> {
    let mut found: Vec<BundledDependency> = Vec::new();
    let mut seen = HashSet::new();
    let mut open: VecDeque<(String, String)> =
        package.bundled_names().map(|name| (String::new(), name.to_owned())).collect();
    while let Some((from, name)) = open.pop_front() {
        PackageName::parse(&name).map_err(|_| problem::bundled_name(&name))?;
        let Some((path, is_link)) = resolve(root, &from, &name)? else { continue };
        if !seen.insert(path.clone()) {
            continue;
        }
        let dir = root.join(&path);
        let fields = PackageFields::read(&dir)?;
        open.extend(fields.installed_dependencies().map(|name| (path.clone(), name.to_owned())));
        let is_direct = from.is_empty();
        found.push(BundledDependency { name, path, dir, fields, is_link, is_direct });
    }
    Ok(found)
}

/// The directory of a dependency, as Node finds it from the package at `from`, and whether it is a
/// symbolic link. Nothing outside of the package counts.
fn resolve(root: &Path, from: &str, name: &str) -> Result<Option<(String, bool)>> {
    let mut base = from;
    loop {
        let path = super::join(base, &format!("node_modules/{name}"));
        let dir = root.join(&path);
        if dir.join("package.json").is_file() {
            let is_link = dir.is_symlink();
            if is_link && is_in_store(&dir) {
                return Err(problem::bundled_isolated(name));
            }
            return Ok(Some((path, is_link)));
        }
        match base.rfind("node_modules/") {
            Some(at) => base = base[..at].trim_end_matches('/'),
            None => return Ok(None),
        }
    }
}

/// Whether a link leads into a node_modules directory of the isolated layout.
fn is_in_store(dir: &Path) -> bool {
    dir.canonicalize().is_ok_and(|dir| dir.components().any(|part| part.as_os_str() == "node_modules"))
}
