//! `rusk why`: the paths from a package up to the project.

use rusk_base::Result;
use rusk_base::problem::printable;
use rusk_npm::credential::without_credentials;
use rusk_npm::graph::{IdSet, PackageId, Role};
use rusk_query::dependents::{Dependent, Dependents};
use rusk_query::members::{OmittedGroups, is_member, path_of_member, reachable, version_text};
use rusk_scripts::Exit;

use super::installed_project::{InstalledProject, filter, role_name};
use super::list::quoted;
use super::problem;
use super::tree::{TreeLine, render};
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;
use rusk_screen::json::{array, line, object, string};
use rusk_screen::style::{Highlight, OutputStyle};

pub fn run(invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    let project = InstalledProject::open(invocation, screen)?;
    let filter = filter(invocation)?;
    let graph = &project.graph;
    let within = project.selected(invocation, screen)?;
    let within = within.map(|members| reachable(graph, &members, OmittedGroups::default()));
    let is_within = |id: &PackageId| within.as_ref().is_none_or(|within| within.contains(id));
    let all = graph.package_ids().filter(|&id| id != PackageId(0) && filter.selects(graph, id));
    let mut selected: Vec<PackageId> = all.filter(is_within).collect();
    if selected.is_empty() {
        let problem = problem::not_installed(&quoted(&invocation.operands));
        let is_filtered = within.is_some();
        return Err(if is_filtered {
            problem.note("searched: what the selected members depend on")
        } else {
            problem
        });
    }
    selected.sort_by(|&a, &b| {
        let key = |id| (graph.package_name(id), graph.package(id).source.npm_version());
        key(a).cmp(&key(b))
    });
    let dependents = Dependents::of(graph);
    // Level 1 are the packages that depend on it.
    let depth = invocation.value(Flag::Depth).and_then(|depth| depth.parse::<usize>().ok());
    let explain = |id| match invocation.is_on(Flag::Top) {
        true => dependents.direct_dependencies(id),
        false => dependents.explain(id, depth.map(|depth| depth + 1)),
    };
    let mut explained: Vec<(PackageId, Vec<Dependent>)> =
        selected.into_iter().map(|id| (id, explain(id))).collect();
    if let Some(within) = &within {
        explained.iter_mut().for_each(|(_, dependents)| retain(dependents, within));
    }
    let text = match invocation.is_on(Flag::Json) {
        true => json(&project, &explained),
        false => text(&project, &explained, invocation.is_on(Flag::Top), screen.style()),
    };
    screen.page(&text).map(|()| Exit::DONE)
}

/// Leaves out dependents that the selected members do not reach. As deep as the tree was built.
fn retain(dependents: &mut Vec<Dependent>, within: &IdSet<PackageId>) {
    dependents.retain(|dependent| within.contains(&dependent.package));
    dependents.iter_mut().for_each(|dependent| retain(&mut dependent.dependents, within));
}

fn text(
    project: &InstalledProject,
    explained: &[(PackageId, Vec<Dependent>)],
    top_only: bool,
    style: &OutputStyle,
) -> String {
    let blocks = explained.iter().map(|(id, dependents)| {
        let lines: Vec<TreeLine> =
            dependents.iter().map(|dependent| tree_line(project, dependent, top_only, style)).collect();
        let tree = render(&lines, style);
        let tree = if tree.is_empty() { "nothing depends on it\n" } else { &tree };
        format!("{}\n{tree}", printable(&project.label(*id)))
    });
    blocks.collect::<Vec<_>>().join("\n")
}

/// `ui@1.0.0 (requires ^1.0.0)`. `top_only`: the line is a direct dependency, and who has it.
fn tree_line(
    project: &InstalledProject,
    dependent: &Dependent,
    top_only: bool,
    style: &OutputStyle,
) -> TreeLine {
    let graph = &project.graph;
    let dependency = graph.dependency(dependent.dependency);
    let literal = without_credentials(&dependency.literal);
    let requires = if top_only {
        format!("{}@{}", graph.name(dependency.name), literal)
    } else {
        format!("requires {literal}")
    };
    let role = match dependency.role {
        Role::Production => String::new(),
        role => format!("{}, ", role_name(role)),
    };
    let detail = format!("({role}{})", printable(&requires));
    let mut text = format!(
        "{} {}",
        printable(&project.label(dependent.package)),
        style.for_stdout(Highlight::Faint, &detail)
    );
    if dependent.repeated {
        text.push_str(&format!(" {}", style.for_stdout(Highlight::Faint, "deduped")));
    }
    let above = dependent.dependents.iter().map(|above| tree_line(project, above, false, style));
    TreeLine { text, children: above.collect() }
}

/// The members of npm's `explain --json`, in an object.
fn json(project: &InstalledProject, explained: &[(PackageId, Vec<Dependent>)]) -> String {
    let packages = explained.iter().map(|(id, dependents)| package_json(project, *id, dependents, false));
    line(&[("packages", array(packages))])
}

fn package_json(
    project: &InstalledProject,
    id: PackageId,
    dependents: &[Dependent],
    repeated: bool,
) -> String {
    let graph = &project.graph;
    let mut members = Vec::new();
    if is_member(graph, id) {
        members.push(("name", string(&project.member_name(id))));
        members.extend(project.member_version(id).map(|version| ("version", string(version))));
        members.push(("path", string(path_of_member(graph, id).unwrap_or_default())));
    } else {
        members.push(("name", string(graph.package_name(id).as_str())));
        members.push(("version", string(&version_text(graph, id))));
    }
    if repeated {
        members.push(("deduped", "true".to_owned()));
    }
    let dependents = dependents.iter().map(|dependent| {
        let dependency = graph.dependency(dependent.dependency);
        let from = package_json(project, dependent.package, &dependent.dependents, dependent.repeated);
        object(&[
            ("type", string(role_name(dependency.role))),
            ("name", string(graph.name(dependency.name).as_str())),
            ("spec", string(&without_credentials(&dependency.literal))),
            ("from", from),
        ])
    });
    members.push(("dependents", array(dependents)));
    object(&members)
}
