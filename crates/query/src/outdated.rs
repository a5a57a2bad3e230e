//! Direct dependencies with newer versions in the registry, for `rusk outdated`. In: the graph, and
//! for each package the version that an update would choose and the one of the tag `latest`. Out:
//! rows. Absent: packuments.

use rusk_npm::graph::{DependencyId, Graph, PackageId, Role};
use rusk_npm::name::PackageName;
use rusk_npm::semver::{Range, Version};
use rusk_npm::specifier::Specifier;

use crate::members::{OmittedGroups, dependencies};
use crate::package_filter::PackageFilter;

/// A dependency of a member on a package of a registry.
#[derive(Clone, Debug)]
pub struct DirectDependency {
    pub member: PackageId,
    pub dependency: DependencyId,
    /// The package's name in the registry.
    pub name: PackageName,
    pub current: Version,
    pub wanted: WantedVersion,
}

/// What package.json says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WantedVersion {
    Range(Range),
    DistTag(String),
}

/// A dependency that is not at its newest version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutdatedDependency {
    pub member: PackageId,
    pub dependency: DependencyId,
    pub current: Version,
    /// What `rusk update` would install.
    pub update: Version,
    pub latest: Version,
}

/// The direct dependencies of these members. `literal_of`: the specifier of a dependency after
/// overrides and catalogs.
pub fn direct_dependencies(
    graph: &Graph,
    members: &[PackageId],
    omit: OmittedGroups,
    filter: &PackageFilter,
    literal_of: &dyn Fn(PackageId, DependencyId) -> String,
) -> Vec<DirectDependency> {
    let mut found = Vec::new();
    for &member in members {
        for id in dependencies(graph, member, omit) {
            let dependency = graph.dependency(id);
            let name = graph.name(dependency.name).as_str();
            let package = graph.binding(id);
            let current = package.and_then(|package| graph.package(package).source.npm_version());
            let Some(current) = current.filter(|_| dependency.role != Role::Workspace) else { continue };
            if !filter.is_empty() && !filter.selects_name(name) {
                continue;
            }
            let wanted = match Specifier::parse(name, &literal_of(member, id)) {
                Ok(Specifier::Npm { name, range, .. }) => (name, WantedVersion::Range(range)),
                Ok(Specifier::DistTag { name, tag, .. }) => (name, WantedVersion::DistTag(tag.into())),
                _ => continue,
            };
            let (name, wanted) = wanted;
            found.push(DirectDependency { member, dependency: id, name, current: current.clone(), wanted });
        }
    }
    found
}

impl DirectDependency {
    /// `None`: it is at its newest version. `update`: the version that is wanted now.
    pub fn compare(&self, update: Option<Version>, latest: Option<Version>) -> Option<OutdatedDependency> {
        // A range that no version is in any more updates to nothing.
        let update = update.filter(|update| *update > self.current).unwrap_or_else(|| self.current.clone());
        let latest = latest.unwrap_or_else(|| update.clone());
        if update == self.current && latest <= self.current {
            return None;
        }
        let DirectDependency { member, dependency, .. } = *self;
        Some(OutdatedDependency { member, dependency, current: self.current.clone(), update, latest })
    }
}

#[cfg(test)]
mod tests;
