//! Dependents of a package up to the project, for `rusk why`: every path on which it is reached. A
//! package whose dependents are shown already is marked as repeated.

use std::collections::VecDeque;

use rusk_npm::graph::{DependencyId, Graph, IdMap, IdSet, PackageId};

use crate::members::{is_member, members};

/// Dependents at more levels are not shown: the tree is built by recursion, and real ones have some
/// 30 levels.
const DEPTH_MAX: usize = 1000;

/// A dependency on the package that is explained.
#[derive(Clone, Debug)]
pub struct Dependent {
    /// Whose dependency it is.
    pub package: PackageId,
    pub dependency: DependencyId,
    /// Who depends on that package.
    pub dependents: Vec<Dependent>,
    /// The dependents are shown at another place.
    pub repeated: bool,
}

/// The dependencies that are bound to each package.
pub struct Dependents<'a> {
    graph: &'a Graph,
    edges: IdMap<PackageId, Vec<(PackageId, DependencyId)>>,
}

impl<'a> Dependents<'a> {
    pub fn of(graph: &'a Graph) -> Dependents<'a> {
        let mut edges: IdMap<PackageId, Vec<(PackageId, DependencyId)>> = IdMap::default();
        for id in graph.package_ids() {
            for dependency in graph.dependencies_of(id) {
                if let Some(package) = graph.binding(dependency) {
                    edges.entry(package).or_default().push((id, dependency));
                }
            }
        }
        for list in edges.values_mut() {
            // Members first: the shortest answer.
            list.sort_by_key(|&(id, _)| (!is_member(graph, id), graph.label(id)));
        }
        Dependents { graph, edges }
    }

    /// All dependents of a package. `depth`: levels that are shown; `None`: all.
    pub fn explain(&self, package: PackageId, depth: Option<usize>) -> Vec<Dependent> {
        let depth = depth.unwrap_or(DEPTH_MAX).min(DEPTH_MAX);
        let mut shown_at: IdMap<PackageId, DependencyId> = IdMap::default();
        let mut waiting = VecDeque::from([(package, 1)]);
        while let Some((id, level)) = waiting.pop_front() {
            for &(dependent, dependency) in self.direct(id) {
                let is_new = dependent != package && !shown_at.contains_key(&dependent);
                if is_new && level < depth && !is_member(self.graph, dependent) {
                    shown_at.insert(dependent, dependency);
                    waiting.push_back((dependent, level + 1));
                }
            }
        }
        self.dependents(package, package, &shown_at)
    }

    /// `shown_at`: the dependency at which the dependents of a package are shown.
    fn dependents(
        &self,
        id: PackageId,
        explained: PackageId,
        shown_at: &IdMap<PackageId, DependencyId>,
    ) -> Vec<Dependent> {
        let build = |&(package, dependency): &(PackageId, DependencyId)| {
            let leaf = Dependent { package, dependency, dependents: Vec::new(), repeated: false };
            match shown_at.get(&package) {
                Some(&at) if at == dependency => {
                    Dependent { dependents: self.dependents(package, explained, shown_at), ..leaf }
                }
                Some(_) => Dependent { repeated: true, ..leaf },
                None => Dependent { repeated: package == explained, ..leaf },
            }
        };
        self.direct(id).iter().map(build).collect()
    }

    /// The dependencies of members that lead to a package.
    pub fn direct_dependencies(&self, package: PackageId) -> Vec<Dependent> {
        let mut leading: IdSet<PackageId> = IdSet::default();
        leading.insert(package);
        let mut waiting = vec![package];
        while let Some(id) = waiting.pop() {
            for &(dependent, _) in self.direct(id) {
                if !is_member(self.graph, dependent) && leading.insert(dependent) {
                    waiting.push(dependent);
                }
            }
        }
        let direct = members(self.graph).into_iter().flat_map(|member| {
            self.graph.dependencies_of(member).map(move |dependency| (member, dependency))
        });
        direct
            .filter(|(_, dependency)| {
                self.graph.binding(*dependency).is_some_and(|bound| leading.contains(&bound))
            })
            .map(|(package, dependency)| Dependent {
                package,
                dependency,
                dependents: Vec::new(),
                repeated: false,
            })
            .collect()
    }

    /// The shortest path of dependencies from a member to a package, without both ends; empty for a
    /// direct dependency and for what nothing depends on.
    pub fn shortest_path(&self, package: PackageId) -> Vec<PackageId> {
        let mut next: IdMap<PackageId, PackageId> = IdMap::default();
        let mut waiting = VecDeque::from([package]);
        while let Some(id) = waiting.pop_front() {
            for &(dependent, _) in self.direct(id) {
                if is_member(self.graph, dependent) {
                    let mut path = Vec::new();
                    let mut at = id;
                    while at != package {
                        path.push(at);
                        at = next[&at];
                    }
                    return path;
                }
                if dependent != package && !next.contains_key(&dependent) {
                    next.insert(dependent, id);
                    waiting.push_back(dependent);
                }
            }
        }
        Vec::new()
    }

    fn direct(&self, package: PackageId) -> &[(PackageId, DependencyId)] {
        self.edges.get(&package).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests;
