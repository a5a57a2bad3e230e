//! Fetches every tarball that the plan needs into the store.

use std::collections::{HashMap, VecDeque};

use rusk_base::Result;
use rusk_configuration::request::{BlockedScripts, Goal, InstallRequest};
use rusk_npm::graph::{Graph, PackageId, Source};
use rusk_npm::name::PackageName;
use rusk_npm::script_approvals::DirectKeys;
use rusk_resolver::hoist::DependencyFilter;
use rusk_store::{Key, Package};

use crate::context::InstallContext;
use crate::decide::Decision;
use crate::event::{InstallEvent, Phase};
use crate::package_provider::PackageProvider;
use crate::patches::{PatchFile, Patches};
use crate::plan::{Origin, Plan};
use crate::selection::install_filter;
use crate::store_keys;
use crate::summary::Summary;

/// Packages of the store by their stamp in the plan.
pub type Packages = HashMap<String, Package>;

/// Packages of the store by their id in a graph.
pub type FetchedPackages = Vec<(PackageId, Package)>;

/// Requests the packages that will most likely be installed, so that they are linked, or arrive,
/// during planning.
pub fn prefetch_all(
    context: &InstallContext,
    request: &InstallRequest,
    graph: &Graph,
    keys: &store_keys::StoreKeys<'_>,
    provider: &mut PackageProvider<'_>,
) -> Result<()> {
    prefetch(context, request, graph, keys, provider, &|_| true)
}

/// The same, but of those that are missing in the store only what `is_wanted`.
pub fn prefetch(
    context: &InstallContext,
    request: &InstallRequest,
    graph: &Graph,
    keys: &store_keys::StoreKeys<'_>,
    provider: &mut PackageProvider<'_>,
    is_wanted: &dyn Fn(&Key) -> bool,
) -> Result<()> {
    let filter = install_filter(context, request, graph);
    let (mut visited, mut packages) = (vec![false; graph.len()], VecDeque::from([PackageId(0)]));
    while let Some(package) = packages.pop_front() {
        if let Some(key) = keys.find(graph, package)
            && !provider.downloads.find_prefetched(key)?
            && is_wanted(key)
            && let Some(download) =
                store_keys::download_request(graph, package, &context.configuration, request.verify)
        {
            provider.downloads.request(provider.client, download);
        }
        for id in graph.dependencies_of(package).filter(|&id| filter.includes(graph, package, id)) {
            let found = graph.binding(id).filter(|found| !visited[found.0 as usize]);
            if let Some(found) = found {
                visited[found.0 as usize] = true;
                packages.push_back(found);
            }
        }
    }
    Ok(())
}

/// Requests missing packages, waits for them, and finds everything that the plan installs in the
/// store.
pub fn fetch(
    context: &InstallContext,
    request: &InstallRequest,
    decision: &Decision,
    plan: &Plan,
    store_keys: &store_keys::StoreKeys<'_>,
    mut provider: PackageProvider<'_>,
    summary: &mut Summary,
) -> Result<Packages> {
    if request.goal == Goal::LockfileOnly {
        return Ok(Packages::new());
    }
    let mut keys: Vec<(String, Key)> = Vec::new();
    let mut non_registry: Vec<(String, Package)> = Vec::new();
    let mut unpatched: Vec<UnpatchedPackage<'_>> = Vec::new();
    for (stamp, package) in required_packages(context, request, decision, plan) {
        let graph = &decision.graph;
        let Some(key) = store_keys.find(graph, package) else {
            let entry = graph.package(package);
            let found =
                provider.fetch_package(graph.package_name(package), &entry.source, entry.integrity)?;
            non_registry.push((stamp, found));
            continue;
        };
        let patch = store_keys.patch(graph, package);
        if patch.is_some()
            && let Some(found) = context.store.find(key)?
        {
            non_registry.push((stamp, found));
            continue;
        }
        let needed = patch.as_ref().map_or(key, |(_, original)| original);
        if !provider.downloads.require(needed)?
            && let Some(download) =
                store_keys::download_request(graph, package, &context.configuration, request.verify)
        {
            provider.downloads.request(provider.client, download);
        }
        match patch {
            Some((patch, original)) => {
                unpatched.push(UnpatchedPackage { stamp, patch, original, key: key.clone() });
            }
            None => keys.push((stamp, key.clone())),
        }
    }
    // Reported even if all have arrived: the events must not depend on timing.
    if provider.downloads.tally().requested > 0 {
        provider.reporter.on_event(InstallEvent::Phase(Phase::Fetch));
    }
    if !provider.downloads.is_complete() {
        provider.downloads.offer_found();
    }
    provider.receive_tarballs()?;
    let tally = provider.downloads.tally();
    (summary.fetched, summary.fetched_bytes) = (tally.received, tally.bytes);
    let mut found = provider.downloads.finish()?;
    let mut packages: Packages =
        keys.into_iter().filter_map(|(stamp, key)| Some((stamp, found.remove(&key)?))).collect();
    packages.extend(non_registry);
    for UnpatchedPackage { stamp, patch, original, key } in unpatched {
        if let Some(original) = found.get(&original) {
            packages.insert(stamp, patch.apply(&context.store, original, &key)?);
        }
    }
    Ok(packages)
}

/// Fetches all packages that this platform would install, whether node_modules has them or not.
pub fn fetch_graph(
    context: &InstallContext,
    request: &InstallRequest,
    graph: &Graph,
    mut provider: PackageProvider<'_>,
) -> Result<Summary> {
    let (direct, _) = request_graph(context, request, graph, &mut provider)?;
    let tally = provider.downloads.tally();
    let summary = Summary {
        installed: direct.len(),
        fetched: tally.received,
        fetched_bytes: tally.bytes,
        ..Summary::default()
    };
    provider.downloads.finish()?;
    Ok(summary)
}

/// As [`fetch_graph`]. Returns the packages, patched as they would be installed.
pub fn fetch_packages(
    context: &InstallContext,
    request: &InstallRequest,
    graph: &Graph,
    mut provider: PackageProvider<'_>,
) -> Result<FetchedPackages> {
    let (ids, mut fetched) = request_graph(context, request, graph, &mut provider)?;
    let found = provider.downloads.finish()?;
    let originals = Patches::default();
    let originals = store_keys::StoreKeys::of(graph, &context.configuration, &originals, request.verify);
    let keys = store_keys::StoreKeys::of(graph, &context.configuration, &context.patches, request.verify);
    for id in ids {
        let original = originals.find(graph, id).and_then(|key| found.get(key));
        let Some((original, key)) = original.zip(keys.find(graph, id)) else { continue };
        let package = match keys.patch(graph, id) {
            Some((patch, _)) => patch.apply(&context.store, original, key)?,
            None => original.clone(),
        };
        fetched.push((id, package));
    }
    Ok(fetched)
}

/// Requests all packages and waits for them. Returns their ids, and those that are in no registry.
fn request_graph(
    context: &InstallContext,
    request: &InstallRequest,
    graph: &Graph,
    provider: &mut PackageProvider<'_>,
) -> Result<(Vec<PackageId>, FetchedPackages)> {
    let (mut ids, mut non_registry) = (Vec::new(), Vec::new());
    // Patches are applied by the install.
    let patches = Patches::default();
    let keys = store_keys::StoreKeys::of(graph, &context.configuration, &patches, request.verify);
    for package in installable(context, request, graph) {
        let entry = graph.package(package);
        let is_fetched = !matches!(
            entry.source,
            Source::Root | Source::Workspace { .. } | Source::Link { .. } | Source::Directory { .. }
        );
        if !is_fetched {
            continue;
        }
        ids.push(package);
        match keys.find(graph, package) {
            None => {
                let name = graph.package_name(package);
                let found = provider.fetch_package(name, &entry.source, entry.integrity)?;
                non_registry.push((package, found));
            }
            Some(key) if provider.downloads.require(key)? => {}
            Some(_) => {
                let download =
                    store_keys::download_request(graph, package, &context.configuration, request.verify);
                if let Some(download) = download {
                    provider.downloads.request(provider.client, download);
                }
            }
        }
    }
    provider.receive_tarballs()?;
    Ok((ids, non_registry))
}

/// The packages that are reached by dependencies which are installed.
fn installable(context: &InstallContext, request: &InstallRequest, graph: &Graph) -> Vec<PackageId> {
    let filter = install_filter(context, request, graph);
    let mut visited = vec![false; graph.len()];
    let (mut found, mut next) = (vec![PackageId(0)], 0);
    while let Some(&package) = found.get(next) {
        next += 1;
        for id in graph.dependencies_of(package).filter(|&id| filter.includes(graph, package, id)) {
            let bound = graph.binding(id).filter(|bound| !visited[bound.0 as usize]);
            if let Some(bound) = bound {
                visited[bound.0 as usize] = true;
                found.push(bound);
            }
        }
    }
    found
}

/// A package whose patch is applied once it has arrived.
struct UnpatchedPackage<'a> {
    stamp: String,
    patch: &'a PatchFile,
    original: Key,
    /// Of the patched package.
    key: Key,
}

/// The packages of the store that the plan uses: those it installs, and for their programs those
/// that stay.
/// When nothing is to be linked, only those whose scripts may be approved; with
/// `--fail-on-blocked`, all.
fn required_packages(
    context: &InstallContext,
    request: &InstallRequest,
    decision: &Decision,
    plan: &Plan,
) -> Vec<(String, PackageId)> {
    let approvals = &context.project.members.project.manifest.script_approvals;
    let names_all = request.dependency_scripts.blocked == BlockedScripts::Refused;
    if plan.is_empty() && approvals.is_empty() && !names_all {
        return Vec::new();
    }
    let from_store = plan.locations.iter().filter(|location| location.origin == Origin::Store);
    let shared = plan.shared.iter().flat_map(|shared| shared.missing_packages());
    let mut required: Vec<(String, PackageId)> =
        from_store.chain(shared).map(|location| (location.stamp.clone(), location.package)).collect();
    required.sort();
    required.dedup_by(|a, b| a.0 == b.0);
    if plan.is_empty() && !names_all {
        let registry_of = |name: &PackageName| context.configuration.registry_of(name);
        let keys = DirectKeys::of(&decision.graph, &registry_of);
        required.retain(|(_, package)| approvals.may_approve(&keys.subject(*package)));
    }
    required
}
