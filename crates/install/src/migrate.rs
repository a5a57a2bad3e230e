//! Writes the lockfile of a project in another format. In: the project's directory and the format.
//! Out: the new file, with the same versions; the old file is removed. Absent: the network: a new
//! entry has only what the old lockfile says.

use std::path::Path;

use rusk_base::{Result, files};
use rusk_lockfiles::{Format, MemberText, NewLockfile};
use rusk_resolver::hoist::{AllDependencies, hoist};
use rusk_resolver::rules;

use crate::problem;
use crate::project::{Project, find_root};

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migration {
    /// The name of the file that there was.
    pub from: &'static str,
    pub to: Format,
    /// Packages of the lockfile, without the project and its members.
    pub packages: usize,
}

/// Migrates the project of a directory.
pub fn migrate(dir: &Path, to: Format) -> Result<Migration> {
    let project = Project::read(&find_root(dir)?)?;
    let from = project.lockfile_name();
    let Some(locked) = &project.lockfile else { return Err(problem::nothing_to_migrate()) };
    if from == to.file_name() {
        return Err(problem::same_format(to.file_name()));
    }
    if let Some(reason) = rusk_resolver::find_mismatch(&project.members, &locked.lockfile)? {
        return Err(problem::frozen(from, &reason));
    }
    let mut graph = locked.lockfile.graph.clone();
    let rules = rules::of_manifest(&project.members.project.manifest);
    let tree = match rusk_lockfiles::arrange(to, None, &mut graph)? {
        Some(tree) => tree,
        None => hoist(&mut graph, &AllDependencies)?,
    };
    let members: Vec<MemberText<'_>> = project
        .members
        .all()
        .map(|member| MemberText { path: &member.path, text: &member.text, manifest: Some(&member.manifest) })
        .collect();
    let mut new =
        NewLockfile { graph: &graph, rules: &rules, tree: &tree, members: &members, facts: &mut |_| None };
    let text = rusk_lockfiles::render(to, None, &mut new);
    // What could not be installed must not replace what can.
    let written = rusk_lockfiles::read(to, &text, &members)?;
    if let Some(reason) = rusk_resolver::find_mismatch(&project.members, &written)? {
        return Err(problem::frozen(to.file_name(), &reason));
    }
    files::write_atomically(&project.dir.join(to.file_name()), text.as_bytes())?;
    files::remove_file(&project.dir.join(from))?;
    let packages = written.graph.len() - project.members.all().count();
    Ok(Migration { from, to, packages })
}
