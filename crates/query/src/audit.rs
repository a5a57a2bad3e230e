//! Security advisories of installed packages, for `rusk audit`. In: the graph, and the response of
//! a registry's bulk advisory API. Out: the vulnerable packages with their advisories. Absent: the
//! network, how findings are printed.

use std::collections::BTreeMap;

use rusk_npm::advisories::Advisory;
use rusk_npm::graph::{Graph, PackageId};
use rusk_npm::name::PackageName;

use crate::members::{OmittedGroups, reachable};

/// A vulnerable package with its advisories, the worst first.
#[derive(Clone, Debug)]
pub struct Finding {
    pub package: PackageId,
    pub advisories: Vec<Advisory>,
}

/// The packages of registries that members reach: names in order, each with its versions.
pub fn audited_packages(
    graph: &Graph,
    from: &[PackageId],
    omit: OmittedGroups,
) -> Vec<(PackageName, Vec<String>)> {
    let packages = reachable(graph, from, omit).into_iter().filter_map(|id| {
        let version = graph.package(id).source.npm_version()?;
        Some((graph.package_name(id), version.to_string()))
    });
    let mut packages: Vec<(&PackageName, String)> = packages.collect();
    packages.sort_unstable();
    packages.dedup();
    let mut by_name: Vec<(PackageName, Vec<String>)> = Vec::with_capacity(packages.len());
    for (name, version) in packages {
        match by_name.last_mut() {
            Some((last, versions)) if last == name => versions.push(version),
            _ => by_name.push((name.clone(), vec![version])),
        }
    }
    by_name
}

/// The reachable packages that advisories are about, by name and version.
pub fn findings(
    graph: &Graph,
    from: &[PackageId],
    omit: OmittedGroups,
    advisories: &[Advisory],
) -> Vec<Finding> {
    let mut by_name: BTreeMap<&str, Vec<&Advisory>> = BTreeMap::new();
    for advisory in advisories {
        by_name.entry(&advisory.package).or_default().push(advisory);
    }
    let mut found = Vec::new();
    for package in reachable(graph, from, omit) {
        let Some(version) = graph.package(package).source.npm_version() else { continue };
        let about = by_name.get(graph.package_name(package).as_str());
        let fitting = about.into_iter().flatten().filter(|advisory| advisory.is_about(version));
        let mut advisories: Vec<Advisory> = fitting.map(|&advisory| advisory.clone()).collect();
        advisories.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.id.cmp(&b.id)));
        if !advisories.is_empty() {
            found.push(Finding { package, advisories });
        }
    }
    let key = |finding: &Finding| {
        (graph.package_name(finding.package), graph.package(finding.package).source.npm_version())
    };
    found.sort_by(|a, b| key(a).cmp(&key(b)));
    found
}

#[cfg(test)]
mod tests;
