//! Links to the programs of global packages. In: the project of the global packages, installed.
//! Out: a link for each program of a direct dependency; links to programs that are gone are
//! removed. Other files in that directory stay: they belong to other tools.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use rusk_base::{Result, files};
use rusk_install::exec_cache::programs_of;
use rusk_npm::manifest::{Bin, MANIFEST_BYTES_MAX, Manifest};

use crate::{GlobalDirectories, MANIFEST_NAME, problem};

/// What changed in the directory of programs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkedPrograms {
    /// Names of links that are new, sorted.
    pub added: Vec<String>,
    pub removed: Vec<String>,
    /// Names that something else has, which is not replaced.
    pub taken: Vec<String>,
}

/// Links the programs. Each link is made or replaced by one rename.
pub fn link(directories: &GlobalDirectories) -> Result<LinkedPrograms> {
    let wanted = wanted(directories)?;
    let mut linked = LinkedPrograms::default();
    if !wanted.is_empty() {
        files::create_directories(&directories.programs)?;
    }
    for (name, file) in &wanted {
        let place = directories.programs.join(name);
        let target = files::relative(&directories.programs, file);
        match place.read_link() {
            Ok(found) if found == target => {}
            Ok(found) if is_ours(directories, &found) => replace(&place, &target)?,
            _ if place.symlink_metadata().is_ok() => linked.taken.push(name.clone()),
            _ => {
                replace(&place, &target)?;
                linked.added.push(name.clone());
            }
        }
    }
    linked.removed = remove_others(directories, &wanted)?;
    Ok(linked)
}

/// The programs of the direct dependencies, and their files.
fn wanted(directories: &GlobalDirectories) -> Result<BTreeMap<String, PathBuf>> {
    let text = files::find_string(&directories.packages.join(MANIFEST_NAME), MANIFEST_BYTES_MAX as u64)?;
    let manifest = Manifest::parse(text.as_deref().unwrap_or("{}"))?;
    let direct = manifest.groups().into_iter().flat_map(|(_, pairs)| pairs.iter());
    let direct: BTreeSet<String> = direct.map(|(name, _)| name.clone()).collect();
    let direct: Vec<String> = direct.into_iter().collect();
    let mut names: BTreeSet<String> =
        programs_of(&directories.packages, &direct)?.into_iter().map(|program| program.name).collect();
    // The link of a program may lead to another package, which has it for this platform.
    names.extend(direct.iter().flat_map(|package| declared(directories, package)));
    let bin_dir = directories.node_modules().join(".bin");
    let file_of = |name: String| {
        let target = bin_dir.join(&name).read_link().ok()?;
        Some((name, files::normalized(&bin_dir.join(target))))
    };
    Ok(names.into_iter().filter_map(file_of).collect())
}

/// Names of programs in the package.json of an installed package.
fn declared(directories: &GlobalDirectories, package: &str) -> Vec<String> {
    let file = directories.node_modules().join(package).join(MANIFEST_NAME);
    let text = files::find_string(&file, MANIFEST_BYTES_MAX as u64).ok().flatten();
    let Some(manifest) = text.and_then(|text| Manifest::parse(&text).ok()) else { return Vec::new() };
    let names = match manifest.bin {
        Bin::File(_) => vec![package.rsplit('/').next().unwrap_or(package).to_owned()],
        Bin::Map(pairs) => pairs.into_iter().map(|(name, _)| name).collect(),
        Bin::None | Bin::Directory(_) => Vec::new(),
    };
    names
        .into_iter()
        .filter(|name| !name.contains('/') && !name.starts_with('.') && !name.is_empty())
        .collect()
}

/// Whether a link in the directory of programs leads to a global package that was installed, not to
/// one that `rusk link` registered.
fn is_ours(directories: &GlobalDirectories, target: &Path) -> bool {
    let node_modules = directories.node_modules();
    let target = files::normalized(&directories.programs.join(target));
    let Ok(inner) = target.strip_prefix(&node_modules) else { return false };
    let mut parts = inner.components();
    let mut package = node_modules.clone();
    for part in parts.by_ref() {
        package.push(part);
        if !part.as_os_str().as_encoded_bytes().starts_with(b"@") {
            break;
        }
    }
    !package.is_symlink()
}

fn remove_others(directories: &GlobalDirectories, wanted: &BTreeMap<String, PathBuf>) -> Result<Vec<String>> {
    let Ok(entries) = directories.programs.read_dir() else { return Ok(Vec::new()) };
    let mut removed = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| problem::list(&directories.programs, error))?;
        let (Ok(name), Ok(target)) = (entry.file_name().into_string(), entry.path().read_link()) else {
            continue;
        };
        if !wanted.contains_key(&name) && is_ours(directories, &target) {
            files::remove_file(&entry.path())?;
            removed.push(name);
        }
    }
    removed.sort();
    Ok(removed)
}

fn replace(place: &Path, target: &Path) -> Result<()> {
    let refused = |error| problem::link(place, error);
    let fresh = place.with_file_name(format!(".{}", files::unpredictable_name()));
    std::os::unix::fs::symlink(target, &fresh).map_err(refused)?;
    fs::rename(&fresh, place).map_err(|error| {
        // The next run does not know the name.
        let _ = fs::remove_file(&fresh);
        refused(error)
    })
}

#[cfg(test)]
mod tests;
