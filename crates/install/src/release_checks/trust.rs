//! Refuses newly chosen versions whose publisher's trust fell. In: a resolution. Out: an error that
//! names them. The abbreviated document shows most losses; publish times are asked for only where
//! it does.

use rusk_base::Result;
use rusk_npm::graph::PackageId;
use rusk_npm::name::PackageName;
use rusk_npm::packument::VersionId;
use rusk_npm::release_trust::{ReleaseTrust, TrustLoss, TrustVerdict};
use rusk_resolver::Resolution;

use crate::context::InstallContext;
use crate::package_provider::PackageProvider;
use crate::problem;

pub fn check(
    context: &InstallContext,
    resolution: &Resolution,
    provider: &mut PackageProvider<'_>,
) -> Result<()> {
    let Some(trust) = &context.release_trust else { return Ok(()) };
    let (mut lost, mut suspects) = (Vec::new(), Vec::new());
    for id in new_releases(resolution) {
        let name = resolution.graph.package_name(id);
        match judge(trust, resolution, id, provider) {
            TrustVerdict::Kept => {}
            TrustVerdict::Lost(loss) => lost.push((resolution.graph.label(id), loss)),
            TrustVerdict::NeedsTimes => suspects.push((id, name.clone())),
        }
    }
    let names: Vec<PackageName> = suspects.iter().map(|(_, name)| name.clone()).collect();
    if !names.is_empty() && !provider.client.is_offline() {
        provider.fetch_in_full(&names)?;
    }
    for (id, name) in suspects {
        let found = provider.find_packument(&name).zip(version_id(resolution, id, provider));
        let loss = found.and_then(|(packument, version)| trust.judge_in_full(packument, version));
        lost.extend(loss.map(|loss| (resolution.graph.label(id), loss)));
    }
    match lost.split_first() {
        None => Ok(()),
        Some(((label, loss), more)) => Err(refusal(label, loss, more)),
    }
}

fn refusal(label: &str, loss: &TrustLoss, more: &[(String, TrustLoss)]) -> rusk_base::Problem {
    let others = more.iter().map(|(label, loss)| {
        format!("{label}: {}, after {} with {}", loss.trust.name(), loss.before, loss.trust_before.name())
    });
    others.fold(problem::trust_lost(label, loss), rusk_base::Problem::note)
}

/// Releases that are not in the lockfile.
fn new_releases(resolution: &Resolution) -> impl Iterator<Item = PackageId> {
    let graph = &resolution.graph;
    let is_new = |id: &PackageId| resolution.origins.get(id.0 as usize).is_none_or(Option::is_none);
    graph.package_ids().filter(is_new).filter(|&id| graph.package(id).source.npm_version().is_some())
}

fn judge(
    trust: &ReleaseTrust,
    resolution: &Resolution,
    id: PackageId,
    provider: &PackageProvider<'_>,
) -> TrustVerdict {
    let packument = provider.find_packument(resolution.graph.package_name(id));
    match packument.zip(version_id(resolution, id, provider)) {
        Some((packument, version)) => trust.judge(packument, version),
        None => TrustVerdict::Kept,
    }
}

fn version_id(resolution: &Resolution, id: PackageId, provider: &PackageProvider<'_>) -> Option<VersionId> {
    let version = resolution.graph.package(id).source.npm_version()?;
    provider.find_packument(resolution.graph.package_name(id))?.find(&version.to_string())
}
