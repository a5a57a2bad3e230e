//! The package.json files of a deployment. In: the project, the graph of its lockfile, a member.
//! Out: that member and those it depends on, without development dependencies, and with every
//! specifier resolved that means something only in the project.

use std::collections::BTreeSet;
use std::path::Path;

use rusk_base::{Result, files};
use rusk_install::project::Project;
use rusk_lockfiles::pnpm_workspace::{self, PnpmWorkspace};
use rusk_npm::bun_lock::Rules;
use rusk_npm::edit::{self, Setting};
use rusk_npm::graph::{DependencyId, Graph, PackageId, Role, Source};
use rusk_npm::json::{self, Dialect, quote_into};
use rusk_npm::manifest::{Group, Manifest};
use rusk_resolver::rules;

use crate::{MemberId, member_at, problem};

/// Fields of the project's package.json that decide about all packages.
const PROJECT_FIELDS: [&str; 4] = ["overrides", "resolutions", "trustedDependencies", "packageExtensions"];

/// A member as it is deployed.
#[derive(Clone, Debug)]
pub struct DeployedMember {
    pub id: MemberId,
    /// Relative to the target; empty for the member that is deployed.
    pub path: String,
    /// Relative to the project.
    pub source: String,
    /// The new package.json.
    pub text: String,
    pub manifest: Manifest,
}

impl DeployedMember {
    /// The text for the install in the target: the member's own scripts were run in the project.
    pub fn without_scripts(&self) -> Result<String> {
        match self.manifest.scripts.is_empty() {
            true => Ok(self.text.clone()),
            false => edit::set_field(&self.text, "scripts", "{}"),
        }
    }
}

/// The member at `path`, then the members that it needs, by path.
pub fn deployed(project: &Project, graph: &Graph, path: &str) -> Result<Vec<DeployedMember>> {
    let first = find(graph, path).ok_or_else(|| problem::no_member(path))?;
    let needed = needed(graph, first)?;
    let rules = rules::of_manifest(&project.members.project.manifest);
    let mut members = Vec::with_capacity(needed.len());
    for id in needed {
        let source = path_of(graph, id).unwrap_or_default();
        let member = member_at(project, source)?;
        let text = own_text(&member.text, graph, id, &rules)?;
        let path = if id == first { String::new() } else { source.to_owned() };
        let manifest = Manifest::parse(&text)?;
        members.push(DeployedMember { id: MemberId(id), path, source: source.to_owned(), text, manifest });
    }
    let text = project_text(project, graph, &members)?;
    members[0].manifest = Manifest::parse(&text)?;
    members[0].text = text;
    Ok(members)
}

fn find(graph: &Graph, path: &str) -> Option<PackageId> {
    graph.package_ids().find(|&id| path_of(graph, id) == Some(path))
}

fn path_of(graph: &Graph, id: PackageId) -> Option<&str> {
    match &graph.package(id).source {
        Source::Root => Some(""),
        Source::Workspace { path, .. } => Some(path),
        _ => None,
    }
}

/// Whether a deployment follows a dependency of a member.
pub fn follows(role: Role) -> bool {
    !matches!(role, Role::Development | Role::Workspace)
}

/// The member, then the members that it reaches, sorted by path. Other packages on this computer
/// would not be there.
fn needed(graph: &Graph, first: PackageId) -> Result<Vec<PackageId>> {
    let mut found = BTreeSet::from([first.0]);
    let mut next = vec![first];
    while let Some(member) = next.pop() {
        for id in graph.dependencies_of(member).filter(|&id| follows(graph.dependency(id).role)) {
            let Some(bound) = graph.binding(id) else { continue };
            match &graph.package(bound).source {
                Source::Root => return Err(problem::needs_root(graph.package_name(member).as_str())),
                Source::Workspace { .. } if found.insert(bound.0) => next.push(bound),
                Source::Directory { path } | Source::Link { path } | Source::LocalTarball { path } => {
                    let name = graph.name(graph.dependency(id).name);
                    return Err(problem::local_dependency(name.as_str(), path));
                }
                _ => {}
            }
        }
    }
    let mut others: Vec<PackageId> = found.into_iter().map(PackageId).filter(|id| *id != first).collect();
    others.sort_by_key(|&id| path_of(graph, id).map(str::to_owned));
    Ok([first].into_iter().chain(others).collect())
}

/// A package.json without development dependencies.
fn own_text(text: &str, graph: &Graph, id: PackageId, rules: &Rules) -> Result<String> {
    let manifest = Manifest::parse(text)?;
    let mut settings = Vec::new();
    for dependency in graph.dependencies_of(id).filter(|&it| follows(graph.dependency(it).role)) {
        let name = graph.name(graph.dependency(dependency).name).as_str();
        let literal = literal(graph, dependency, rules);
        for group in [Group::Production, Group::Optional, Group::Peer] {
            if manifest.group(group).iter().any(|(known, old)| known == name && *old != literal) {
                settings.push(Setting {
                    group: Some(group),
                    name: name.to_owned(),
                    literal: literal.clone(),
                });
            }
        }
    }
    edit::remove_field(&edit::set_literals(text, &settings)?, Group::Development.key())
}

/// The specifier of a dependency in the deployment: catalogs stay behind, and members have other
/// versions and paths there.
pub fn literal(graph: &Graph, id: DependencyId, rules: &Rules) -> String {
    let dependency = graph.dependency(id);
    let name = graph.name(dependency.name).as_str();
    let bound = graph.binding(id).filter(|&bound| path_of(graph, bound).is_some());
    match bound {
        Some(_) if dependency.role.is_peer() => rules.catalog_literal(name, &dependency.literal).to_string(),
        Some(bound) if graph.package_name(bound).as_str() == name => "workspace:*".to_owned(),
        Some(bound) => format!("workspace:{}@*", graph.package_name(bound)),
        None => rules.catalog_literal(name, &dependency.literal).to_string(),
    }
}

/// The first member's package.json, with what the project says about all packages.
fn project_text(project: &Project, graph: &Graph, members: &[DeployedMember]) -> Result<String> {
    let mut text = members[0].text.clone();
    let project_text = extended(&project.dir, &project.members.project.text)?;
    let root = json::parse(&project_text, Dialect::Relaxed).map_err(|_| problem::no_member(""))?;
    for field in PROJECT_FIELDS {
        if let Some(node) = root.find(field) {
            text = edit::set_field(&text, field, &project_text[node.start..node.end])?;
        }
    }
    let patches = used_patches(graph, &project.members.project.manifest);
    if !patches.is_empty() {
        text = edit::set_field(&text, "patchedDependencies", &object(&patches))?;
    }
    let paths: Vec<String> = members[1..].iter().map(|member| quoted(&member.path)).collect();
    if paths.is_empty() && members[0].manifest.workspaces.is_empty() {
        return Ok(text);
    }
    edit::set_field(&text, "workspaces", &format!("[{}]", paths.join(", ")))
}

/// With the settings of pnpm-workspace.yaml.
fn extended(dir: &Path, text: &str) -> Result<String> {
    let yaml = files::find_string(&dir.join(pnpm_workspace::FILE_NAME), pnpm_workspace::BYTES_MAX)?;
    match yaml {
        Some(yaml) => {
            let mut workspace = PnpmWorkspace::parse(&yaml)?;
            workspace.add_manifest(text);
            Ok(workspace.extend(text))
        }
        None => Ok(text.to_owned()),
    }
}

/// Patches of packages in the lockfile: `name@version` and the patch's path.
pub fn used_patches(graph: &Graph, manifest: &Manifest) -> Vec<(String, String)> {
    let labels: BTreeSet<String> = graph.package_ids().map(|id| graph.label(id)).collect();
    let is_used = |package: &str| {
        labels.contains(package)
            || labels.iter().any(|label| label.rsplit_once('@').is_some_and(|it| it.0 == package))
    };
    manifest.patched_dependencies.iter().filter(|(package, _)| is_used(package)).cloned().collect()
}

fn object(pairs: &[(String, String)]) -> String {
    let members: Vec<String> =
        pairs.iter().map(|(key, value)| format!("{}: {}", quoted(key), quoted(value))).collect();
    format!("{{ {} }}", members.join(", "))
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    quote_into(&mut out, text);
    out
}
