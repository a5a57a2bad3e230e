//! `rusk link` and `rusk unlink`: a package of this computer in place of the one from a registry.
//! Without a name, the package in the current directory is registered: a link in bun's global
//! directory, which bun finds, too. With a name, or with a directory, it is linked into the
//! project, where it stays until the next install, or for good with `--save`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rusk_base::{Result, files};
use rusk_configuration::request::{DependencyGroup, Edit, Existing, Save, SavedRange};
use rusk_global::GlobalDirectories;
use rusk_install::InstallRequest;
use rusk_install::project::{FoundLockfile, find_root, read_members};
use rusk_lockfiles::Tool;
use rusk_npm::edit::groups_of;
use rusk_npm::manifest::{MANIFEST_BYTES_MAX, Manifest};
use rusk_npm::name::PackageName;
use rusk_scripts::Exit;

use super::context::RunContext;
use super::{job, problem, request};
use crate::host;
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;
use rusk_screen::json::{line, string};

/// Links, or registers the package in the current directory.
pub fn link(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    started: Instant,
    screen: &mut Screen,
) -> Result<Exit> {
    let dir = links_dir(invocation, &environment)?;
    let current_dir = host::current_dir(invocation.path(Flag::Cwd))?;
    if invocation.operands.is_empty() {
        return register(&dir, invocation, screen);
    }
    let project = host::find_project(&current_dir).unwrap_or(&current_dir);
    let protocol = protocol(project)?;
    let targets = invocation.operands.iter().map(|word| {
        let target = match is_directory(word) {
            true => host::current_dir(Some(&current_dir.join(word)))?,
            false => registered(&dir, word)?,
        };
        Ok(format!("{}@{protocol}:{}", name_of(&target)?, relative(project, &target)))
    });
    let edit = Edit::Add {
        specifiers: targets.collect::<Result<_>>()?,
        group: DependencyGroup::Current,
        range: SavedRange::Exact,
        existing: Existing::Replace,
        catalog: None,
    };
    let save = if invocation.is_negated(Flag::NoSave) { Save::Yes } else { Save::No };
    let request = InstallRequest { save, ..request::with_edit(invocation, edit) };
    job::run(request, invocation, environment, started, screen).map(|()| Exit::DONE)
}

/// Removes links from the project, or takes the registration of the current directory back.
pub fn unlink(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    started: Instant,
    screen: &mut Screen,
) -> Result<Exit> {
    let dir = links_dir(invocation, &environment)?;
    if invocation.operands.is_empty() {
        return unregister(&dir, invocation, screen);
    }
    let context = RunContext::find(invocation, "unlink")?;
    let manifest = context.package()?.dir.join("package.json");
    let text = files::read_to_string(&manifest, MANIFEST_BYTES_MAX as u64)?;
    let parsed = Manifest::parse(&text)?;
    let prefix = format!("{}:", protocol(&context.package()?.dir)?);
    let is_saved = |name: &String| {
        let mut all = parsed.groups().into_iter().flat_map(|(_, pairs)| pairs.iter());
        let is_link = |literal: &str| literal.starts_with("link:") || literal.starts_with(&prefix);
        all.any(|(known, literal)| known == name && is_link(literal))
    };
    // Links that were not saved go with the install; what package.json says comes back.
    let names: Vec<String> = invocation.operands.iter().filter(|name| is_saved(name)).cloned().collect();
    for name in &invocation.operands {
        let place = context.package()?.dir.join("node_modules").join(name);
        let is_link = place.symlink_metadata().is_ok_and(|found| found.file_type().is_symlink());
        if !is_link && !is_saved(name) && groups_of(&text, name)?.is_empty() {
            return Err(problem::not_linked(name));
        }
    }
    let edit = if names.is_empty() { Edit::None } else { Edit::Remove { names } };
    job::run(request::with_edit(invocation, edit), invocation, environment, started, screen)
        .map(|()| Exit::DONE)
}

/// Where bun keeps the packages that `bun link` registered.
fn links_dir(invocation: &Invocation, environment: &BTreeMap<String, String>) -> Result<PathBuf> {
    let host = host::host(host::current_dir(invocation.path(Flag::Cwd))?, environment.clone());
    Ok(GlobalDirectories::find(&host)?.node_modules())
}

fn is_directory(word: &str) -> bool {
    word.starts_with('/') || word == "." || word == ".." || word.starts_with("./") || word.starts_with("../")
}

/// How package.json names a directory that is linked: npm links those of `file:`, and does not read
/// `link:`.
fn protocol(project: &Path) -> Result<&'static str> {
    let root = find_root(project)?;
    let found = FoundLockfile::find(&root, &read_members(&root)?)?;
    Ok(if found.format().tool() == Tool::Npm { "file" } else { "link" })
}

/// The path from one absolute directory to another: a project may move together with its packages.
fn relative(from: &Path, to: &Path) -> String {
    let path = files::relative(from, to);
    match path.starts_with("..") {
        true => path.display().to_string(),
        false => format!("./{}", path.display()),
    }
}

/// The name in the package.json of a directory.
fn name_of(dir: &Path) -> Result<PackageName> {
    let text = files::read_to_string(&dir.join("package.json"), MANIFEST_BYTES_MAX as u64)?;
    let name = Manifest::parse(&text)?.name.ok_or_else(|| problem::unnamed(dir))?;
    PackageName::parse(&name).map_err(|_| problem::unnamed(dir))
}

/// The directory of a registered package.
fn registered(links_dir: &Path, name: &str) -> Result<PathBuf> {
    let name = PackageName::parse(name).map_err(|_| problem::not_registered(name))?;
    let place = links_dir.join(name.as_str());
    std::fs::canonicalize(&place).map_err(|_| problem::not_registered(name.as_str()))
}

fn register(links_dir: &Path, invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    let context = RunContext::find(invocation, "link")?;
    let dir = &context.package()?.dir;
    let name = name_of(dir)?;
    let place = links_dir.join(name.as_str());
    let parent = place.parent().unwrap_or(links_dir);
    files::create_directories(parent)?;
    // One rename, so that a project never finds the name without a package.
    let fresh = parent.join(format!(".{}", files::unpredictable_name()));
    std::os::unix::fs::symlink(dir, &fresh).map_err(|error| problem::register(&place, error))?;
    if place.symlink_metadata().is_ok_and(|found| found.is_dir()) {
        files::remove_tree(&place)?;
    }
    std::fs::rename(&fresh, &place).map_err(|error| problem::register(&place, error))?;
    let text = match invocation.is_on(Flag::Json) {
        true => line(&[("name", string(name.as_str())), ("directory", string(&dir.display().to_string()))]),
        false => format!("registered {name}: use it in a project by `rusk link {name}`\n"),
    };
    screen.page(&text).map(|()| Exit::DONE)
}

fn unregister(links_dir: &Path, invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    let context = RunContext::find(invocation, "unlink")?;
    let name = name_of(&context.package()?.dir)?;
    let place = links_dir.join(name.as_str());
    if place.symlink_metadata().is_err() {
        return Err(problem::not_registered(name.as_str()));
    }
    files::remove_tree(&place)?;
    let text = match invocation.is_on(Flag::Json) {
        true => line(&[("name", string(name.as_str()))]),
        false => format!("{name} is no longer registered\n"),
    };
    screen.page(&text).map(|()| Exit::DONE)
}

#[cfg(test)]
mod tests;
