//! `dev`, `optional`, `devOptional`, `peer` and `inBundle` of each location, as npm computes them.
//! In: the graph and the locations. Out: flags by location.
//!
//! A flag says what would go with a group of dependencies: `dev` is what is reached through
//! development dependencies alone, `optional` and `peer` likewise; `devOptional` is what is reached
//! through development or optional dependencies alone, but not through those of one kind.

use rusk_npm::graph::{DependencyId, Graph, PackageId, Role};

use crate::locations::{LocationId, Locations, decides};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    pub dev: bool,
    pub optional: bool,
    pub dev_optional: bool,
    pub peer: bool,
    pub in_bundle: bool,
}

impl Flags {
    pub const KEYS: [&'static str; 4] = ["dev", "optional", "devOptional", "peer"];

    /// The value of each of [`Flags::KEYS`].
    pub fn values(self) -> [bool; 4] {
        [self.dev, self.optional, self.dev_optional, self.peer]
    }
}

pub(super) fn of(graph: &Graph, locations: &Locations) -> Vec<Flags> {
    let reached = |leaves_out: &dyn Fn(Role) -> bool| {
        let follows = |package: PackageId, id: DependencyId| {
            !leaves_out(graph.dependency(id).role) && decides(graph, package, id)
        };
        locations.reached(graph, &follows)
    };
    let is_dev = |role: Role| role == Role::Development;
    let is_optional = |role: Role| matches!(role, Role::Optional | Role::OptionalPeer);
    let without_dev = reached(&is_dev);
    let without_optional = reached(&is_optional);
    let without_both = reached(&|role| is_dev(role) || is_optional(role));
    let without_peers = reached(&|role: Role| role.is_peer());
    locations
        .all()
        .map(|id| {
            let at = id.index();
            let (dev, optional) = (!without_dev[at], !without_optional[at]);
            let dev_optional = !without_both[at] && !dev && !optional;
            let (peer, in_bundle) = (!without_peers[at], is_in_bundle(graph, locations, id));
            Flags { dev, optional, dev_optional, peer, in_bundle }
        })
        .collect()
}

/// Whether a tarball brings it: that of its dependent, or of one further up.
fn is_in_bundle(graph: &Graph, locations: &Locations, id: LocationId) -> bool {
    let mut at = Some(id);
    while let Some(id) = at {
        let location = locations.get(id);
        let is_nested = location.parent.is_some_and(|parent| parent != LocationId::PROJECT);
        if is_nested && location.via.is_some_and(|via| graph.dependency(via).bundled) {
            return true;
        }
        at = location.parent;
    }
    false
}
