//! `rusk outdated`: direct dependencies with newer versions in the registry.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::mem::ManuallyDrop;
use std::sync::Arc;

use rusk_base::Result;
use rusk_configuration::request::Edit;
use rusk_install::{InstallEvent, Reporter, release_age};
use rusk_npm::graph::{PackageId, Role};
use rusk_npm::name::PackageName;
use rusk_npm::packument::Packument;
use rusk_npm::release_age::ReleaseAge;
use rusk_npm::semver::Version;
use rusk_query::members::members;
use rusk_query::outdated::{
    OutdatedDependency, WantedVersion, declared_literal, direct_dependencies, unmatched,
};
use rusk_query::record::{OutdatedRecord, OutdatedRow};
use rusk_registry::{Arrival, Client, FreshPackuments};
use rusk_resolver::{Versions, rules};
use rusk_scripts::Exit;

use super::installed_project::{InstalledProject, ProjectFiles, ProjectManifests, filter, omitted};
use super::query_record::RecordFile;
use super::{problem, table};
use crate::commands::registry::session::Session;
use crate::commands::request;
use crate::host;
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;
use rusk_screen::json::{array, line, object, string};
use rusk_screen::style::OutputStyle;

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
    if manifests.selects_none(invocation, screen)? {
        let text = if invocation.is_on(Flag::Json) { json(&[]) } else { String::new() };
        return screen.page(&text).map(|()| Exit::DONE);
    }
    let session = Session::open(invocation, environment, screen)?;
    let names = expected_names(&manifests, invocation);
    let project = ProjectFiles::with_lockfile(manifests)?;
    let record = match names.is_empty() {
        true => None,
        false => RecordFile::of("outdated", &project, &session, invocation)?,
    };
    // Taken before any packument is read, so that a later change shows.
    let stamp = record.as_ref().and_then(|_| session.client.packuments_stamp(host::now()));
    let known = record.zip(stamp);
    let report = match known.as_ref().and_then(|(record, stamp)| recorded(record, stamp, &session)) {
        Some(report) => report,
        None => {
            let (report, lasts) = ask(project, names, invocation, &session, screen)?;
            if let Some((record, packuments)) = known.filter(|_| lasts) {
                let report = OutdatedRecord { packuments, ..report.clone() };
                record.write(report.render(&record.inputs));
            }
            report
        }
    };
    let text = match invocation.is_on(Flag::Json) {
        true => json(&report.rows),
        false => text(&report, screen.style(), screen.page_columns()),
    };
    screen.page(&text).map(|()| Exit::DONE)
}

/// The result of the last run, if the registry would say the same today.
fn recorded(record: &RecordFile, stamp: &str, session: &Session) -> Option<OutdatedRecord> {
    let found = OutdatedRecord::parse(&record.read()?, &record.inputs)?;
    (found.packuments == *stamp && session.host.now_s < found.fresh_until_s).then_some(found)
}

/// Compares with what the registry says; whether the result is the same as long as the packuments
/// are.
fn ask(
    project: ProjectFiles,
    names: Vec<PackageName>,
    invocation: &Invocation,
    session: &Session,
    screen: &mut Screen,
) -> Result<(OutdatedRecord, bool)> {
    let fresh = FreshPackuments::new(&session.client, names);
    let (project, known) = open(project, &fresh, screen)?;
    // The process ends soon: freeing these takes longer than leaving them.
    let (project, known) = (ManuallyDrop::new(project), ManuallyDrop::new(known));
    let graph = &project.graph;
    // At the root, the workspaces count, too.
    let shown = match (project.selected(invocation, screen)?, project.member) {
        (Some(selected), _) => selected,
        (None, root) if root == members(graph)[0] => members(graph),
        (None, member) => vec![member],
    };
    let found = find(&project, &shown, invocation, session, &known, screen)?;
    let report = OutdatedRecord {
        fresh_until_s: fresh.fresh_until_s(),
        packuments: String::new(),
        shows_dependents: shown.len() > 1,
        rows: found.dependencies.iter().map(|found| row(&project, found)).collect(),
    };
    Ok((report, found.lasts && project.matches))
}

/// Parses the lockfile and, on another thread meanwhile, reads the cached packuments that will be
/// asked for.
fn open(
    project: ProjectFiles,
    fresh: &FreshPackuments<'_>,
    screen: &mut Screen,
) -> Result<(InstalledProject, KnownPackuments)> {
    if fresh.names() < NAMES_PER_THREAD_MIN {
        return Ok((InstalledProject::parse(project, screen)?, fresh.read().into_iter().collect()));
    }
    std::thread::scope(|scope| {
        let other = scope.spawn(|| fresh.read());
        let project = InstalledProject::parse(project, screen)?;
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

/// Direct dependencies that are not at their newest version.
pub struct FoundOutdated {
    pub dependencies: Vec<OutdatedDependency>,
    /// Whether this depends on known packuments only, and not on the age of versions.
    lasts: bool,
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
) -> Result<FoundOutdated> {
    let filter = filter(invocation)?;
    let graph = &project.graph;
    let rules = rules::of_manifest(&project.project.members.project.manifest);
    let literal_of = |member, dependency| {
        let dependency = graph.dependency(dependency);
        let name = graph.name(dependency.name);
        let literal = match project.manifest(member) {
            Some(own) => declared_literal(&own.manifest, dependency.role, name.as_str())?.into(),
            None => dependency.literal.clone(),
        };
        Some(rules::effective_literal(&rules, graph, member, name, &literal).to_string())
    };
    if let Some(name) = unmatched(graph, shown, &invocation.operands).first() {
        return Err(problem::no_such_dependency(name));
    }
    let direct = direct_dependencies(graph, shown, omitted(invocation), &filter, &literal_of);
    let names: BTreeSet<PackageName> = direct.iter().map(|dependency| dependency.name.clone()).collect();
    let flags = request::with_edit(invocation, Edit::None).release_age;
    let workspace = &project.project.members.project.release_age;
    let (age, _) = release_age(&flags, &session.configuration.defaults, workspace, session.host.now_s);
    let (packuments, lasts) = fetch(&session.client, &names, known, age.as_ref(), screen)?;
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
    Ok(FoundOutdated { dependencies: outdated, lasts })
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
/// Returns whether there was nothing to request, and no version is of an age that matters.
fn fetch(
    client: &Client,
    names: &BTreeSet<PackageName>,
    known: &KnownPackuments,
    age: Option<&ReleaseAge>,
    screen: &mut Screen,
) -> Result<(HashMap<PackageName, Versions>, bool)> {
    let mut found = HashMap::with_capacity(names.len());
    let mut lasts = names.iter().all(|name| known.contains_key(name));
    let mut in_full: BTreeSet<PackageName> = BTreeSet::new();
    let mut insert = |name: &PackageName, packument: Option<Arc<Packument>>, screen: &mut Screen| {
        let Some(packument) = packument else {
            screen.warning(&format!("the registry has no package `{name}`"));
            return Ok(());
        };
        let rule = age.and_then(|age| age.rule_for(name.as_str()));
        lasts &= !rule.as_ref().is_some_and(|rule| rule.may_be_young(&packument));
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
    Ok((found, lasts))
}

fn row(project: &InstalledProject, found: &OutdatedDependency) -> OutdatedRow {
    let dependency = project.graph.dependency(found.dependency);
    OutdatedRow {
        name: project.graph.name(dependency.name).to_string(),
        group: group_name(dependency.role).1.to_owned(),
        current: found.current.to_string(),
        update: found.update.to_string(),
        latest: found.latest.to_string(),
        dependent: project.member_name(found.member),
    }
}

fn text(report: &OutdatedRecord, style: &OutputStyle, columns_max: Option<usize>) -> String {
    if report.rows.is_empty() {
        return UP_TO_DATE.to_owned();
    }
    let mut head = vec!["Package", "Current", "Update", "Latest"];
    head.extend(report.shows_dependents.then_some("Workspace"));
    let rows = report.rows.iter().map(|row| {
        let group = match row.group.as_str() {
            "devDependencies" => " (dev)",
            "optionalDependencies" => " (optional)",
            "peerDependencies" => " (peer)",
            _ => "",
        };
        let name = format!("{}{group}", row.name);
        let mut cells = vec![name, row.current.clone(), row.update.clone(), row.latest.clone()];
        cells.extend(report.shows_dependents.then(|| row.dependent.clone()));
        cells
    });
    table::render(&head, &rows.collect::<Vec<_>>(), style, columns_max)
}

/// npm's object: by name, with an array where several packages of the project depend on it.
fn json(rows: &[OutdatedRow]) -> String {
    let mut by_name: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in rows {
        let entry = object(&[
            ("current", string(&row.current)),
            ("wanted", string(&row.update)),
            ("latest", string(&row.latest)),
            ("dependent", string(&row.dependent)),
            ("type", string(&row.group)),
        ]);
        by_name.entry(&row.name).or_default().push(entry);
    }
    let members = by_name.into_iter().map(|(name, mut entries)| match entries.len() {
        1 => (name, entries.remove(0)),
        _ => (name, array(entries.into_iter())),
    });
    line(&members.collect::<Vec<_>>())
}
