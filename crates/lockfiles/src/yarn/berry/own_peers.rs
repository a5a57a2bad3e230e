//! Dependencies that their package has as peers, too. In: a graph in which each is bound as its own
//! descriptor says. Out: those that Yarn takes from the dependents. Absent: a package whose
//! dependents have different versions, which Yarn installs once for each; it keeps its own.

use std::collections::HashMap;

use rusk_npm::graph::{DependencyId, Graph, NameId, PackageId};

use super::format::BerryVersion;

#[derive(Clone, Debug)]
pub struct BerryDetails {
    pub version: BerryVersion,
    pub(super) own_peers: Vec<DependencyId>,
}

impl BerryDetails {
    pub(crate) fn bind_own_peers(&self, graph: &mut Graph) {
        if self.own_peers.is_empty() {
            return;
        }
        let mut owners: HashMap<PackageId, Vec<DependencyId>> = HashMap::new();
        for owner in graph.package_ids() {
            let own = graph.dependencies_of(owner).filter(|id| self.own_peers.contains(id));
            own.for_each(|id| owners.entry(owner).or_default().push(id));
        }
        let mut given: HashMap<DependencyId, Option<PackageId>> = HashMap::new();
        for dependent in graph.package_ids() {
            for edge in graph.dependencies_of(dependent).filter(|&id| !graph.dependency(id).role.is_peer()) {
                let bound = graph.binding(edge);
                for &peer in bound.and_then(|bound| owners.get(&bound)).into_iter().flatten() {
                    let offer = find(graph, dependent, graph.dependency(peer).name);
                    given
                        .entry(peer)
                        .and_modify(|known| *known = known.filter(|_| *known == offer))
                        .or_insert(offer);
                }
            }
        }
        let given: Vec<_> = given.into_iter().filter_map(|(peer, offer)| Some((peer, offer?))).collect();
        given.into_iter().for_each(|(peer, offer)| graph.bind(peer, Some(offer)));
    }
}

/// What the package has under this name.
fn find(graph: &Graph, package: PackageId, name: NameId) -> Option<PackageId> {
    let mut own = graph.dependencies_of(package).filter(|&id| graph.dependency(id).name == name);
    own.find_map(|id| graph.binding(id))
}
