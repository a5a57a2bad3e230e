//! Writes the lockfile of a project in another format. In: the project's directory and the format.
//! Out: the new file, with the same versions, and settings that the other package manager reads
//! elsewhere; the old file is removed. Absent: the network, but for what Yarn's file does not say;
//! a new entry has only what the old lockfile says.

mod completed;

use std::os::fd::AsFd;
use std::path::Path;

use rusk_base::lock::FileLock;
use rusk_base::{Result, files, sys};
use rusk_configuration::Flags;
use rusk_configuration::request::{HostEnvironment, InstallRequest};
use rusk_lockfiles::begin::begin;
use rusk_lockfiles::locations::is_inside;
use rusk_lockfiles::{
    Format, FormatDetails, Lockfile, MemberText, NewLockfile, Previous, Tool,
    unfinished_migration as unfinished,
};
use rusk_npm::graph::{Graph, Source};
use rusk_npm::manifest::{MANIFEST_BYTES_MAX, Manifest};
use rusk_resolver::hoist::{AllDependencies, hoist};
use rusk_resolver::members::{MANIFEST_NAME, Members};
use rusk_resolver::migrated_settings::{self, MovedSettings};
use rusk_resolver::rules;

use crate::edit_lock::lock_for_edit;
use crate::event::Reporter;
use crate::link::staging::{self, StagingArea};
use crate::patches::Patches;
use crate::problem;
use crate::project::{Project, find_root, lockfile_settings};

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

impl MigrationHost<'_> {
    fn lock(&mut self, root: &Path) -> Result<Option<FileLock>> {
        lock_for_edit(root, Flags::of(self.request).cache_dir, self.host, &mut *self.reporter)
    }
}

/// Migrates the project of a directory.
pub fn migrate(dir: &Path, to: Format, mut with: MigrationHost<'_>) -> Result<Migration> {
    let root = find_root(dir)?;
    let mut lock = with.lock(&root)?;
    let project = Project::read(&root)?;
    let from = project.lockfile_name();
    let Some(locked) = &project.lockfile else { return Err(problem::nothing_to_migrate()) };
    if from == to.file_name() {
        return Err(problem::same_format(to.file_name()));
    }
    if let Some(reason) = rusk_resolver::find_mismatch(&project.members, &locked.lockfile)? {
        return Err(problem::frozen(from, &reason));
    }
    let MovedSettings { project: moved, mut notes } = migrated_settings::moved(&project.members, to.tool())?;
    let changed = moved.changed_files(&project.members.project);
    let members = Members { project: moved, ..project.members.clone() };
    let graph = match locked.lockfile.details {
        FormatDetails::YarnBerry(_) => {
            // It takes the lock itself.
            drop(lock);
            let graph = completed::completed(&root, &locked.lockfile, &mut with)?;
            lock = with.lock(&root)?;
            if !project.is_same(&Project::read(&root)?) {
                drop(lock);
                return migrate(dir, to, with);
            }
            graph
        }
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
    write(&project.dir, &changed, (from, to.file_name()), &text)?;
    drop(lock);
    let packages = written.graph.len() - members.all().count();
    let changed = changed.into_iter().map(|(name, _)| name).collect();
    Ok(Migration { from, to, packages, changed, notes })
}

/// A kill before the new lockfile is there leaves the old one; a later one is made good by the
/// record in the staging directory.
fn write(dir: &Path, changed: &[(String, String)], (from, to): (&str, &str), text: &str) -> Result<()> {
    let refused = |errno| files::problem::open_directory(dir, errno);
    let opened = sys::open_directory(sys::CWD, dir).map_err(refused)?;
    let staging = StagingArea::make(opened.as_fd(), dir, &mut std::iter::empty())?;
    let record = unfinished::render(from, to, text);
    files::write_atomically(&staging.staging_dir().path(unfinished::RECORD), record.as_bytes())?;
    for (name, text) in changed {
        files::write_atomically(&dir.join(name), text.as_bytes())?;
    }
    // A kill leaves no temporary file outside of the staging directory.
    let staged = staging.staging_dir().path(to);
    files::write_atomically(&staged, text.as_bytes())?;
    sys::renameat(sys::CWD, &staged, sys::CWD, dir.join(to))
        .map_err(|errno| files::problem::rename(&dir.join(to), errno))?;
    files::remove_file(&dir.join(from))?;
    files::remove_tree_at(opened.as_fd(), Path::new(staging::NAME))
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
