//! Packages as approvals by name mean them. In: the graph, and the registry of each name. Out: for
//! each package, the names that it answers to. A release has the name that its registry gives it,
//! also where a dependency is an alias. What is in no registry says any name of itself: it has the
//! keys by which the project and its members depend on it. A release whose tarball the lockfile has
//! elsewhere answers to no name.

use std::collections::HashMap;

use crate::graph::{Graph, NameId, PackageId, Source};
use crate::name::PackageName;
use crate::registry_tarball::is_at_registry;

/// The keys of dependencies of the project and its members, by package.
pub struct DirectKeys<'a> {
    graph: &'a Graph,
    registry_of: &'a dyn Fn(&PackageName) -> &'a str,
    keys: HashMap<PackageId, Vec<NameId>>,
}

/// A package whose scripts may be approved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalSubject<'a> {
    /// As its own package.json and the lockfile have it.
    pub name: &'a str,
    /// A version; of a package in no registry, its source.
    pub version: String,
    pub kind: SubjectKind<'a>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubjectKind<'a> {
    /// Of a registry.
    Release,
    /// A release by the lockfile, with a tarball at another place than the registry's for it.
    OtherTarball,
    /// A repository, a tarball or a directory, with the keys by which the project depends on it.
    Foreign(Vec<&'a str>),
}

impl<'a> DirectKeys<'a> {
    /// `registry_of`: the registry that is configured for a package.
    pub fn of(graph: &'a Graph, registry_of: &'a dyn Fn(&PackageName) -> &'a str) -> DirectKeys<'a> {
        let is_own =
            |id: &PackageId| matches!(graph.package(*id).source, Source::Root | Source::Workspace { .. });
        let mut keys: HashMap<PackageId, Vec<NameId>> = HashMap::new();
        for id in graph.package_ids().filter(is_own).flat_map(|own| graph.dependencies_of(own)) {
            if let Some(package) = graph.binding(id) {
                keys.entry(package).or_default().push(graph.dependency(id).name);
            }
        }
        DirectKeys { graph, registry_of, keys }
    }

    pub fn subject(&self, id: PackageId) -> ApprovalSubject<'a> {
        let package = self.graph.package(id);
        let name = self.graph.package_name(id);
        let kind = match &package.source {
            Source::Npm { tarball, .. } => {
                let is_there = || is_at_registry(tarball, (self.registry_of)(name), name);
                if tarball.is_empty() || is_there() {
                    SubjectKind::Release
                } else {
                    SubjectKind::OtherTarball
                }
            }
            _ => {
                let keys = self.keys.get(&id).into_iter().flatten();
                SubjectKind::Foreign(keys.map(|&key| self.graph.name(key).as_str()).collect())
            }
        };
        ApprovalSubject { name: name.as_str(), version: package.source.text(), kind }
    }
}

impl ApprovalSubject<'_> {
    /// The project's keys of a package in no registry.
    pub fn keys(&self) -> Vec<String> {
        match &self.kind {
            SubjectKind::Release | SubjectKind::OtherTarball => Vec::new(),
            SubjectKind::Foreign(keys) => keys.iter().map(|&key| key.to_owned()).collect(),
        }
    }

    /// Whether an approval of this name, which states no version, means the package.
    pub fn answers_to(&self, name: &str) -> bool {
        match &self.kind {
            SubjectKind::Release => self.name == name,
            SubjectKind::OtherTarball => false,
            SubjectKind::Foreign(keys) => keys.contains(&name),
        }
    }

    /// Whether the package has this name in any way: what it says of itself, or a key.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.answers_to(name)
    }
}

#[cfg(test)]
mod tests;
