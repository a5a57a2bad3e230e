//! Packages as approvals by name mean them. In: the graph. Out: for each package, the names that it
//! answers to. A release has the name that its registry gives it, also where a dependency is an
//! alias. What is in no registry says any name of itself: it has the keys by which the project and
//! its members depend on it.

use std::collections::HashMap;

use crate::graph::{Graph, NameId, PackageId, Source};

/// The keys of dependencies of the project and its members, by package.
pub struct DirectKeys<'a> {
    graph: &'a Graph,
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
    /// A repository, a tarball or a directory, with the keys by which the project depends on it.
    Foreign(Vec<&'a str>),
}

impl<'a> DirectKeys<'a> {
    pub fn of(graph: &'a Graph) -> DirectKeys<'a> {
        let is_own =
            |id: &PackageId| matches!(graph.package(*id).source, Source::Root | Source::Workspace { .. });
        let mut keys: HashMap<PackageId, Vec<NameId>> = HashMap::new();
        for id in graph.package_ids().filter(is_own).flat_map(|own| graph.dependencies_of(own)) {
            if let Some(package) = graph.binding(id) {
                keys.entry(package).or_default().push(graph.dependency(id).name);
            }
        }
        DirectKeys { graph, keys }
    }

    pub fn subject(&self, id: PackageId) -> ApprovalSubject<'a> {
        let package = self.graph.package(id);
        let kind = match package.source {
            Source::Npm { .. } => SubjectKind::Release,
            _ => {
                let keys = self.keys.get(&id).into_iter().flatten();
                SubjectKind::Foreign(keys.map(|&key| self.graph.name(key).as_str()).collect())
            }
        };
        ApprovalSubject { name: self.graph.package_name(id).as_str(), version: package.source.text(), kind }
    }
}

impl ApprovalSubject<'_> {
    /// The project's keys of a package in no registry.
    pub fn keys(&self) -> Vec<String> {
        match &self.kind {
            SubjectKind::Release => Vec::new(),
            SubjectKind::Foreign(keys) => keys.iter().map(|&key| key.to_owned()).collect(),
        }
    }

    /// Whether an approval of this name, which states no version, means the package.
    pub fn answers_to(&self, name: &str) -> bool {
        match &self.kind {
            SubjectKind::Release => self.name == name,
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
