//! Members of a project in its graph, and the packages that they reach.

use rusk_npm::graph::{DependencyId, Graph, IdSet, PackageId, Role, Source};

/// Groups of dependencies that are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OmittedGroups {
    pub development: bool,
    pub optional: bool,
    pub peer: bool,
}

impl OmittedGroups {
    /// Whether a dependency of this role counts.
    pub fn includes(self, role: Role) -> bool {
        match role {
            Role::Development => !self.development,
            Role::Optional => !self.optional,
            Role::Peer | Role::OptionalPeer => !self.peer,
            Role::Production | Role::Workspace => true,
        }
    }
}

/// The project first, then its workspaces.
pub fn members(graph: &Graph) -> Vec<PackageId> {
    graph.package_ids().filter(|&id| is_member(graph, id)).collect()
}

pub fn is_member(graph: &Graph, id: PackageId) -> bool {
    matches!(graph.package(id).source, Source::Root | Source::Workspace { .. })
}

/// The member whose directory is `path`, relative to the project; empty for the project.
pub fn find_member(graph: &Graph, path: &str) -> Option<PackageId> {
    graph.package_ids().find(|&id| path_of_member(graph, id) == Some(path))
}

/// A member's directory, relative to the project.
pub fn path_of_member(graph: &Graph, id: PackageId) -> Option<&str> {
    match &graph.package(id).source {
        Source::Root => Some(""),
        Source::Workspace { path, .. } => Some(path),
        _ => None,
    }
}

/// The version of a release or workspace, else where the package comes from, without credentials.
pub fn version_text(graph: &Graph, id: PackageId) -> String {
    graph.package(id).source.shown()
}

/// The bound dependencies of a package that count, in the order of their names. The workspaces that
/// the project implies come last.
pub fn dependencies(graph: &Graph, id: PackageId, omit: OmittedGroups) -> Vec<DependencyId> {
    let counts = |dependency: &DependencyId| omit.includes(graph.dependency(*dependency).role);
    let mut all: Vec<DependencyId> = graph.dependencies_of(id).filter(counts).collect();
    let key = |dependency: &DependencyId| {
        let dependency = graph.dependency(*dependency);
        (dependency.role == Role::Workspace, graph.name(dependency.name))
    };
    all.sort_by(|a, b| key(a).cmp(&key(b)));
    all
}

/// The packages that these reach, themselves included. That the project has a member is no
/// dependency.
pub fn reachable(graph: &Graph, from: &[PackageId], omit: OmittedGroups) -> IdSet<PackageId> {
    let mut found: IdSet<PackageId> = from.iter().copied().collect();
    let mut waiting = from.to_vec();
    while let Some(id) = waiting.pop() {
        for dependency in graph.dependencies_of(id) {
            let role = graph.dependency(dependency).role;
            if role == Role::Workspace || !omit.includes(role) {
                continue;
            }
            if let Some(package) = graph.binding(dependency)
                && found.insert(package)
            {
                waiting.push(package);
            }
        }
    }
    found
}
