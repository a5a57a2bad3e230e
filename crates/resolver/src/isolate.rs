//! The isolated layout as a graph: a bound graph in, entries out. An entry is a package together
//! with the peers it finds. It has a directory of its own in the virtual store, with links to the
//! entries of its dependencies beside it. The same graph gives the same entries, with the names
//! that bun gives them. No I/O.
//!
//! First every package is followed from every dependent, depth first, until its peers are resolved
//! (`nodes`); then nodes with the same peers become one entry, breadth first. Absent: paths, which
//! `layout` makes from the entries.

mod instances;
mod name;
mod nodes;
mod unresolved_peers;

use std::collections::{BTreeMap, VecDeque};

use rusk_base::Result;
use rusk_npm::graph::{DependencyId, Graph, IdMap, NameId, PackageId, Role, Source};

use rusk_npm::name_patterns::NamePatterns;

use crate::hoist::DependencyFilter;
pub use instances::isolate_instances;
use nodes::{Node, NodeId, is_workspace_dependency};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId(pub usize);

impl EntryId {
    /// The project itself.
    pub const ROOT: EntryId = EntryId(0);
}

/// A package with its peers resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IsolatedEntry {
    pub package: PackageId,
    /// The directory in the virtual store: `@scope+name@1.0.0+<peers>`. Unused for packages
    /// outside of it.
    pub name: String,
    /// Names of links, and the entries they point to.
    pub links: BTreeMap<NameId, EntryId>,
}

#[derive(Clone, Debug, Default)]
pub struct IsolatedGraph {
    /// The project's entry is the first.
    pub entries: Vec<IsolatedEntry>,
    /// Entries that packages find under names they do not declare.
    pub fallbacks: BTreeMap<NameId, EntryId>,
}

/// Patterns of names that are linked although they are not declared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HoistPatterns {
    /// In the virtual store's own node_modules, for packages; `None` means all.
    pub hidden: Option<NamePatterns>,
    /// In the project's own node_modules.
    pub public: Option<NamePatterns>,
}

pub fn isolate(
    graph: &Graph,
    filter: &dyn DependencyFilter,
    hoisting: &HoistPatterns,
) -> Result<IsolatedGraph> {
    let nodes = nodes::follow(graph, filter)?;
    let mut builder = EntryBuilder {
        graph,
        nodes: &nodes,
        hoisting,
        isolated: IsolatedGraph::default(),
        known: IdMap::default(),
    };
    let mut queue = VecDeque::from([(NodeId(0), EntryId::ROOT)]);
    while let Some((node, parent)) = queue.pop_front() {
        if let Some(entry) = builder.merge(node, parent) {
            queue.extend(nodes[node.0].children.iter().map(|&child| (child, entry)));
        }
    }
    Ok(builder.isolated)
}

impl IsolatedGraph {
    /// Links an entry where it is declared, and where the hoist patterns expose it. Of two packages
    /// for one name, the first is linked. Members that the project implies are not.
    fn link(
        &mut self,
        graph: &Graph,
        hoisting: &HoistPatterns,
        parent: EntryId,
        via: DependencyId,
        entry: EntryId,
    ) {
        let name = graph.dependency(via).name;
        let text = graph.name(name).as_str();
        if hoisting.hidden.as_ref().is_none_or(|patterns| patterns.matches(text)) {
            self.fallbacks.entry(name).or_insert(entry);
        }
        if graph.dependency(via).role == Role::Workspace {
            return;
        }
        let is_public = hoisting.public.as_ref().is_some_and(|patterns| patterns.matches(text));
        let root = (is_public && parent != EntryId::ROOT).then_some(EntryId::ROOT);
        for holder in std::iter::once(parent).chain(root) {
            self.entries[holder.0].links.entry(name).or_insert(entry);
        }
    }
}

struct EntryBuilder<'a> {
    graph: &'a Graph,
    nodes: &'a [Node],
    hoisting: &'a HoistPatterns,
    isolated: IsolatedGraph,
    /// The nodes that became entries of their own.
    known: IdMap<PackageId, Vec<(NodeId, EntryId)>>,
}

impl EntryBuilder<'_> {
    /// Merges a node. Returns its entry if it is a new one.
    fn merge(&mut self, id: NodeId, parent: EntryId) -> Option<EntryId> {
        let node = &self.nodes[id.0];
        if let Some(entry) = self.find(node) {
            self.link(parent, node, entry);
            return None;
        }
        let entry = EntryId(self.isolated.entries.len());
        self.isolated.entries.push(IsolatedEntry {
            package: node.package,
            name: name::of(self.graph, node),
            links: BTreeMap::new(),
        });
        self.link(parent, node, entry);
        self.known.entry(node.package).or_default().push((id, entry));
        Some(entry)
    }

    /// The entry of the same package with the same peers.
    fn find(&self, node: &Node) -> Option<EntryId> {
        let known = self.known.get(&node.package)?;
        let is_same = |(other, _): &&(NodeId, EntryId)| {
            let other = &self.nodes[other.0];
            let are_same_peers =
                || node.peers.iter().map(|peer| peer.package).eq(other.peers.iter().map(|peer| peer.package));
            let are_alike = match (node.via, other.via) {
                (None, None) => true,
                // The implied member of the project differs from an explicitly declared one.
                (Some(a), Some(b)) => {
                    let both =
                        is_workspace_dependency(self.graph, a) && is_workspace_dependency(self.graph, b);
                    !both || self.is_implied(a) == self.is_implied(b)
                }
                _ => false,
            };
            are_alike && are_same_peers()
        };
        known.iter().find(is_same).map(|(_, entry)| *entry)
    }

    fn link(&mut self, parent: EntryId, node: &Node, entry: EntryId) {
        if let Some(via) = node.via {
            self.isolated.link(self.graph, self.hoisting, parent, via, entry);
        }
    }

    fn is_implied(&self, via: DependencyId) -> bool {
        self.graph.dependency(via).role == Role::Workspace
    }
}

/// Whether a package has a directory in the virtual store.
pub fn is_stored(source: &Source) -> bool {
    !matches!(source, Source::Root | Source::Workspace { .. } | Source::Link { .. })
}
