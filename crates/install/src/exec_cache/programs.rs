//! Programs of packages, read from `node_modules/.bin` and what packages declare. In: a project's
//! directory, names of packages. Out: programs, and the default program of a package.

use std::path::Path;

use rusk_base::{Result, files};
use rusk_npm::manifest::{Bin, MANIFEST_BYTES_MAX, Manifest};
use rusk_resolver::members::MANIFEST_NAME;
use rusk_store::manifest::{bin_name, inside};

use crate::problem;

/// A program in `node_modules/.bin`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub name: String,
    /// Name under which the package is installed.
    pub package: String,
    /// The file, relative to `.bin`: `../left/cli.js`.
    pub target: String,
}

/// Sorted by name. A program is of the package whose file its link leads to. A link that leads
/// elsewhere in node_modules, or a file in its place, is of the package that declares the name: a
/// package for one platform has the file, or an install script put it there. What is not one plain
/// line is skipped.
pub fn programs_of(dir: &Path, packages: &[String]) -> Result<Vec<Program>> {
    let node_modules = dir.join("node_modules");
    let bin_dir = node_modules.join(".bin");
    let Ok(entries) = bin_dir.read_dir() else { return Ok(Vec::new()) };
    let mut declared: Option<Vec<Program>> = None;
    let mut programs = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| problem::list(&bin_dir, error))?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let target = entry.path().read_link().ok();
        let linked = target.as_deref().and_then(Path::to_str).and_then(|target| {
            let inner = |package: &str| target.strip_prefix("../")?.strip_prefix(package)?.strip_prefix('/');
            let package = packages.iter().find(|package| inner(package).is_some())?.clone();
            Some(Program { name: name.clone(), package, target: target.to_owned() })
        });
        let program = linked.or_else(|| {
            let all = declared.get_or_insert_with(|| declared_by(&node_modules, packages));
            let program = all.iter().find(|program| program.name == name)?;
            is_inside(&entry.path(), &node_modules).then(|| program.clone())
        });
        let is_plain = |program: &Program| !format!("{name}{}", program.target).contains(char::is_control);
        programs.extend(program.filter(is_plain));
    }
    programs.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(programs)
}

/// The programs in the package.json of each package. Those of a directory (`directories.bin`) are
/// known by their links only.
fn declared_by(node_modules: &Path, packages: &[String]) -> Vec<Program> {
    let mut programs = Vec::new();
    for package in packages {
        let file = node_modules.join(package).join(MANIFEST_NAME);
        let text = files::find_string(&file, MANIFEST_BYTES_MAX as u64).ok().flatten();
        let Some(manifest) = text.and_then(|text| Manifest::parse(&text).ok()) else { continue };
        let base = package.rsplit('/').next().unwrap_or(package);
        let named = match manifest.bin {
            Bin::File(file) => vec![(base.to_owned(), file)],
            Bin::Map(pairs) => pairs,
            Bin::None | Bin::Directory(_) => Vec::new(),
        };
        for (name, file) in named {
            let Some((name, file)) = bin_name(&name, package).zip(inside(&file)) else { continue };
            let target = format!("../{package}/{file}");
            programs.push(Program { name: name.to_owned(), package: package.clone(), target });
        }
    }
    programs
}

/// Whether a file, or what a link leads to, is in a directory.
fn is_inside(path: &Path, dir: &Path) -> bool {
    let found = path.canonicalize().ok().zip(dir.canonicalize().ok());
    found.is_some_and(|(path, dir)| path.starts_with(dir))
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
