//! First pass of the isolated layout: follows each package from each dependent until its peers are
//! resolved. In: a bound graph. Out: nodes, parents before children; a node may be the child of
//! several nodes.
//!
//! A peer is what the nearest ancestor provides by that name, else what the graph binds it to.
//! Every node that a peer passes through on its way up records it: such packages are the same only
//! where their peers are. A package that is known to find the same peers as an earlier node of it
//! becomes that node, so that the tree stays small.

use std::collections::HashMap;

use rusk_base::Result;
use rusk_npm::graph::{DependencyId, Graph, NameId, PackageId, Role, Source};

use super::unresolved_peers::UnresolvedPeers;
use crate::hoist::DependencyFilter;
use crate::problem;

/// Dependencies that are followed: some five for each package. Packages that depend on each other
/// by ever new names would never end.
const STEPS_MAX: usize = 1_000_000;
/// Peers recorded in all nodes together: one or two each.
const PEERS_MAX: usize = 4_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(pub usize);

#[derive(Debug)]
pub struct Node {
    pub package: PackageId,
    /// The dependency that was followed; `None` for the project.
    pub via: Option<DependencyId>,
    parent: Option<NodeId>,
    /// What it provides to the packages below, by name.
    provides: Vec<(NameId, PackageId)>,
    /// Peers of it or of nodes below it that were found above it; sorted by the packages' own
    /// names, one for each.
    pub peers: Vec<Peer>,
    pub children: Vec<NodeId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer {
    /// The name by which it is declared.
    name: NameId,
    pub package: PackageId,
    origin: PeerOrigin,
}

/// Where a peer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PeerOrigin {
    Ancestor,
    /// No ancestor provides it: it is what the graph binds.
    FromGraph,
}

/// Whether a dependency explicitly names a member of the project.
pub fn is_workspace_dependency(graph: &Graph, via: DependencyId) -> bool {
    let dependency = graph.dependency(via);
    dependency.role == Role::Workspace || dependency.literal.starts_with("workspace:")
}

/// A dependency to follow.
struct PendingDependency {
    parent: Option<NodeId>,
    via: Option<DependencyId>,
    package: PackageId,
}

pub fn follow(graph: &Graph, filter: &dyn DependencyFilter) -> Result<Vec<Node>> {
    let unresolved_peers = UnresolvedPeers::of(graph, filter);
    let mut walk = NodeWalk {
        graph,
        filter,
        unresolved_peers,
        nodes: Vec::new(),
        known: HashMap::new(),
        steps: 0,
        peers: 0,
    };
    // A stack, so that all peers of a node are known before its next sibling is visited.
    let mut steps = vec![PendingDependency { parent: None, via: None, package: PackageId(0) }];
    while let Some(step) = steps.pop() {
        let first = steps.len();
        walk.follow(&step, &mut steps)?;
        steps[first..].reverse();
    }
    Ok(walk.nodes)
}

struct NodeWalk<'a> {
    graph: &'a Graph,
    filter: &'a dyn DependencyFilter,
    unresolved_peers: UnresolvedPeers,
    nodes: Vec<Node>,
    /// Nodes by package and by what it finds for each peer that it or a package below it looks up
    /// above.
    known: HashMap<(PackageId, Vec<Option<PackageId>>), NodeId>,
    /// How many dependencies were followed.
    steps: usize,
    /// How many peers the nodes record.
    peers: usize,
}

impl NodeWalk<'_> {
    fn follow(&mut self, step: &PendingDependency, steps: &mut Vec<PendingDependency>) -> Result<()> {
        self.steps += 1;
        if self.steps > STEPS_MAX {
            return Err(problem::isolated_too_large(&self.graph.label(step.package), STEPS_MAX));
        }
        if let (Some(parent), Some(via)) = (step.parent, step.via)
            && let Some(node) = self.find(parent, via, step.package)?
        {
            self.nodes[parent.0].children.push(node);
            return Ok(());
        }
        let id = self.add(step);
        if step.via.is_some_and(|via| self.is_expanded_elsewhere(via, step.package)) {
            return Ok(());
        }
        let dependencies =
            self.graph.dependencies_of(step.package).filter(|&id| self.includes(step.package, id));
        let (peers, own): (Vec<_>, Vec<_>) =
            dependencies.partition(|&id| self.graph.dependency(id).role.is_peer());
        for via in own {
            let package = self.graph.binding(via).expect("only bound dependencies are taken");
            self.provide(id, via, package, steps);
        }
        for via in peers {
            let mut passed = Vec::new();
            let Some((package, origin)) = self.resolve_peer(id, via, &mut passed) else { continue };
            let peer = Peer { name: self.graph.dependency(via).name, package, origin };
            for &node in &passed {
                self.add_peer(node, peer)?;
            }
            // If it passed no node, the package provides it itself.
            if !passed.is_empty() {
                self.provide(id, via, package, steps);
            }
        }
        Ok(())
    }

    /// Unbound optional peers may still be found above.
    fn includes(&self, owner: PackageId, id: DependencyId) -> bool {
        let is_open =
            self.graph.binding(id).is_none() && self.graph.dependency(id).role == Role::OptionalPeer;
        is_open || self.filter.includes(self.graph, owner, id)
    }

    fn provide(
        &mut self,
        node: NodeId,
        via: DependencyId,
        package: PackageId,
        steps: &mut Vec<PendingDependency>,
    ) {
        self.nodes[node.0].provides.push((self.graph.dependency(via).name, package));
        steps.push(PendingDependency { parent: Some(node), via: Some(via), package });
    }

    /// The project, as a dependency of a member, and members that the project has anyway are not
    /// expanded here.
    fn is_expanded_elsewhere(&self, via: DependencyId, package: PackageId) -> bool {
        let source = &self.graph.package(package).source;
        let is_declared = self.graph.dependency(via).role != Role::Workspace;
        *source == Source::Root
            || is_declared
                && is_workspace_dependency(self.graph, via)
                && matches!(source, Source::Workspace { .. })
                && self.nodes[0].provides.iter().any(|(_, provided)| *provided == package)
    }

    fn add(&mut self, step: &PendingDependency) -> NodeId {
        let id = NodeId(self.nodes.len());
        self.nodes.push(Node {
            package: step.package,
            via: step.via,
            parent: step.parent,
            provides: Vec::new(),
            peers: Vec::new(),
            children: Vec::new(),
        });
        if let Some(parent) = step.parent {
            self.nodes[parent.0].children.push(id);
        }
        id
    }

    /// The node that this dependency would become: an ancestor, or one that finds the same peers.
    fn find(&mut self, parent: NodeId, via: DependencyId, package: PackageId) -> Result<Option<NodeId>> {
        let is_alike = |other: Option<DependencyId>| {
            other.is_some_and(|other| {
                let (a, b) = (self.graph.dependency(via), self.graph.dependency(other));
                a.name == b.name && (a.role == Role::Workspace) == (b.role == Role::Workspace)
            })
        };
        let is_cycle =
            |node: &NodeId| self.nodes[node.0].package == package && is_alike(self.nodes[node.0].via);
        if let Some(above) = self.ancestors(parent).find(is_cycle) {
            return Ok(Some(above));
        }
        let found = match is_workspace_dependency(self.graph, via) {
            true => Vec::new(),
            false => {
                let unresolved_peers = self.unresolved_peers.of_package(package);
                unresolved_peers.map(|name| self.provided(parent, name)).collect()
            }
        };
        let key = (package, found);
        let Some(&node) = self.known.get(&key) else {
            self.known.insert(key, NodeId(self.nodes.len()));
            return Ok(None);
        };
        let other = self.nodes[node.0].via.expect("only what a dependency led to is known");
        let is_same_kind =
            is_workspace_dependency(self.graph, via) == is_workspace_dependency(self.graph, other);
        let is_same_role = !is_workspace_dependency(self.graph, via) || is_alike(Some(other));
        if self.graph.dependency(via).name != self.graph.dependency(other).name
            || !is_same_kind
            || !is_same_role
        {
            return Ok(None);
        }
        self.pass_up(parent, node)?;
        Ok(Some(node))
    }

    /// A node and its ancestors.
    fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(node), |node| self.nodes[node.0].parent)
    }

    /// The package that a name resolves to below this node.
    fn provided(&self, below: NodeId, name: NameId) -> Option<PackageId> {
        self.ancestors(below).find_map(|node| {
            let node = &self.nodes[node.0];
            let own =
                node.provides.iter().find(|(provided, _)| *provided == name).map(|(_, package)| *package);
            let passed = || {
                let is_it = |peer: &&Peer| peer.name == name && peer.origin == PeerOrigin::Ancestor;
                node.peers.iter().find(is_it).map(|peer| peer.package)
            };
            own.or_else(passed)
        })
    }

    /// Peers of a node that has another parent now as well: they pass through the ancestors there.
    fn pass_up(&mut self, parent: NodeId, node: NodeId) -> Result<()> {
        for peer in self.nodes[node.0].peers.clone() {
            let provides =
                |node: &NodeId| self.nodes[node.0].provides.iter().any(|(name, _)| *name == peer.name);
            let passed: Vec<NodeId> = self.ancestors(parent).take_while(|node| !provides(node)).collect();
            passed.into_iter().try_for_each(|node| self.add_peer(node, peer))?;
        }
        Ok(())
    }

    /// Resolves a peer, and lists the nodes it passed through.
    fn resolve_peer(
        &self,
        node: NodeId,
        via: DependencyId,
        passed: &mut Vec<NodeId>,
    ) -> Option<(PackageId, PeerOrigin)> {
        let name = self.graph.dependency(via).name;
        let bound = self.graph.binding(via);
        let mut above = self.ancestors(node);
        while let Some(at) = above.next() {
            let node = &self.nodes[at.0];
            if let Some((_, package)) = node.provides.iter().find(|(provided, _)| *provided == name) {
                return Some((*package, PeerOrigin::Ancestor));
            }
            if let Some(peer) = node.peers.iter().find(|peer| peer.name == name) {
                if peer.origin == PeerOrigin::Ancestor {
                    return Some((peer.package, PeerOrigin::Ancestor));
                }
                // No ancestor from here on provides it, or the other peer would have found it.
                if bound.is_some_and(|bound| bound != peer.package) {
                    passed.push(at);
                    passed.extend(above);
                }
                return bound.map(|bound| (bound, PeerOrigin::FromGraph));
            }
            passed.push(at);
        }
        bound.map(|bound| (bound, PeerOrigin::FromGraph))
    }

    /// The first package of a name stays. A package is not recorded as a peer of itself.
    fn add_peer(&mut self, node: NodeId, peer: Peer) -> Result<()> {
        let graph = self.graph;
        if self.nodes[node.0].package == peer.package {
            return Ok(());
        }
        let peers = &mut self.nodes[node.0].peers;
        let own_name = |peer: &Peer| graph.package_name(peer.package);
        if let Err(place) = peers.binary_search_by(|other| own_name(other).cmp(own_name(&peer))) {
            peers.insert(place, peer);
            self.peers += 1;
        }
        match self.peers > PEERS_MAX {
            true => Err(problem::isolated_too_large(&graph.label(peer.package), PEERS_MAX)),
            false => Ok(()),
        }
    }
}
