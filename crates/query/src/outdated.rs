//! Direct dependencies with newer versions in the registry, for `rusk outdated`. In: the graph, and
//! for each package the version that an update would choose and the one of the tag `latest`. Out:
//! rows. Absent: packuments.

use rusk_npm::graph::{DependencyId, Graph, PackageId, Role};
use rusk_npm::manifest::Manifest;
use rusk_npm::name::PackageName;
use rusk_npm::semver::{Range, Version};
use rusk_npm::specifier::Specifier;

use crate::members::{OmittedGroups, dependencies};
use crate::package_filter::{self, PackageFilter};

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

/// What package.json says of a dependency of the lockfile; the lockfile may be older.
pub fn declared_literal<'a>(manifest: &'a Manifest, role: Role, name: &str) -> Option<&'a str> {
    let own = match role {
        Role::Production | Role::Workspace => &manifest.dependencies,
        Role::Development => &manifest.dev_dependencies,
        Role::Optional => &manifest.optional_dependencies,
        Role::Peer | Role::OptionalPeer => &manifest.peer_dependencies,
    };
    // It may be in another group by now.
    let others = [&manifest.dependencies, &manifest.dev_dependencies, &manifest.optional_dependencies];
    let mut groups = [own].into_iter().chain(others);
    groups.find_map(|group| group.iter().find(|(own, _)| own == name).map(|(_, literal)| literal.as_str()))
}

/// The names and patterns among these arguments that no dependency of the members has.
pub fn unmatched<'a>(graph: &Graph, members: &[PackageId], arguments: &'a [String]) -> Vec<&'a str> {
    let own = members.iter().flat_map(|&member| graph.dependencies_of(member));
    let is_own = |id: &DependencyId| graph.dependency(*id).role != Role::Workspace;
    let names: Vec<&str> =
        own.filter(is_own).map(|id| graph.name(graph.dependency(id).name).as_str()).collect();
    let is_unmatched = |argument: &&String| {
        !argument.starts_with('!') && !names.iter().any(|name| package_filter::names(argument, name))
    };
    arguments.iter().filter(is_unmatched).map(String::as_str).collect()
}

/// The direct dependencies of these members. `literal_of`: the specifier of a dependency after
/// overrides and catalogs; `None`: package.json no longer has it.
pub fn direct_dependencies(
    graph: &Graph,
    members: &[PackageId],
    omit: OmittedGroups,
    filter: &PackageFilter,
    literal_of: &dyn Fn(PackageId, DependencyId) -> Option<String>,
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
            let Some(literal) = literal_of(member, id) else { continue };
            let wanted = match Specifier::parse(name, &literal) {
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
