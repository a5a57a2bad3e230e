//! What yarn.lock of Yarn 2 and newer does not say: integrity of tarballs, as its checksums are of
//! Yarn's own archives, and packages for peers that no dependent provides, which Yarn does not
//! install. In: the project. Out: its graph with both, from the registry. Absent: other versions of
//! what is locked.

use rusk_base::Result;
use rusk_configuration::{effective, settings};
use rusk_lockfiles::bun::BunDetails;
use rusk_lockfiles::{FormatDetails, Lockfile};
use rusk_npm::graph::{Graph, PackageId};
use rusk_npm::integrity::Integrity;
use rusk_registry::Client;
use rusk_resolver::{MetadataSource, Update};
use rusk_store::Package;

use super::MigrationHost;
use crate::context::ProjectRoot;
use crate::package_provider::PackageProvider;

pub fn completed(dir: &std::path::Path, lockfile: &Lockfile, with: &mut MigrationHost<'_>) -> Result<Graph> {
    let MigrationHost { request, host, reporter } = with;
    let context = ProjectRoot::find(dir, request, host)?.open(request, host, *reporter)?;
    let request = &effective::request(request, &context.configuration.defaults);
    let client = Client::start(settings::of(&context.configuration, request, host))?;
    let offer = |_: &Package| {};
    let mut provider = context.provider(&client, request, host, *reporter, &offer);
    // In the format of bun, peers are installed.
    let old = Lockfile { details: FormatDetails::Bun(BunDetails::default()), ..lockfile.clone() };
    let members = &context.project.members;
    let resolution = rusk_resolver::resolve(members, Some(&old), &Update::Nothing, &mut provider)?;
    let mut graph = resolution.graph;
    let unverified: Vec<PackageId> = graph
        .package_ids()
        .filter(|&id| graph.package(id).source.npm_version().is_some())
        .filter(|&id| graph.package(id).integrity.is_none())
        .collect();
    for &id in &unverified {
        provider.request(graph.package_name(id));
    }
    for id in unverified {
        let integrity = integrity(&graph, id, &mut provider)?;
        graph.package_mut(id).integrity = integrity;
    }
    Ok(graph)
}

/// `None` if the registry has none.
fn integrity(graph: &Graph, id: PackageId, provider: &mut PackageProvider<'_>) -> Result<Option<Integrity>> {
    let name = graph.package_name(id);
    let Some(version) = graph.package(id).source.npm_version() else { return Ok(None) };
    provider.request(name);
    let Some(packument) = provider.packument_with(name, version)? else { return Ok(None) };
    let release = packument.find(&version.to_string()).and_then(|at| packument.release(at));
    Ok(release.and_then(|release| {
        let shasum = || release.shasum.and_then(Integrity::from_shasum);
        release.integrity.and_then(Integrity::parse).or_else(shasum)
    }))
}
