//! Signatures of registries, verified before anything is linked. In: the packages of an install.
//! Out: an error that names those that are not signed as their registry's keys say. A registry
//! without keys signs nothing, and its packages pass with a warning.

use std::collections::{BTreeMap, BTreeSet};

use rusk_base::Result;
use rusk_configuration::request::{InstallRequest, Verify};
use rusk_npm::graph::Graph;
use rusk_npm::integrity::Integrity;
use rusk_registry::Client;
use rusk_signatures::Verdict;
use rusk_signatures::audit::{AuditError, LockedRelease, audit};

use crate::event::{InstallEvent, Reporter};
use crate::fetch::Packages;
use crate::plan::Plan;
use crate::problem;

pub fn check(
    request: &InstallRequest,
    client: &Client,
    graph: &Graph,
    plan: &Plan,
    packages: &Packages,
    reporter: &mut dyn Reporter,
) -> Result<()> {
    if request.verify != Verify::Signatures {
        return Ok(());
    }
    let releases = releases(graph, plan, packages);
    let count = releases.len();
    let mut by_registry: BTreeMap<String, usize> = BTreeMap::new();
    for release in &releases {
        let registry = client.registry_of_scope(release.name.scope()).to_owned();
        *by_registry.entry(registry).or_default() += 1;
    }
    let mut on_wait = |subject: &str, waited| reporter.on_event(InstallEvent::Waiting { subject, waited });
    let audited = audit(client, releases, &mut on_wait).map_err(|error| match error {
        AuditError::Refused(both) => problem::signatures_refused(&both.0.subject, both.1.status),
        AuditError::BadAnswer(subject) => problem::signatures_unknown(&subject),
        AuditError::Problem(problem) => problem,
    })?;
    let bad: Vec<_> = audited.iter().filter(|one| one.verdict != Verdict::Verified).collect();
    if !bad.is_empty() {
        return Err(problem::not_signed(&bad));
    }
    // Of a registry with keys, every package has a verdict.
    by_registry.retain(|registry, _| audited.iter().all(|one| one.registry != *registry));
    for (registry, count) in &by_registry {
        let packages = if *count == 1 { "1 package".to_owned() } else { format!("{count} packages") };
        let text = format!("`{registry}` has no signing keys: {packages} of it passed without a signature");
        reporter.on_event(InstallEvent::Warning(&text));
    }
    let text = format!("verified the signatures of {} of {count} packages of registries", audited.len());
    reporter.on_event(InstallEvent::Detail(&text));
    Ok(())
}

/// The releases that are installed, also those that another project shares already. A lockfile may
/// lack an integrity: then the tarball's own is compared with the signed one.
fn releases(graph: &Graph, plan: &Plan, packages: &Packages) -> Vec<LockedRelease> {
    let own = plan.locations.iter().map(|location| (location.package, Some(&location.stamp)));
    // A package without integrity is not shared.
    let shared = plan.shared.iter().flat_map(|shared| &shared.packages).map(|(id, _)| (*id, None));
    let mut known = BTreeSet::new();
    let mut releases = Vec::new();
    for (id, stamp) in own.chain(shared) {
        let Some(version) = graph.package(id).source.npm_version() else { continue };
        if !known.insert(id.0) {
            continue;
        }
        let own = || Integrity::parse(&packages.get(stamp?)?.integrity());
        let integrity = graph.package(id).integrity.or_else(own);
        let (name, version) = (graph.package_name(id).clone(), version.to_string());
        releases.push(LockedRelease { name, version, integrity });
    }
    releases
}
