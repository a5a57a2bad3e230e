//! Order of packages with scripts: one runs after those that it depends on, directly or through
//! others. In: the graph. Out: indices. A package in a cycle waits for what the others need outside
//! of it. One that has another one in its directory waits for it, whatever depends on what: its
//! script may write there.

use rusk_npm::graph::{Graph, PackageId, Role, Source};

use super::ApprovedPackage;

/// For each package, the indices of those that it depends on.
pub fn waits_for(graph: &Graph, packages: &[ApprovedPackage]) -> Vec<Vec<usize>> {
    let reached: Vec<Vec<bool>> = packages.iter().map(|package| reachable(graph, package.package)).collect();
    let depends = |on: usize, other: usize| reached[on][packages[other].package.0 as usize];
    let waits = |index: usize| {
        let others = (0..packages.len()).filter(|&other| packages[other].package != packages[index].package);
        let needs =
            |other: usize| !depends(other, index) || encloses(&packages[index].path, &packages[other].path);
        // Those in a cycle only wait for what is in their directories: that is no cycle.
        others.filter(|&other| depends(index, other) && needs(other)).collect()
    };
    (0..packages.len()).map(waits).collect()
}

/// Whether the second location is in the directory of the first one.
pub fn encloses(outer: &str, inner: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
}

/// The packages that the project needs: reached without optional dependencies.
pub fn required(graph: &Graph) -> Vec<bool> {
    let importers: Vec<PackageId> = graph
        .package_ids()
        .filter(|&id| matches!(graph.package(id).source, Source::Root | Source::Workspace { .. }))
        .collect();
    walk(graph, importers, &|role| !matches!(role, Role::Optional | Role::OptionalPeer))
}

fn reachable(graph: &Graph, from: PackageId) -> Vec<bool> {
    walk(graph, vec![from], &|role| role != Role::Development)
}

fn walk(graph: &Graph, mut stack: Vec<PackageId>, follows: &dyn Fn(Role) -> bool) -> Vec<bool> {
    let mut visited = vec![false; graph.len()];
    stack.iter().for_each(|id| visited[id.0 as usize] = true);
    while let Some(package) = stack.pop() {
        for id in graph.dependencies_of(package) {
            let bound = graph.binding(id).filter(|_| follows(graph.dependency(id).role));
            if let Some(bound) = bound.filter(|bound| !visited[bound.0 as usize]) {
                visited[bound.0 as usize] = true;
                stack.push(bound);
            }
        }
    }
    visited
}
