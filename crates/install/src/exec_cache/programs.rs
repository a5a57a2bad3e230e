//! Programs of packages, read from the links in `node_modules/.bin`. In: a project's directory,
//! names of packages. Out: programs, and the default program of a package.

use std::path::Path;

use rusk_base::Result;

use crate::problem;

/// A link in `node_modules/.bin`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub name: String,
    /// Name under which the package is installed.
    pub package: String,
    /// Target of the link: `../left/cli.js`.
    pub target: String,
}

/// Sorted by name. Links whose target is not one plain line are skipped.
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

/// npm's rule: the only program, under however many names; else the one named like its package
/// without the scope. `published`: the package's own name where it is installed under an alias.
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
