//! What a lockfile may repeat of a package beside the graph. In: a package of a resolved graph.
//! Out: `engines`, platforms and more, from the packument or the package.json that resolved it.

use rusk_lockfiles::ReleaseFacts;
use rusk_npm::graph::{Graph, PackageId, Source};
use rusk_npm::manifest::Manifest;
use rusk_npm::packument::Release;
use rusk_resolver::MetadataSource;

use crate::package_provider::PackageProvider;

/// `None` for a package whose metadata is not at hand.
pub fn release_facts(
    graph: &Graph,
    id: PackageId,
    provider: &mut PackageProvider<'_>,
) -> Option<ReleaseFacts> {
    let source = &graph.package(id).source;
    if let Source::Link { path } = source {
        let text = provider.directory_manifest(path).ok()?;
        return Some(ReleaseFacts { manifest_text: Some(text), ..ReleaseFacts::default() });
    }
    let Some(version) = source.npm_version() else {
        return provider.fetch_manifest(source).ok().map(|found| facts_of_manifest(found.manifest));
    };
    let name = graph.package_name(id);
    provider.request(name);
    let packument = provider.packument_with(name, version).ok()??;
    let release = packument.release(packument.find(&version.to_string())?)?;
    Some(facts_of_release(&release))
}

fn facts_of_release(release: &Release<'_>) -> ReleaseFacts {
    let owned = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
    let engines = release.engines.iter();
    ReleaseFacts {
        engines: engines.map(|(name, range)| ((*name).to_owned(), (*range).to_owned())).collect(),
        os: owned(&release.os),
        cpu: owned(&release.cpu),
        libc: owned(&release.libc),
        optional_peers: owned(&release.optional_peers),
        deprecated: release.deprecated.map(str::to_owned),
        license: release.license.map(str::to_owned),
        funding: release.funding.map(str::to_owned),
        shasum: release.shasum.map(str::to_owned),
        ..ReleaseFacts::default()
    }
}

fn facts_of_manifest(manifest: Manifest) -> ReleaseFacts {
    let Manifest { version, engines, os, cpu, libc, .. } = manifest;
    ReleaseFacts { version, engines, os, cpu, libc, ..ReleaseFacts::default() }
}
