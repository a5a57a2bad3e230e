//! Writes the lockfile of a project in another format. In: the project's directory and the format.
//! Out: the new file, with the same versions, and settings that the other package manager reads
//! elsewhere; the old file is removed. Absent: the network, but for what Yarn's file does not say;
//! a new entry has only what the old lockfile says.

mod completed;
mod settings;

use std::path::Path;

use rusk_base::{Result, files};
use rusk_lockfiles::begin::begin;
use rusk_lockfiles::locations::is_inside;
use rusk_lockfiles::{Format, FormatDetails, Lockfile, MemberText, NewLockfile, Previous, Tool};
use rusk_npm::graph::{Graph, Source};
use rusk_npm::manifest::{MANIFEST_BYTES_MAX, Manifest};
use rusk_resolver::hoist::{AllDependencies, hoist};
use rusk_resolver::members::{MANIFEST_NAME, Members};
use rusk_resolver::rules;

use crate::event::Reporter;
use crate::patches::Patches;
use crate::problem;
use crate::project::{Project, find_root, lockfile_settings};
use crate::request::{HostEnvironment, InstallRequest};

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migration {
    /// The name of the file that there was.
    pub from: &'static str,
    pub to: Format,
    /// Packages of the lockfile, without the project and its members.
    pub packages: usize,
    /// Other files that were changed or made.
    pub changed: Vec<String>,
    /// What the other package manager does not know, one line each.
    pub notes: Vec<String>,
}

/// How the registry is asked, where it must be.
pub struct MigrationHost<'a> {
    pub request: &'a InstallRequest,
    pub host: &'a HostEnvironment,
    pub reporter: &'a mut dyn Reporter,
}

/// Migrates the project of a directory.
pub fn migrate(dir: &Path, to: Format, mut with: MigrationHost<'_>) -> Result<Migration> {
    let project = Project::read(&find_root(dir)?)?;
    let from = project.lockfile_name();
    let Some(locked) = &project.lockfile else { return Err(problem::nothing_to_migrate()) };
    if from == to.file_name() {
        return Err(problem::same_format(to.file_name()));
    }
    if let Some(reason) = rusk_resolver::find_mismatch(&project.members, &locked.lockfile)? {
        return Err(problem::frozen(from, &reason));
    }
    let settings::MovedSettings { project: moved, mut notes } = settings::moved(&project.members, to.tool())?;
    let changed = moved.changed_files(&project.members.project);
    let members = Members { project: moved, ..project.members.clone() };
    let graph = match locked.lockfile.details {
        FormatDetails::YarnBerry(_) => completed::completed(&project.dir, &locked.lockfile, &mut with)?,
        _ => locked.lockfile.graph.clone(),
    };
    notes.extend(unknown_dependencies(&project.dir, &graph, project.format));
    let graph = with_directories(graph, project.format, to);
    let text = render(&project, &members, graph, to)?;
    // What could not be installed must not replace what can.
    let written = rusk_lockfiles::read(to, &text, &members.manifest_strings())?;
    if let Some(reason) = rusk_resolver::find_mismatch(&members, &written)? {
        return Err(problem::frozen(to.file_name(), &reason));
    }
    for (name, text) in &changed {
        files::write_atomically(&project.dir.join(name), text.as_bytes())?;
    }
    files::write_atomically(&project.dir.join(to.file_name()), text.as_bytes())?;
    files::remove_file(&project.dir.join(from))?;
    let packages = written.graph.len() - members.all().count();
    let changed = changed.into_iter().map(|(name, _)| name).collect();
    Ok(Migration { from, to, packages, changed, notes })
}

/// package-lock.json does not say what a directory outside of the project needs, which npm leaves
/// to it. Others install it.
fn unknown_dependencies(dir: &Path, graph: &Graph, from: Format) -> Vec<String> {
    let needs_some = |path: &str| {
        let text = files::find_string(&dir.join(path).join(MANIFEST_NAME), MANIFEST_BYTES_MAX as u64);
        let manifest = text.ok().flatten().and_then(|text| Manifest::parse(&text).ok());
        manifest.is_some_and(|found| found.groups().iter().any(|(_, own)| !own.is_empty()))
    };
    let directories = graph.package_ids().filter_map(|id| match &graph.package(id).source {
        Source::Link { path } if from.tool() == Tool::Npm && !is_inside(path) => Some(path),
        _ => None,
    });
    let directories = directories.filter(|path| needs_some(path));
    let note = |path| format!("what `{path}` depends on is not in package-lock.json: `rusk update` adds it");
    directories.map(note).collect()
}

/// Only npm links the directories that `file:` names, and knows no others.
fn with_directories(mut graph: Graph, from: Format, to: Format) -> Graph {
    for id in graph.package_ids() {
        let source = &mut graph.package_mut(id).source;
        *source = match std::mem::replace(source, Source::Root) {
            Source::Directory { path } if to.tool() == Tool::Npm => Source::Link { path },
            Source::Link { path } if from.tool() == Tool::Npm => Source::Directory { path },
            source => source,
        };
    }
    graph
}

/// The new lockfile of a graph.
fn render(project: &Project, members: &Members, mut graph: Graph, to: Format) -> Result<String> {
    let mut rules = rules::of_manifest(&members.project.manifest);
    rules.patch_hashes = Some(Patches::read(&project.dir, &members.project.manifest)?.hashes(None));
    let tree = match rusk_lockfiles::arrange(to, None, &mut graph)? {
        Some(tree) => tree,
        None => hoist(&mut graph, &AllDependencies)?,
    };
    let texts: Vec<MemberText<'_>> = members.manifest_strings();
    let settings = lockfile_settings(&project.dir, &members.project);
    let begun = begin(to, &members.project.manifest, settings);
    let empty: Option<Lockfile> =
        begun.as_deref().map(|text| rusk_lockfiles::read(to, text, &texts)).transpose()?;
    let origins = vec![None; graph.len()];
    let previous = begun.as_deref().zip(empty.as_ref());
    let previous = previous.map(|(text, lockfile)| Previous { text, lockfile, origins: &origins });
    let mut new =
        NewLockfile { graph: &graph, rules: &rules, tree: &tree, members: &texts, facts: &mut |_| None };
    Ok(rusk_lockfiles::render(to, previous.as_ref(), &mut new))
}
