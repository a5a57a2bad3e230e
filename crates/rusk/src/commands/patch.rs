//! `rusk patch`: changes an installed package. `rusk patch NAME` copies the package into a
//! directory to be edited; `rusk patch --commit DIR` writes the difference as a patch that
//! package.json names in `patchedDependencies`, and installs the patched package. The copy is not
//! the installed directory itself, because its files are shared with the store.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rusk_base::problem::printable;
use rusk_base::{Result, files};
use rusk_configuration::request::Edit;
use rusk_install::patches::original_files;
use rusk_install::project::{FoundLockfile, read_members};
use rusk_lockfiles::Tool;
use rusk_npm::manifest::{MANIFEST_BYTES_MAX, Manifest};
use rusk_npm::name::PackageName;
use rusk_npm::patch::Patch;
use rusk_npm::semver::Version;
use rusk_reports::installed_manifests::scan;
use rusk_scripts::Exit;

use super::context::{RunContext, lock_project};
use super::{job, problem, request};
use crate::host;
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;
use rusk_screen::json::{line, string};

mod directories;
mod git_diff;

/// In node_modules, for the copies. An install leaves names with a leading dot alone.
const EDITED_DIR: &str = "node_modules/.rusk_patches";
/// bun's name for the directory of patches.
const PATCHES_DIR: &str = "patches";

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    started: Instant,
    screen: &mut Screen,
) -> Result<Exit> {
    let context = RunContext::find(invocation, "patch")?;
    context.package()?;
    let [target] = invocation.operands.as_slice() else {
        return Err(problem::two_packages(&invocation.operands[1]));
    };
    match invocation.is_on(Flag::Commit) {
        false => prepare(target, &context, invocation, screen),
        true => {
            commit(target, &context, invocation, environment.clone(), screen)?;
            let request = request::with_edit(invocation, Edit::None);
            job::run(request, invocation, environment, started, screen).map(|()| Exit::DONE)
        }
    }
}

/// A package in a directory.
struct PackageDir {
    dir: PathBuf,
    name: String,
    version: String,
}

impl PackageDir {
    fn read(dir: PathBuf) -> Result<PackageDir> {
        let text = files::read_to_string(&dir.join("package.json"), MANIFEST_BYTES_MAX as u64)?;
        let manifest = Manifest::parse(&text)?;
        // They become the name of a directory: those of a package in no registry may be anything.
        let is_valid = |name: &str, version: &str| {
            PackageName::parse(name).is_ok()
                && Version::parse(version).is_some()
                && !version.contains(char::is_whitespace)
        };
        match (manifest.name, manifest.version) {
            (Some(name), Some(version)) if is_valid(&name, &version) => Ok(PackageDir { dir, name, version }),
            _ => Err(problem::not_a_package(&dir)),
        }
    }

    fn label(&self) -> String {
        format!("{}@{}", self.name, self.version)
    }
}

fn prepare(target: &str, context: &RunContext, invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    let package = PackageDir::read(find_installed(target, context)?)?;
    let edited = edited_dir(context)?.join(package.label().replace('/', "+"));
    if files::exists(&edited) {
        return Err(problem::edited_already(&package.label(), &edited));
    }
    directories::copy(&package.dir, &edited)?;
    let shown = edited.strip_prefix(&context.current_dir).unwrap_or(&edited).to_string_lossy();
    let shown = printable(&shown);
    let text = match invocation.is_on(Flag::Json) {
        true => line(&[
            ("name", string(&package.name)),
            ("version", string(&package.version)),
            ("directory", string(&edited.display().to_string())),
        ]),
        false => format!("edit {shown}\nthen run `rusk patch --commit {shown}`\n"),
    };
    screen.page(&text).map(|()| Exit::DONE)
}

/// Where copies to edit are. A repository may bring a link in its place.
fn edited_dir(context: &RunContext) -> Result<PathBuf> {
    let dir = context.project_dir.join(EDITED_DIR);
    let node_modules = context.project_dir.join("node_modules");
    if files::is_directory(&node_modules) {
        files::check_below(&node_modules, &dir)?;
    }
    Ok(dir)
}

/// The directory of an installed package: of a path, or as Node finds a name, else of the only one
/// of that name and version.
fn find_installed(target: &str, context: &RunContext) -> Result<PathBuf> {
    let path = context.current_dir.join(target);
    if target.contains("node_modules/") && files::is_directory(&path) {
        return host::current_dir(Some(&path));
    }
    let at = target.rfind('@').filter(|&at| at > 0);
    let (name, version) = at.map_or((target, None), |at| (&target[..at], Some(&target[at + 1..])));
    let start = &context.package()?.dir;
    let inside = start.ancestors().take_while(|dir| dir.starts_with(&context.project_dir));
    let found = inside.map(|dir| dir.join("node_modules").join(name)).find(|dir| files::is_directory(dir));
    if let Some(found) = found {
        let package = PackageDir::read(host::current_dir(Some(&found))?)?;
        if version.is_none_or(|wanted| wanted == package.version) {
            return Ok(package.dir);
        }
    }
    find_anywhere(name, version, &context.project_dir)
}

/// A package of a member, or one that only other packages depend on.
fn find_anywhere(name: &str, version: Option<&str>, project_dir: &Path) -> Result<PathBuf> {
    let members = read_members(project_dir)?;
    let dirs: Vec<PathBuf> = members.all().map(|member| project_dir.join(&member.path)).collect();
    let installed = scan(&dirs);
    let named = installed.range((name.to_owned(), String::new())..);
    let named: Vec<_> = named.take_while(|((found, _), _)| found == name).collect();
    let versions: Vec<&str> = named.iter().map(|((_, found), _)| found.as_str()).collect();
    let chosen = match (version, named.as_slice()) {
        (_, []) => return Err(problem::not_installed(name)),
        (None, [_, _, ..]) => return Err(problem::several_versions(name, &versions)),
        (None, [only]) => only,
        (Some(wanted), named) => named
            .iter()
            .find(|((_, found), _)| found == wanted)
            .ok_or_else(|| problem::other_version(name, wanted, &versions))?,
    };
    host::current_dir(Some(&chosen.1.path))
}

fn commit(
    target: &str,
    context: &RunContext,
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<()> {
    let package = PackageDir::read(find_edited(target, context)?)?;
    let host = host::host(context.current_dir.clone(), environment);
    let request = request::with_edit(invocation, Edit::None);
    let release = (package.name.as_str(), package.version.as_str());
    let mut original = original_files(&context.project_dir, release, &request, &host, screen)?;
    let scratch = edited_dir(context)?.join(format!(".{}", files::unpredictable_name()));
    let text = git_diff::of(&original, &package.dir, &scratch);
    files::remove_tree(&scratch)?;
    let text = text?;
    if text.is_empty() {
        return Err(problem::nothing_edited(&package.label()));
    }
    // A patch that an install would refuse is not written.
    Patch::parse(&text)?.apply(&mut original)?;
    let dir = invocation.path(Flag::PatchesDir).unwrap_or(Path::new(PATCHES_DIR));
    let file = dir.join(format!("{}.patch", package.label().replace('/', "%2F")));
    let shown = file.to_string_lossy().into_owned();
    let path = context.project_dir.join(&file);
    if invocation.path(Flag::PatchesDir).is_none() {
        files::check_below(&context.project_dir, &path)?;
    }
    files::create_directories(&context.project_dir.join(dir))?;
    files::write_atomically(&path, &text)?;
    let _lock = lock_project(&context.project_dir, invocation, screen)?;
    let members = read_members(&context.project_dir)?;
    let tool = FoundLockfile::find(&context.project_dir, &members)?.format().tool();
    let patched = members.project.with_patch(&package.label(), &shown, tool == Tool::Pnpm)?;
    if let Some(text) = unread(tool) {
        screen.warn(text);
    }
    for (name, text) in patched.changed_files(&members.project) {
        files::write_atomically(&context.project_dir.join(name), text.as_bytes())?;
    }
    files::remove_tree(&package.dir)
}

/// What the project's other package manager does with the patch, if it does not apply it.
fn unread(tool: Tool) -> Option<&'static str> {
    match tool {
        Tool::Bun | Tool::Pnpm => None,
        Tool::Npm => Some("npm does not read `patchedDependencies`: it installs the package as published"),
        Tool::Yarn => Some(
            "Yarn does not read `patchedDependencies`: it installs the package as published, \
             but for patches of `yarn patch`",
        ),
    }
}

/// The copy that was edited: its directory, or the name of its package.
fn find_edited(target: &str, context: &RunContext) -> Result<PathBuf> {
    let all = edited_dir(context)?;
    let path = context.current_dir.join(target);
    let names = files::read_directory(&all).unwrap_or_default();
    let names = names.into_iter().filter_map(|entry| entry.name.into_string().ok());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort_unstable();
    let nothing = || {
        let shown = all.strip_prefix(&context.current_dir).unwrap_or(&all);
        let dirs = names.iter().map(|name| shown.join(name).display().to_string());
        problem::nothing_to_commit(target, &dirs.collect::<Vec<_>>())
    };
    let dir = match files::is_directory(&path) {
        true => host::current_dir(Some(&path))?,
        false => {
            let wanted = target.replace('/', "+");
            let mut fits =
                names.iter().filter(|name| **name == wanted || name.starts_with(&format!("{wanted}@")));
            all.join(fits.next().ok_or_else(nothing)?)
        }
    };
    // Anything else would be deleted after the commit.
    match dir.parent() == Some(all.as_path()) {
        true => Ok(dir),
        false => Err(nothing()),
    }
}
