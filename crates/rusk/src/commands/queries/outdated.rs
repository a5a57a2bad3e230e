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
use rusk_registry::{Arrival, Client, FreshPackuments};
use rusk_resolver::{Versions, rules};
use rusk_scripts::Exit;

use super::installed_project::{InstalledProject, ProjectManifests, filter, omitted};
use super::table;
use crate::commands::registry::session::Session;
use crate::commands::request;
use crate::screen::Screen;
use crate::screen::json::{array, line, object, string};
use crate::screen::style::OutputStyle;
use rusk_command_line::flags::{Flag, Invocation};

/// Cached packuments that are read before a second thread helps: starting it takes as long as
/// reading twenty of them.
const NAMES_PER_THREAD_MIN: usize = 64;

/// Packuments that may be used without a request.
pub type KnownPackuments = HashMap<PackageName, Arc<Packument>>;

pub const UP_TO_DATE: &str = "all direct dependencies are at their newest version\n";

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let manifests = ProjectManifests::read(invocation)?;
    let session = Session::open(invocation, environment, screen)?;
    let (project, fresh) = open(manifests, invocation, &session.client, screen)?;
    // The process ends soon: freeing these takes longer than leaving them.
    let (project, fresh) = (ManuallyDrop::new(project), ManuallyDrop::new(fresh));
    let graph = &project.graph;
    // At the root, the workspaces count, too.
    let shown = match (project.selected(invocation, screen)?, project.member) {
        (Some(selected), _) => selected,
        (None, root) if root == members(graph)[0] => members(graph),
        (None, member) => vec![member],
    };
    let outdated = find(&project, &shown, invocation, &session, &fresh, screen)?;
    let text = match invocation.is_on(Flag::Json) {
        true => json(&project, &outdated),
        false => text(&project, &outdated, shown.len() > 1, screen.style()),
    };
    screen.page(&text).map(|()| Exit::DONE)
}

/// Reads the lockfile and, on another thread meanwhile, the cached packuments that will be asked
/// for.
fn open(
    manifests: ProjectManifests,
    invocation: &Invocation,
    client: &Client,
    screen: &mut Screen,
) -> Result<(InstalledProject, KnownPackuments)> {
    let names = expected_names(&manifests, invocation);
    if names.len() < NAMES_PER_THREAD_MIN {
        return Ok((InstalledProject::with_lockfile(manifests, screen)?, KnownPackuments::new()));
    }
    let fresh = FreshPackuments::new(client, names);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| fresh.read());
        let project = InstalledProject::with_lockfile(manifests, screen)?;
        let mut known: KnownPackuments = fresh.read().into_iter().collect();
        known.extend(other.join().expect("reading the cache does not panic"));
        Ok((project, known))
    })
}

/// Names that a command without a selection asks for: those with a range or a tag in a manifest. An
/// override may replace some; nothing is requested for a name that is only expected.
fn expected_names(manifests: &ProjectManifests, invocation: &Invocation) -> Vec<PackageName> {
    if !manifests.is_at_root() || !invocation.operands.is_empty() {
        return Vec::new();
    }
    let groups = manifests.members.all().flat_map(|member| {
        let manifest = &member.manifest;
        [&manifest.dependencies, &manifest.dev_dependencies, &manifest.optional_dependencies]
    });
    let published = groups.flatten().filter(|(_, literal)| !literal.contains([':', '/']));
    let names: BTreeSet<&str> = published.map(|(name, _)| name.as_str()).collect();
    names.into_iter().filter_map(|name| PackageName::parse(name).ok()).collect()
}

/// The direct dependencies of these members that are not at their latest version. `known`:
/// packuments that need no request.
pub fn find(
    project: &InstalledProject,
    shown: &[PackageId],
    invocation: &Invocation,
    session: &Session,
    known: &KnownPackuments,
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
    let names: BTreeSet<PackageName> = direct.iter().map(|dependency| dependency.name.clone()).collect();
    let flags = request::with_edit(invocation, Edit::None).release_age;
    let workspace = &project.project.members.project.release_age;
    let (age, _) = release_age(&flags, &session.configuration.defaults, workspace, session.host.now_s);
    let packuments = fetch(&session.client, &names, known, age.as_ref(), screen)?;
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
    known: &KnownPackuments,
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
    for name in names {
        match known.get(name) {
            Some(packument) => insert(name, Some(Arc::clone(packument)), screen)?,
            None => {
                if let Some(result) = client.request_packument(name) {
                    insert(name, result?, screen)?;
                }
            }
        }
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
