//! Which package each descriptor leads to. The graph may bind one descriptor to several packages,
//! as other formats can; Yarn has one for each. In: the new graph. Out: descriptors with their
//! packages, of what the project reaches by them. Absent: members, and what is bundled.

use std::collections::{BTreeMap, HashMap};

use rusk_npm::graph::{DependencyId, Graph, PackageId, Role, Source};

/// Descriptors by their text.
pub(super) type Assignment = BTreeMap<String, PackageId>;

/// `descriptors`: those that a dependency is written under. `old`: the package that the lockfile
/// had for a descriptor.
pub(super) fn of(
    graph: &Graph,
    descriptors: &dyn Fn(PackageId, DependencyId) -> Vec<String>,
    old: &dyn Fn(&str) -> Option<PackageId>,
) -> Assignment {
    let mut chosen: HashMap<String, (Rank, PackageId)> = HashMap::new();
    for owner in graph.package_ids() {
        for id in followed(graph, owner) {
            let Some(bound) = release(graph, id) else { continue };
            for descriptor in descriptors(owner, id) {
                let rank = Rank::of(is_importer(graph, owner), old(&descriptor) == Some(bound));
                let is_better = chosen.get(&descriptor).is_none_or(|(other, package)| {
                    (rank, version(graph, bound)) > (*other, version(graph, *package))
                });
                if is_better {
                    chosen.insert(descriptor, (rank, bound));
                }
            }
        }
    }
    let mut assignment = Assignment::new();
    let mut visited = vec![false; graph.len()];
    let mut open: Vec<PackageId> = graph.package_ids().filter(|&id| is_importer(graph, id)).collect();
    while let Some(owner) = open.pop() {
        for id in followed(graph, owner) {
            for descriptor in descriptors(owner, id) {
                let Some(&(_, package)) = chosen.get(&descriptor) else { continue };
                assignment.insert(descriptor, package);
                if !std::mem::replace(&mut visited[package.0 as usize], true) {
                    open.push(package);
                }
            }
        }
    }
    assignment
}

/// What a dependency of the project moved to comes first, then what the lockfile had.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Other,
    Locked,
    DirectLocked,
    DirectMoved,
}

impl Rank {
    fn of(is_direct: bool, is_locked: bool) -> Rank {
        match (is_direct, is_locked) {
            (true, false) => Rank::DirectMoved,
            (true, true) => Rank::DirectLocked,
            (false, true) => Rank::Locked,
            (false, false) => Rank::Other,
        }
    }
}

fn version(graph: &Graph, id: PackageId) -> Option<&rusk_npm::semver::Version> {
    graph.package(id).source.npm_version()
}

/// The dependencies of a package that have descriptors in the file.
pub(super) fn followed(graph: &Graph, owner: PackageId) -> impl Iterator<Item = DependencyId> + '_ {
    let is_own = is_importer(graph, owner);
    graph.dependencies_of(owner).filter(move |&id| {
        let dependency = graph.dependency(id);
        !dependency.bundled
            && match dependency.role {
                Role::Production | Role::Optional => true,
                Role::Development => is_own,
                Role::Workspace | Role::Peer | Role::OptionalPeer => false,
            }
    })
}

/// The package that a dependency is bound to, if it is no member.
fn release(graph: &Graph, id: DependencyId) -> Option<PackageId> {
    graph.binding(id).filter(|&bound| !is_importer(graph, bound))
}

pub(super) fn is_importer(graph: &Graph, id: PackageId) -> bool {
    matches!(graph.package(id).source, Source::Root | Source::Workspace { .. })
}
