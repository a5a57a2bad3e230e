//! `rusk list`: the packages that the lockfile pins, as a tree.

use std::collections::HashMap;
use std::ops::Deref;

use rusk_base::Result;
use rusk_base::problem::printable;
use rusk_npm::credential::without_credentials;
use rusk_npm::graph::{PackageId, Role};
use rusk_query::list::{ListNode, ListOptions, ShownMembers, list};
use rusk_query::members::{is_member, path_of_member, version_text};
use rusk_scripts::Exit;

use super::installed_project::{InstalledProject, filter, omitted};
use super::problem;
use super::tree::{TreeLine, render};
use crate::commands::members::joined_json;
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;
use rusk_screen::json::{line, object, string};
use rusk_screen::style::{Highlight, OutputStyle};

/// The project, and who requires another version of a package as a peer.
struct ListedProject {
    project: InstalledProject,
    violated: HashMap<PackageId, Vec<String>>,
}

impl Deref for ListedProject {
    type Target = InstalledProject;

    fn deref(&self) -> &InstalledProject {
        &self.project
    }
}

pub fn run(invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    let project = InstalledProject::open(invocation, screen)?;
    let project = ListedProject { violated: project.violated_peers(), project };
    let filter = filter(invocation)?;
    let depth = match invocation.value(Flag::Depth).and_then(|depth| depth.parse().ok()) {
        None if invocation.is_on(Flag::All) || !filter.is_empty() => None,
        None => Some(0),
        depth => depth,
    };
    let is_filtered = !filter.is_empty();
    let selected = project.selected(invocation, screen)?;
    let is_list = selected.is_some();
    let has_several = selected.as_ref().is_some_and(|selected| selected.len() > 1);
    let members = if has_several { ShownMembers::Named } else { ShownMembers::All };
    let options = ListOptions { depth, omit: omitted(invocation), members, filter };
    let mut trees = Vec::new();
    for member in selected.unwrap_or_else(|| vec![project.member]) {
        let nodes = list(&project.graph, member, &options);
        if is_filtered && nodes.is_empty() {
            continue;
        }
        trees.push(match invocation.is_on(Flag::Json) {
            true => json(&project, member, &nodes),
            false => text(&project, member, &nodes, screen.style()),
        });
    }
    if is_filtered && trees.is_empty() {
        return Err(problem::not_installed(&quoted(&invocation.operands)));
    }
    let text = match invocation.is_on(Flag::Json) {
        true => joined_json(&trees, is_list),
        false => trees.join("\n"),
    };
    screen.page(&text).map(|()| Exit::DONE)
}

/// `` `a`, `b` ``
pub fn quoted(arguments: &[String]) -> String {
    arguments.iter().map(|argument| format!("`{argument}`")).collect::<Vec<_>>().join(", ")
}

fn text(project: &ListedProject, member: PackageId, nodes: &[ListNode], style: &OutputStyle) -> String {
    let root = project.member_label(member);
    let dir = project.dir_of(member).display().to_string();
    let head = format!("{} {}\n", printable(&root), style.for_stdout(Highlight::Faint, &printable(&dir)));
    let lines = nodes.iter().map(|node| tree_line(project, member, node, style));
    let tree = render(&lines.collect::<Vec<_>>(), style);
    head + if tree.is_empty() { "no dependencies\n" } else { &tree }
}

/// `parent`: the package whose dependency it is.
fn tree_line(project: &ListedProject, parent: PackageId, node: &ListNode, style: &OutputStyle) -> TreeLine {
    let graph = &project.graph;
    let dependency = graph.dependency(node.dependency);
    let name = graph.name(dependency.name).as_str();
    let Some(id) = node.package else {
        let text = format!("{name}@{} missing", printable(&without_credentials(&dependency.literal)));
        return TreeLine { text: style.for_stdout(Highlight::Removed, &text), children: Vec::new() };
    };
    let label = project.label(id);
    let label = if graph.package_name(id).as_str() == name { label } else { format!("{name}@npm:{label}") };
    let mut text = printable(&label).into_owned();
    let role = match dependency.role {
        Role::Production | Role::Workspace => None,
        Role::Development => Some("dev"),
        Role::Optional => Some("optional"),
        Role::Peer | Role::OptionalPeer => Some("peer"),
    };
    // The isolated layout links a workspace only where another one depends on it.
    let is_absent =
        is_member(graph, parent) && dependency.role != Role::Workspace && !project.is_installed(parent, name);
    let marks = [role, node.repeated.then_some("deduped"), is_absent.then_some("not installed")];
    for mark in marks.into_iter().flatten() {
        text.push_str(&format!(" {}", style.for_stdout(Highlight::Faint, mark)));
    }
    if let Some(wanted) = project.violated.get(&id) {
        let mark = format!("invalid: {}", printable(&wanted.join(", ")));
        text.push_str(&format!(" {}", style.for_stdout(Highlight::Removed, &mark)));
    }
    let children = node.children.iter().map(|child| tree_line(project, id, child, style)).collect();
    TreeLine { text, children }
}

/// The members of npm's `ls --json`.
fn json(project: &ListedProject, member: PackageId, nodes: &[ListNode]) -> String {
    let mut members = vec![("name", string(&project.member_name(member)))];
    members.extend(project.member_version(member).map(|version| ("version", string(version))));
    members.push(("path", string(&project.dir_of(member).display().to_string())));
    members.push(("dependencies", dependencies_json(project, nodes)));
    line(&members)
}

fn dependencies_json(project: &ListedProject, nodes: &[ListNode]) -> String {
    let graph = &project.graph;
    let members: Vec<(&str, String)> = nodes
        .iter()
        .map(|node| {
            let name = graph.name(graph.dependency(node.dependency).name).as_str();
            (name, node_json(project, node))
        })
        .collect();
    object(&members)
}

fn node_json(project: &ListedProject, node: &ListNode) -> String {
    let graph = &project.graph;
    let dependency = graph.dependency(node.dependency);
    let Some(id) = node.package else {
        return object(&[
            ("required", string(&without_credentials(&dependency.literal))),
            ("missing", "true".to_owned()),
        ]);
    };
    let mut members = Vec::new();
    if graph.package_name(id) != graph.name(dependency.name) {
        members.push(("name", string(graph.package_name(id).as_str())));
    }
    match path_of_member(graph, id) {
        Some(path) => {
            members.extend(project.member_version(id).map(|version| ("version", string(version))));
            members.push(("path", string(path)));
        }
        None => members.push(("version", string(&version_text(graph, id)))),
    }
    let mark = match dependency.role {
        Role::Development => Some("dev"),
        Role::Optional => Some("optional"),
        Role::Peer | Role::OptionalPeer => Some("peer"),
        Role::Production | Role::Workspace => None,
    };
    members.extend(mark.map(|mark| (mark, "true".to_owned())));
    if let Some(wanted) = project.violated.get(&id) {
        members.push(("invalid", string(&wanted.join(", "))));
    }
    if node.repeated {
        members.push(("deduped", "true".to_owned()));
    }
    if !node.children.is_empty() {
        members.push(("dependencies", dependencies_json(project, &node.children)));
    }
    object(&members)
}
