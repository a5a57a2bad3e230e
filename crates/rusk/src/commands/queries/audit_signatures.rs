//! `rusk audit signatures`: whether the packages of the lockfile are signed by their registries.
//! Absent: attestations, which are counted and not verified.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use rusk_base::Result;
use rusk_install::{InstallEvent, Reporter};
use rusk_npm::graph::{Graph, Package, PackageId};
use rusk_npm::name::PackageName;
use rusk_npm::packument::Packument;
use rusk_query::members::{members, reachable};
use rusk_registry::{ApiRequest, Arrival, Client};
use rusk_scripts::Exit;
use rusk_signatures::report::{self, Audited};
use rusk_signatures::{RegistryKeys, Verdict, VersionDocument, expires, verify};

use super::installed_project::{InstalledProject, omitted};
use super::problem;
use crate::commands::registry::problem as registry_problem;
use crate::commands::registry::session::{Session, refused};
use crate::flags::{Flag, Invocation};
use crate::screen::Screen;

/// As many as npm; a registry limits what one client may ask for at once.
const REQUESTS_MAX: usize = 20;

pub fn run(session: &Session, invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    let project = InstalledProject::open(invocation, screen)?;
    let graph = &project.graph;
    let from = project.selected(invocation, screen)?.unwrap_or_else(|| members(graph));
    let reached = reachable(graph, &from, omitted(invocation));
    let mut packages: Vec<PackageId> = reached.into_iter().collect();
    packages.retain(|id| graph.package(*id).source.npm_version().is_some());
    packages.sort_by_key(|id| graph.label(*id));
    let keys = keys_of_registries(session, &project, &packages)?;
    packages.retain(|id| keys.contains_key(session.registry(Some(graph.package_name(*id)))));
    if packages.is_empty() {
        return Err(problem::nothing_signed());
    }
    let documents = fetch_documents(&session.client, graph, &packages)?;
    let registry_keys = |id: PackageId| &keys[session.registry(Some(graph.package_name(id)))];
    let expiring = packages.iter().zip(&documents);
    let expiring = expiring.filter_map(|(&id, document)| Some((id, expires(document, registry_keys(id))?)));
    let times = publish_times(session, graph, &expiring.collect::<Vec<_>>(), screen)?;
    let audited = packages.iter().zip(documents).map(|(&package, document)| {
        let name = graph.package_name(package);
        let registry = session.registry(Some(name)).to_owned();
        let Package { source, integrity, .. } = graph.package(package);
        let published_s = times.get(&package).copied();
        let label = graph.label(package);
        let verdict = verify(&label, &document, integrity.as_ref(), registry_keys(package), published_s);
        Audited { name: name.to_string(), version: source.text(), registry, document, verdict }
    });
    let audited: Vec<Audited> = audited.collect();
    let text = match invocation.is_on(Flag::Json) {
        true => report::json(&audited),
        false => report::text(&audited),
    };
    screen.page(&text)?;
    let is_clean = audited.iter().all(|one| one.verdict == Verdict::Verified);
    Ok(if is_clean { Exit::DONE } else { Exit::Code(1) })
}

/// The keys of each registry that has some.
fn keys_of_registries(
    session: &Session,
    project: &InstalledProject,
    packages: &[PackageId],
) -> Result<BTreeMap<String, RegistryKeys>> {
    let names = packages.iter().map(|id| project.graph.package_name(*id));
    let registries: BTreeSet<String> = names.map(|name| session.registry(Some(name)).to_owned()).collect();
    let mut found = BTreeMap::new();
    for registry in registries {
        let request = ApiRequest::get(format!("{registry}-/npm/v1/keys"), "the public keys".to_owned());
        let response = session.client.call(request.clone())?;
        // As npm: these say that the registry signs nothing.
        if matches!(response.status, 400 | 404) {
            continue;
        }
        if !response.is_success() {
            return Err(refused(&request, &response));
        }
        let keys = RegistryKeys::parse(&String::from_utf8_lossy(&response.body));
        let keys = keys.ok_or_else(|| registry_problem::bad_registry_answer(&request.subject))?;
        if !keys.is_empty() {
            found.insert(registry, keys);
        }
    }
    Ok(found)
}

/// The document of each version, in the order of the packages.
fn fetch_documents(client: &Client, graph: &Graph, packages: &[PackageId]) -> Result<Vec<VersionDocument>> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<Result<VersionDocument>>>> = Mutex::new(vec![]);
    results.lock().expect("no thread runs yet").resize_with(packages.len(), || None);
    thread::scope(|scope| {
        for _ in 0..REQUESTS_MAX.min(packages.len()) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&package) = packages.get(at) else { return };
                    let document = fetch_document(client, graph, package);
                    results.lock().expect("no holder of this lock panics")[at] = Some(document);
                }
            });
        }
    });
    let results = results.into_inner().expect("no holder of this lock panics");
    results.into_iter().flatten().collect()
}

fn fetch_document(client: &Client, graph: &Graph, package: PackageId) -> Result<VersionDocument> {
    let version = graph.package(package).source.text();
    let url = client.package_url(graph.package_name(package), &format!("/{version}"));
    let request = ApiRequest::get(url, format!("the document of `{}`", graph.label(package)));
    let response = client.call(request.clone())?;
    if !response.is_success() {
        return Err(refused(&request, &response));
    }
    let document = VersionDocument::parse(&String::from_utf8_lossy(&response.body));
    document.ok_or_else(|| registry_problem::bad_registry_answer(&request.subject))
}

/// When packages were published that are signed with a key that expires, by package. The time of
/// the last change is enough if the key expired after it; only otherwise the full packument, which
/// has the publish times, is fetched.
fn publish_times(
    session: &Session,
    graph: &Graph,
    expiring: &[(PackageId, u64)],
    screen: &mut Screen,
) -> Result<HashMap<PackageId, u64>> {
    let mut packages: BTreeMap<PackageName, Vec<(PackageId, u64)>> = BTreeMap::new();
    for &(package, expires_s) in expiring {
        packages.entry(graph.package_name(package).clone()).or_default().push((package, expires_s));
    }
    let mut times = HashMap::new();
    let mut in_full: BTreeSet<PackageName> = BTreeSet::new();
    let mut on_packument = |name: &PackageName, packument: Option<Arc<Packument>>| {
        let Some(packument) = packument else { return Ok(()) };
        for &(package, expires_s) in &packages[name] {
            let version = packument.find(&graph.package(package).source.text());
            let published_s = version.and_then(|version| packument.published_s(version));
            let modified_s = packument.modified_s().filter(|modified_s| *modified_s < expires_s);
            match published_s.or(modified_s) {
                Some(time_s) => drop(times.insert(package, time_s)),
                None if in_full.insert(name.clone()) => return session.client.request_full_packument(name),
                None => {}
            }
        }
        Ok(())
    };
    for name in packages.keys() {
        if let Some(result) = session.client.request_packument(name) {
            on_packument(name, result?)?;
        }
    }
    while let Some(arrival) = session.client.next() {
        match arrival {
            Arrival::Packument { name, result } => on_packument(&name, result?)?,
            Arrival::Waiting { subject, waited } => {
                screen.on_event(InstallEvent::Waiting { subject: &subject, waited });
            }
            _ => {}
        }
    }
    Ok(times)
}
