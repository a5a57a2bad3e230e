//! Members of a project that a command works in: those that `--filter`, `--workspaces` and
//! `--workspace-root` select.

use std::path::PathBuf;

use rusk_base::Result;
use rusk_configuration::request::Selection;
use rusk_install::project::read_members;
use rusk_install::selection::{graph_of, select};
use rusk_npm::workspace_filter::WorkspaceFilter;
use rusk_npm::workspace_graph::WorkspaceGraph;
use rusk_resolver::members::Members;

use super::context::RunContext;
use crate::host;
use rusk_command_line::flags::{Command, Flag, Invocation};
use rusk_screen::Screen;

/// Members of the project, and which are selected.
pub struct SelectedMembers {
    pub members: Members,
    pub graph: WorkspaceGraph,
    /// Indexes of the graph, whose member 0 is the project itself.
    pub selected: Vec<usize>,
}

pub fn selection(invocation: &Invocation) -> Result<Selection> {
    let filters = invocation.values(Flag::Filter).map(WorkspaceFilter::parse);
    let mut filters: Vec<WorkspaceFilter> = filters.collect::<Result<_>>()?;
    // As with bun: `--filter='*'` changes and runs members. An install is of the whole project.
    let patterns_skip_root = !matches!(invocation.command, Some(Command::Install | Command::Ci));
    filters.iter_mut().for_each(|filter| filter.patterns_skip_root = patterns_skip_root);
    let all = invocation.is_on(Flag::Workspaces);
    // As with pnpm and bun: what only asks about the project or updates it is about the root, too.
    let includes_root = matches!(
        invocation.command,
        Some(Command::Update | Command::Outdated | Command::List | Command::Why | Command::Licenses)
    );
    Ok(Selection { filters, all, root: all && includes_root || invocation.is_on(Flag::WorkspaceRoot) })
}

/// Directories of the selected members, each after those that it depends on; `None` without a flag
/// that selects members.
pub fn directories(
    invocation: &Invocation,
    context: &RunContext,
    screen: &mut Screen,
) -> Result<Option<Vec<PathBuf>>> {
    let selection = selection(invocation)?;
    if selection.is_default() {
        return Ok(None);
    }
    let found = SelectedMembers::find(&selection, context, screen)?;
    let before = found.graph.order(&found.selected);
    let mut order: Vec<usize> = Vec::with_capacity(before.len());
    while order.len() < before.len() {
        let is_ready =
            |at: &usize| !order.contains(at) && before[*at].iter().all(|other| order.contains(other));
        // In a cycle, the first one.
        let next =
            (0..before.len()).find(is_ready).or_else(|| (0..before.len()).find(|at| !order.contains(at)));
        order.extend(next);
    }
    let path = |&at: &usize| found.graph.members[found.selected[at]].path.as_str();
    let dir = |path: &str| {
        if path.is_empty() { context.project_dir.clone() } else { context.project_dir.join(path) }
    };
    Ok(Some(order.iter().map(path).map(dir).collect()))
}

/// One JSON text, or of several members an array of them.
pub fn joined_json(texts: &[String], is_list: bool) -> String {
    let trimmed = texts.iter().map(|text| text.trim_end());
    if is_list { format!("[{}]\n", trimmed.collect::<Vec<_>>().join(",")) } else { texts.concat() }
}

impl SelectedMembers {
    /// Reads the project and selects. Filters without a member are warnings; no member at all is an
    /// error.
    pub fn find(selection: &Selection, context: &RunContext, screen: &mut Screen) -> Result<SelectedMembers> {
        let members = read_members(&context.project_dir)?;
        let graph = graph_of(&members);
        let host = host::host(context.current_dir.clone(), host::environment());
        let found = select(selection, &graph, &context.project_dir, &host)?;
        let selects_by_changes = selection.filters.iter().any(|filter| filter.git_ref().is_some());
        if found.members.is_empty() && !selects_by_changes {
            let names: Vec<&str> = graph.members.iter().filter_map(|member| member.name.as_deref()).collect();
            return Err(rusk_install::selection::no_member_selected(&selection.filters, &names));
        }
        for filter in &found.unmatched {
            screen.warn(&format!("no member matches the filter `{filter}`"));
        }
        Ok(SelectedMembers { members, graph, selected: found.members })
    }
}
