//! The isolated layout of a lockfile that binds the peers of each package for good, as pnpm's does.
//! In: a bound graph, and a text for each package that tells it from others of its name and
//! version. Out: one entry for each package that the project reaches. Absent: the resolution of
//! peers.

use std::collections::{BTreeMap, VecDeque};

use crate::hoist::DependencyFilter;
use rusk_npm::graph::{Graph, IdMap, PackageId, Text};

use super::{EntryId, HoistPatterns, IsolatedEntry, IsolatedGraph, name};

pub fn isolate_instances(
    graph: &Graph,
    filter: &dyn DependencyFilter,
    hoisting: &HoistPatterns,
    instances: &[Text],
) -> IsolatedGraph {
    let mut isolated = IsolatedGraph::default();
    let mut entries: IdMap<PackageId, EntryId> = IdMap::default();
    let mut queue = VecDeque::new();
    let mut enter = |package: PackageId, isolated: &mut IsolatedGraph, queue: &mut VecDeque<_>| {
        *entries.entry(package).or_insert_with(|| {
            let entry = EntryId(isolated.entries.len());
            let name = name::of_instance(graph, package, &instances[package.0 as usize]);
            isolated.entries.push(IsolatedEntry { package, name, links: BTreeMap::new() });
            queue.push_back((package, entry));
            entry
        })
    };
    enter(PackageId(0), &mut isolated, &mut queue);
    while let Some((package, parent)) = queue.pop_front() {
        for via in graph.dependencies_of(package).filter(|&via| filter.includes(graph, package, via)) {
            let bound = graph.binding(via).expect("only bound dependencies are taken");
            let entry = enter(bound, &mut isolated, &mut queue);
            isolated.link(graph, hoisting, parent, via, entry);
        }
    }
    isolated
}
