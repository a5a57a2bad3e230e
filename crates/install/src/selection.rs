//! Selects members of a project for `--filter`, `--workspaces` and `--workspace-root`. In: flags,
//! members, the directory of the command. Out: the selected members; changed files come from git.

use std::path::Path;
use std::time::Duration;

use rusk_base::Result;
use rusk_configuration::request::{Edit, HostEnvironment, InstallRequest, Selection};
use rusk_git::{Git, GitCommand};
use rusk_lockfiles::Tool;
use rusk_npm::graph::{DependencyId, Graph, IdMap, IdSet, PackageId, Role, Source};
use rusk_npm::hoisting_limit::HoistingLimit;
use rusk_npm::workspace_filter::{self, ChangedFiles, Selected, WorkspaceFilter};
use rusk_npm::workspace_graph::WorkspaceGraph;
use rusk_resolver::members::Members;

use crate::context::InstallContext;
use crate::event::{InstallEvent, Reporter};
use crate::layout::InstallFilter;
use crate::plan::InstalledTree;
use crate::problem;
pub use crate::problem::no_member_selected;
use crate::project::Project;
use crate::state::is_recorded;

/// Time for git to list changed files, which it does from its index.
const GIT_LIMIT: Duration = Duration::from_secs(60);

/// Bytes of paths of changed files; longer lists are refused.
const PATHS_BYTES_MAX: usize = 64 << 20;

/// The selected members, as indexes of `graph`, whose member 0 is the project itself.
/// `project_dir` is absolute.
pub fn select(
    selection: &Selection,
    graph: &WorkspaceGraph,
    project_dir: &Path,
    host: &HostEnvironment,
) -> Result<Selected> {
    let mut selected = Selected::default();
    if !selection.filters.is_empty() {
        let inside = host.current_dir.strip_prefix(project_dir).unwrap_or(Path::new("")).to_string_lossy();
        let changes = changes(&selection.filters, project_dir, &Git::new(&host.environment))?;
        selected = workspace_filter::select(graph, &selection.filters, &inside, &changes)?;
    } else if selection.all {
        // As in pnpm: a project without workspaces is its only package.
        let first = usize::from(graph.members.len() > 1);
        selected.members = (first..graph.members.len()).collect();
    }
    if selection.root && !selected.members.contains(&0) {
        selected.members.insert(0, 0);
    }
    Ok(selected)
}

/// `-w NAME` of npm selects a member. Here, and in pnpm, `-w` selects the root: a member that
/// follows it in a project of npm is an error.
pub fn check_operands(selection: &Selection, project: &Project, edit: &Edit) -> Result<()> {
    let operands = match edit {
        Edit::Add { specifiers: operands, .. } | Edit::Remove { names: operands } => operands,
        _ => return Ok(()),
    };
    let is_root_alone = selection.root && !selection.all && selection.filters.is_empty();
    if !is_root_alone || project.format.tool() != Tool::Npm {
        return Ok(());
    }
    let is_member = |operand: &&String| {
        let path = operand.trim_start_matches("./").trim_end_matches('/');
        let mut members = project.members.workspaces.iter();
        members.any(|member| member.path == path || member.manifest.name.as_deref() == Some(operand.as_str()))
    };
    operands.iter().find(is_member).map_or(Ok(()), |member| Err(problem::root_selected(member)))
}

/// Paths of the selected members; an error if there are none.
pub fn select_paths(
    selection: &Selection,
    project: &Project,
    host: &HostEnvironment,
    reporter: &mut dyn Reporter,
) -> Result<Vec<String>> {
    let graph = graph_of(&project.members);
    let selected = select(selection, &graph, &project.dir, host)?;
    if selected.members.is_empty() {
        let names: Vec<&str> = graph.members.iter().filter_map(|member| member.name.as_deref()).collect();
        return Err(problem::no_member_selected(&selection.filters, &names));
    }
    for filter in &selected.unmatched {
        let text = format!("no member matches the filter `{filter}`");
        reporter.on_event(InstallEvent::Warning(&text));
    }
    Ok(selected.members.iter().map(|&member| graph.members[member].path.clone()).collect())
}

/// The members of a project, the project itself first.
pub fn graph_of(members: &Members) -> WorkspaceGraph {
    let mut graph = WorkspaceGraph::new(members.all().map(|member| (member.path.as_str(), &member.manifest)));
    for (found, member) in graph.members.iter_mut().zip(members.all()) {
        found.declared_name.clone_from(&member.declared_name);
    }
    graph
}

/// What an install makes node_modules of.
pub(crate) fn install_filter(
    context: &InstallContext,
    request: &InstallRequest,
    graph: &Graph,
) -> InstallFilter {
    let members = context.installed_members(request).map(|paths| with_needed_members(graph, paths));
    let hoisting_limits = hoisting_limits(context, graph);
    InstallFilter { omit: request.omit, platform: context.platform, members, hoisting_limits }
}

/// Adds the members whose dependencies an earlier install made: an install of others updates these,
/// and does not empty their node_modules.
pub(crate) fn keep_installed(
    filter: &mut InstallFilter,
    context: &InstallContext,
    graph: &Graph,
    installed: &InstalledTree,
) {
    let Some(selected) = &filter.members else { return };
    let is_kept = |id: &PackageId| match &graph.package(*id).source {
        _ if selected.contains(id) => true,
        Source::Root => is_root_installed(context, filter, installed),
        Source::Workspace { path, .. } => is_member_installed(path, installed),
        _ => false,
    };
    let kept: Vec<PackageId> = graph.package_ids().filter(is_kept).collect();
    filter.members = Some(closed_over_members(graph, kept));
}

/// Whether a link leads to the member, or something lies in its own node_modules.
fn is_member_installed(path: &str, installed: &InstalledTree) -> bool {
    // What rusk did not make is not a sign of an install.
    let (link, inside) = (format!("link:{path}"), format!("{path}/node_modules/"));
    let mut below = installed.locations.range(inside.clone()..).take_while(|(at, _)| at.starts_with(&inside));
    below.any(|(_, stamp)| is_recorded(stamp)) || installed.locations.values().any(|stamp| *stamp == link)
}

/// Whether everything is there that the lockfile of that install gave the project itself. Beside it
/// in a hoisted node_modules lies what members depend on.
fn is_root_installed(context: &InstallContext, filter: &InstallFilter, installed: &InstalledTree) -> bool {
    let Some(locked) = &context.project.lockfile else { return false };
    let graph = &locked.lockfile.graph;
    let root = graph.package_ids().find(|&id| matches!(graph.package(id).source, Source::Root));
    let is_wanted = |id: &DependencyId| match graph.dependency(*id).role {
        Role::Production => true,
        Role::Development => !filter.omit.development,
        _ => false,
    };
    let mut wanted =
        root.into_iter().flat_map(|root| graph.dependencies_of(root)).filter(is_wanted).peekable();
    let path = |id: DependencyId| format!("node_modules/{}", graph.name(graph.dependency(id).name));
    wanted.peek().is_some() && wanted.all(|id| installed.locations.contains_key(&path(id)))
}

/// What each member's package.json says, else the configuration.
fn hoisting_limits(context: &InstallContext, graph: &Graph) -> IdMap<PackageId, HoistingLimit> {
    let configured = context.configuration.defaults.hoisting_limit;
    let limit = |id: PackageId| {
        let path = match &graph.package(id).source {
            Source::Root => "",
            Source::Workspace { path, .. } => path,
            _ => return None,
        };
        let member = context.project.members.all().find(|member| member.path == path)?;
        let limit = member.manifest.hoisting_limit.unwrap_or(configured);
        (limit != HoistingLimit::Project).then_some((id, limit))
    };
    graph.package_ids().filter_map(limit).collect()
}

/// The members at these paths, and those that they depend on.
fn with_needed_members(graph: &Graph, paths: &[String]) -> IdSet<PackageId> {
    let is_at = |id: &PackageId| match &graph.package(*id).source {
        Source::Root => paths.iter().any(String::is_empty),
        Source::Workspace { path, .. } => paths.iter().any(|wanted| **wanted == **path),
        _ => false,
    };
    closed_over_members(graph, graph.package_ids().filter(is_at).collect())
}

fn closed_over_members(graph: &Graph, mut next: Vec<PackageId>) -> IdSet<PackageId> {
    let mut found: IdSet<PackageId> = next.iter().copied().collect();
    while let Some(member) = next.pop() {
        for id in graph.dependencies_of(member) {
            let bound = graph.binding(id).filter(|_| graph.dependency(id).role != Role::Workspace);
            let needed =
                bound.filter(|&bound| matches!(graph.package(bound).source, Source::Workspace { .. }));
            if let Some(needed) = needed.filter(|needed| found.insert(*needed)) {
                next.push(needed);
            }
        }
    }
    found
}

fn changes(filters: &[WorkspaceFilter], project_dir: &Path, git: &Git) -> Result<Vec<ChangedFiles>> {
    let mut changes: Vec<ChangedFiles> = Vec::new();
    for git_ref in filters.iter().filter_map(WorkspaceFilter::git_ref) {
        if changes.iter().all(|files| files.git_ref != git_ref) {
            let paths = changed_files(git_ref, project_dir, git)?;
            changes.push(ChangedFiles { git_ref: git_ref.to_owned(), paths });
        }
    }
    Ok(changes)
}

/// Files that differ from a commit, and files that git does not know yet.
fn changed_files(git_ref: &str, project_dir: &Path, git: &Git) -> Result<Vec<String>> {
    // It would be read as an option.
    if git_ref.starts_with('-') {
        return Err(problem::no_git_ref(git_ref, "a commit does not begin with `-`"));
    }
    let run = |arguments: &[&str]| -> Result<Vec<String>> {
        let command =
            GitCommand { dir: project_dir, arguments, limit: GIT_LIMIT, stdout_bytes_max: PATHS_BYTES_MAX };
        let output = git.run(&command)?;
        if !output.success {
            let reason = output.stderr.lines().next().unwrap_or("git failed").trim_start_matches("fatal: ");
            // What `git diff` prints there is about other uses of it.
            if reason.to_ascii_lowercase().contains("not a git repository") {
                return Err(problem::no_git_repository(git_ref, project_dir));
            }
            return Err(problem::no_git_ref(git_ref, reason));
        }
        let paths = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(paths.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect())
    };
    let mut paths = run(&["diff", "--name-only", "--relative", "--no-ext-diff", "-z", git_ref, "--"])?;
    paths.extend(run(&["ls-files", "--others", "--exclude-standard", "-z"])?);
    Ok(paths)
}
