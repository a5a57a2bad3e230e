//! What a lockfile of Yarn 1 does not state. In: its graph. Out: the platforms of optional
//! packages, from their packuments, and the programs of local ones, from their package.json.
//! Absent: other packages, whose programs and peers are known once they are unpacked.

pub mod peers;

use std::collections::BTreeSet;

use rusk_base::Result;
use rusk_npm::graph::{Constraints, Graph, PackageId, Role, Source};
use rusk_resolver::MetadataSource;

use crate::package_provider::PackageProvider;

pub fn complete(graph: &mut Graph, provider: &mut PackageProvider<'_>) -> Result<()> {
    for id in graph.package_ids() {
        let source = graph.package(id).source.clone();
        if matches!(source, Source::Directory { .. } | Source::Link { .. })
            && let Ok(found) = provider.fetch_manifest(&source)
        {
            graph.package_mut(id).bin = rusk_resolver::bin(&found.manifest);
        }
    }
    let optional = optional_releases(graph);
    for &id in &optional {
        provider.request(graph.package_name(id));
    }
    for id in optional {
        let name = graph.package_name(id).clone();
        let Some(version) = graph.package(id).source.npm_version().cloned() else { continue };
        // A package that the registry lacks may still be in the store.
        let Some(packument) = provider.packument_with(&name, &version)? else { continue };
        let release = packument.find(&version.to_string()).and_then(|found| packument.release(found));
        if let Some(release) = release {
            graph.package_mut(id).constraints = Constraints::of(&release.os, &release.cpu, &release.libc);
        }
    }
    Ok(())
}

/// Only packages that an install may go on without can be for another platform.
fn optional_releases(graph: &Graph) -> BTreeSet<PackageId> {
    let all = graph.package_ids().flat_map(|package| graph.dependencies_of(package));
    let optional = all.filter(|&id| graph.dependency(id).role == Role::Optional);
    let bound = optional.filter_map(|id| graph.binding(id));
    bound.filter(|&id| graph.package(id).source.npm_version().is_some()).collect()
}
