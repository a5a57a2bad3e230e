//! Removes packages that the project does not reach, and renumbers the rest breadth first, so that
//! a graph's ids do not depend on the order of arrival.

use std::collections::VecDeque;

use rusk_npm::graph::{Graph, PackageId};

/// Copies what is reachable from the project. Only those optional peers are bound that `initial`
/// keeps as the lockfile has them.
/// Also returns, by new id, the id that each package had.
pub fn reachable(old: &Graph) -> (Graph, Vec<PackageId>) {
    let mut graph = Graph::default();
    graph.project_name.clone_from(&old.project_name);
    let mut moved: Vec<Option<PackageId>> = vec![None; old.len()];
    let mut queue = VecDeque::from([PackageId(0)]);
    let mut before_ids = vec![PackageId(0)];
    moved[0] = Some(graph.copy(old, PackageId(0)));
    while let Some(before) = queue.pop_front() {
        let now = moved[before.0 as usize].expect("queued when it was copied");
        for (id, old_id) in graph.dependencies_of(now).zip(old.dependencies_of(before)) {
            let Some(target) = old.binding(old_id) else { continue };
            let known = moved[target.0 as usize];
            let new = known.unwrap_or_else(|| {
                queue.push_back(target);
                before_ids.push(target);
                graph.copy(old, target)
            });
            moved[target.0 as usize] = Some(new);
            graph.bind(id, Some(new));
        }
    }
    (graph, before_ids)
}

/// The packages reachable from the project, each once, nearest first.
pub fn breadth_first(graph: &Graph) -> Vec<PackageId> {
    let mut seen = vec![false; graph.len()];
    let mut order = vec![PackageId(0)];
    seen[0] = true;
    let mut next = 0;
    while next < order.len() {
        for id in graph.dependencies_of(order[next]) {
            if let Some(target) = graph.binding(id)
                && !std::mem::replace(&mut seen[target.0 as usize], true)
            {
                order.push(target);
            }
        }
        next += 1;
    }
    order
}
