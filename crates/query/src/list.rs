//! Tree of installed packages from a member down, for `rusk ls`. A package whose dependencies are
//! shown already is marked as repeated, so that the tree has at most one node for each dependency.

use std::collections::VecDeque;

use rusk_npm::graph::{DependencyId, Graph, IdMap, IdSet, PackageId, Role};

use crate::members::{OmittedGroups, dependencies};
use crate::package_filter::PackageFilter;

/// Deeper packages are shown without their dependencies: the tree is built by recursion, and real
/// ones have some 30 levels.
const DEPTH_MAX: usize = 1000;

#[derive(Clone, Debug, Default)]
pub struct ListOptions {
    /// Levels below the direct dependencies; `None`: all.
    pub depth: Option<usize>,
    pub omit: OmittedGroups,
    pub members: ShownMembers,
    /// Only paths that lead to these; empty for everything.
    pub filter: PackageFilter,
}

/// Whether members of the project are shown below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShownMembers {
    #[default]
    All,
    /// Those alone that a dependency names: the others have trees of their own.
    Named,
}

/// A dependency with what it is bound to.
#[derive(Clone, Debug)]
pub struct ListNode {
    pub dependency: DependencyId,
    /// `None`: nothing is installed for it.
    pub package: Option<PackageId>,
    pub children: Vec<ListNode>,
    /// Its dependencies are shown at another node.
    pub repeated: bool,
}

/// The dependencies of a member. Workspaces are shown with their own direct dependencies at any
/// depth.
pub fn list(graph: &Graph, member: PackageId, options: &ListOptions) -> Vec<ListNode> {
    let leading = (!options.filter.is_empty()).then(|| packages_leading_to(graph, options));
    let mut lister = Lister { graph, options, leading, shown_at: IdMap::default() };
    lister.find_nearest(member);
    lister.children(member)
}

struct Lister<'a> {
    graph: &'a Graph,
    options: &'a ListOptions,
    /// With a filter: the packages that are selected or have such a one below them.
    leading: Option<IdSet<PackageId>>,
    /// The dependency at which the dependencies of a package are shown: the nearest to the member.
    shown_at: IdMap<PackageId, DependencyId>,
}

impl Lister<'_> {
    /// Walks breadth first, so that a package is shown whole where it is found first.
    fn find_nearest(&mut self, member: PackageId) {
        let depth_max = self.options.depth.unwrap_or(DEPTH_MAX).min(DEPTH_MAX);
        let mut seen = IdSet::default();
        seen.insert(member);
        let mut waiting = VecDeque::from([(member, 0)]);
        while let Some((id, depth)) = waiting.pop_front() {
            for dependency in self.shown_dependencies(id) {
                let Some(package) = self.graph.binding(dependency) else { continue };
                let is_workspace = self.graph.dependency(dependency).role == Role::Workspace;
                let below = if is_workspace { depth } else { depth + 1 };
                if below <= depth_max && seen.insert(package) {
                    self.shown_at.insert(package, dependency);
                    waiting.push_back((package, below));
                }
            }
        }
    }

    fn children(&self, parent: PackageId) -> Vec<ListNode> {
        self.shown_dependencies(parent).into_iter().map(|dependency| self.node(dependency)).collect()
    }

    fn node(&self, dependency: DependencyId) -> ListNode {
        let package = self.graph.binding(dependency);
        let leaf = ListNode { dependency, package, children: Vec::new(), repeated: false };
        let shown_at = package.and_then(|id| Some((id, *self.shown_at.get(&id)?)));
        match shown_at {
            Some((id, at)) if at == dependency => ListNode { children: self.children(id), ..leaf },
            Some((id, _)) => ListNode { repeated: !self.shown_dependencies(id).is_empty(), ..leaf },
            None => leaf,
        }
    }

    fn shown_dependencies(&self, id: PackageId) -> Vec<DependencyId> {
        let all = dependencies(self.graph, id, self.options.omit);
        all.into_iter().filter(|&dependency| self.is_shown(dependency)).collect()
    }

    fn is_shown(&self, dependency: DependencyId) -> bool {
        let is_implied = self.graph.dependency(dependency).role == Role::Workspace;
        if is_implied && self.options.members == ShownMembers::Named {
            return false;
        }
        match (&self.leading, self.graph.binding(dependency)) {
            (Some(leading), Some(package)) => leading.contains(&package),
            (Some(_), None) => false,
            // A peer or optional dependency that nothing satisfies is not missing.
            (None, None) => !self.graph.dependency(dependency).role.may_stay_unbound(),
            (None, Some(_)) => true,
        }
    }
}

/// The selected packages, and all that reach one.
fn packages_leading_to(graph: &Graph, options: &ListOptions) -> IdSet<PackageId> {
    let mut dependents: IdMap<PackageId, Vec<PackageId>> = IdMap::default();
    for id in graph.package_ids() {
        for dependency in graph.dependencies_of(id) {
            if options.omit.includes(graph.dependency(dependency).role)
                && let Some(package) = graph.binding(dependency)
            {
                dependents.entry(package).or_default().push(id);
            }
        }
    }
    let selected = graph.package_ids().filter(|&id| options.filter.selects(graph, id));
    let mut waiting: Vec<PackageId> = selected.collect();
    let mut found: IdSet<PackageId> = waiting.iter().copied().collect();
    while let Some(id) = waiting.pop() {
        for &dependent in dependents.get(&id).map_or(&[][..], Vec::as_slice) {
            if found.insert(dependent) {
                waiting.push(dependent);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;
