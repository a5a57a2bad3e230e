//! The programs of packages, seen in the links that an install made. In: a project's folder, names
//! of packages. Out: programs; of those of one package, the one that is meant when none is named.

use std::path::Path;

use rusk_base::Result;

use crate::problem;

/// A link in `node_modules/.bin`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub name: String,
    /// As it is installed.
    pub package: String,
    /// What the link says: `../left/cli.js`.
    pub target: String,
}

/// Sorted by name. Links whose text is not one plain line are passed over.
pub fn programs_of(dir: &Path, packages: &[String]) -> Result<Vec<Program>> {
    let bin_dir = dir.join("node_modules/.bin");
    let Ok(entries) = bin_dir.read_dir() else { return Ok(Vec::new()) };
    let mut programs = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| problem::list(&bin_dir, error))?;
        let (Ok(name), Ok(target)) = (entry.file_name().into_string(), entry.path().read_link()) else {
            continue;
        };
        let Some(target) = target.to_str() else { continue };
        let package = packages.iter().find(|package| {
            let inner = target.strip_prefix("../").and_then(|path| path.strip_prefix(package.as_str()));
            inner.is_some_and(|inner| inner.starts_with('/'))
        });
        if let Some(package) = package.filter(|_| !format!("{name}{target}").contains(char::is_control)) {
            programs.push(Program { name, package: package.clone(), target: target.to_owned() });
        }
    }
    programs.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(programs)
}

/// npm's rule: the only one, under however many names; else the one that is called as its package
/// is, scope aside. `published`: the package's own name where it is installed under another.
pub fn default_of<'a>(programs: &'a [Program], published: Option<&str>) -> Option<&'a Program> {
    let (first, rest) = programs.split_first()?;
    if rest.iter().all(|other| other.target == first.target) {
        return Some(first);
    }
    programs.iter().find(|program| {
        let package = published.unwrap_or(&program.package);
        program.name == package.rsplit_once('/').map_or(package, |(_, base)| base)
    })
}

#[cfg(test)]
mod tests;
