//! `rusk outdated`: direct dependencies with newer versions in the registry.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::mem::ManuallyDrop;
use std::sync::Arc;

use rusk_base::Result;
use rusk_install::request::Edit;
use rusk_install::{InstallEvent, Reporter, release_age};
use rusk_npm::graph::{PackageId, Role};
use rusk_npm::name::PackageName;
use rusk_npm::packument::Packument;
use rusk_npm::release_age::ReleaseAge;
use rusk_npm::semver::Version;
use rusk_query::members::members;
use rusk_query::outdated::{OutdatedDependency, WantedVersion, direct_dependencies};
use rusk_registry::{Arrival, Client};
use rusk_resolver::{Versions, rules};
use rusk_scripts::Exit;

use super::installed_project::{InstalledProject, filter, omitted};
use super::table;
use crate::commands::registry::session::Session;
use crate::commands::request;
use crate::screen::Screen;
use crate::screen::json::{array, line, object, string};
use crate::screen::style::OutputStyle;
use rusk_command_line::flags::{Flag, Invocation};

pub const UP_TO_DATE: &str = "all direct dependencies are at their newest version\n";

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    // The process ends soon: freeing a graph takes longer than leaving it.
    let project = ManuallyDrop::new(InstalledProject::open(invocation, screen)?);
    let graph = &project.graph;
    // At the root, the workspaces count, too.
    let shown = match (project.selected(invocation, screen)?, project.member) {
        (Some(selected), _) => selected,
        (None, root) if root == members(graph)[0] => members(graph),
        (None, member) => vec![member],
    };
    let outdated = find(&project, &shown, invocation, environment, screen)?;
    let text = match invocation.is_on(Flag::Json) {
        true => json(&project, &outdated),
        false => text(&project, &outdated, shown.len() > 1, screen.style()),
    };
    screen.page(&text).map(|()| Exit::DONE)
}

/// The direct dependencies of these members that are not at their latest version.
pub fn find(
    project: &InstalledProject,
    shown: &[PackageId],
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Vec<OutdatedDependency>> {
    let filter = filter(invocation)?;
    let graph = &project.graph;
    let rules = rules::of_manifest(&project.project.members.project.manifest);
    let literal_of = |member, dependency| {
        let dependency = graph.dependency(dependency);
        let name = graph.name(dependency.name);
        rules::effective_literal(&rules, graph, member, name, &dependency.literal).to_string()
    };
    let direct = direct_dependencies(graph, shown, omitted(invocation), &filter, &literal_of);
    let session = Session::open(invocation, environment, screen)?;
    let names: BTreeSet<PackageName> = direct.iter().map(|dependency| dependency.name.clone()).collect();
    let flags = request::with_edit(invocation, Edit::None).release_age;
    let workspace = &project.project.members.project.release_age;
    let (age, _) = release_age(&flags, &session.configuration.defaults, workspace, session.host.now_s);
    let packuments = fetch(&session.client, &names, age.as_ref(), screen)?;
    let mut outdated = Vec::new();
    for dependency in &direct {
        let Some(versions) = packuments.get(&dependency.name) else { continue };
        let version_of = |found: Option<(Version, _)>| found.map(|(version, _)| version);
        let update = match &dependency.wanted {
            WantedVersion::Range(range) => version_of(versions.pick(range)),
            WantedVersion::DistTag(tag) => version_of(versions.tagged(tag)),
        };
        outdated.extend(dependency.compare(update, version_of(versions.tagged("latest"))));
    }
    Ok(outdated)
}

/// Position and name of a group in package.json.
pub fn group_name(role: Role) -> (u8, &'static str) {
    match role {
        Role::Production | Role::Workspace => (0, "dependencies"),
        Role::Development => (1, "devDependencies"),
        Role::Optional => (2, "optionalDependencies"),
        Role::Peer | Role::OptionalPeer => (3, "peerDependencies"),
    }
}

/// Requests all packuments at once. Those that the registry does not have are named in a warning.
fn fetch(
    client: &Client,
    names: &BTreeSet<PackageName>,
    age: Option<&ReleaseAge>,
    screen: &mut Screen,
) -> Result<HashMap<PackageName, Versions>> {
    let mut found = HashMap::with_capacity(names.len());
    let mut in_full: BTreeSet<PackageName> = BTreeSet::new();
    let mut insert = |name: &PackageName, packument: Option<Arc<Packument>>, screen: &mut Screen| {
        let Some(packument) = packument else {
            screen.warning(&format!("the registry has no package `{name}`"));
            return Ok(());
        };
        let rule = age.and_then(|age| age.rule_for(name.as_str()));
        // Where publish times decide, the abbreviated document is not enough.
        if rule.as_ref().is_some_and(|rule| rule.needs_times(&packument)) && in_full.insert(name.clone()) {
            return client.request_full_packument(name);
        }
        found.insert(name.clone(), Versions::of(packument, rule));
        Ok(())
    };
    let names: Vec<&PackageName> = names.iter().collect();
    for (name, result) in client.request_packuments(&names) {
        insert(name, result?, screen)?;
    }
    while let Some(arrival) = client.next() {
        match arrival {
            Arrival::Packument { name, result } => insert(&name, result?, screen)?,
            Arrival::Waiting { subject, waited } => {
                screen.on_event(InstallEvent::Waiting { subject: &subject, waited });
            }
            _ => {}
        }
    }
    Ok(found)
}

fn text(
    project: &InstalledProject,
    outdated: &[OutdatedDependency],
    with_workspace: bool,
    style: &OutputStyle,
) -> String {
    if outdated.is_empty() {
        return UP_TO_DATE.to_owned();
    }
    let graph = &project.graph;
    let mut head = vec!["Package", "Current", "Update", "Latest"];
    head.extend(with_workspace.then_some("Workspace"));
    let rows = outdated.iter().map(|row| {
        let dependency = graph.dependency(row.dependency);
        let group = match dependency.role {
            Role::Development => " (dev)",
            Role::Optional => " (optional)",
            Role::Peer | Role::OptionalPeer => " (peer)",
            Role::Production | Role::Workspace => "",
        };
        let mut cells = vec![
            format!("{}{group}", graph.name(dependency.name)),
            row.current.to_string(),
            row.update.to_string(),
            row.latest.to_string(),
        ];
        cells.extend(with_workspace.then(|| project.member_name(row.member)));
        cells
    });
    table::render(&head, &rows.collect::<Vec<_>>(), style)
}

/// npm's object: by name, with an array where several packages of the project depend on it.
fn json(project: &InstalledProject, outdated: &[OutdatedDependency]) -> String {
    let graph = &project.graph;
    let mut by_name: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in outdated {
        let dependency = graph.dependency(row.dependency);
        let (_, group) = group_name(dependency.role);
        let entry = object(&[
            ("current", string(&row.current.to_string())),
            ("wanted", string(&row.update.to_string())),
            ("latest", string(&row.latest.to_string())),
            ("dependent", string(&project.member_name(row.member))),
            ("type", string(group)),
        ]);
        by_name.entry(graph.name(dependency.name).as_str()).or_default().push(entry);
    }
    let members = by_name.into_iter().map(|(name, mut entries)| match entries.len() {
        1 => (name, entries.remove(0)),
        _ => (name, array(entries.into_iter())),
    });
    line(&members.collect::<Vec<_>>())
}
