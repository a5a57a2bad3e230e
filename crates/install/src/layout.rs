//! The tree to be on disk: every place in node_modules and the package that lies there or the place it leads to.
//! Built from a graph and a tree (hoisted), or from a graph and entries (isolated); no I/O.

use std::collections::{HashMap, HashSet};

use rusk_npm::graph::{DependencyId, Graph, PackageId, Role, Source};
use rusk_npm::tree::{FolderId, Tree};

use crate::hoist::Selection;
use crate::isolate::{Entry, EntryId, Isolated, is_stored};
use crate::request::Omit;
use rusk_npm::graph::Platform;

/// Where the isolated layout keeps its entries.
pub const ENTRIES: &str = "node_modules/.bun";

/// One package in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// From the project.
    pub path: String,
    /// The end of the path, which names a program without a name of its own.
    pub alias: String,
    pub package: PackageId,
    /// The place that has the package, when this one only leads to it.
    pub target: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    #[default]
    Hoisted,
    Isolated,
}

#[derive(Clone, Debug, Default)]
pub struct Layout {
    pub kind: Kind,
    /// Every folder whose packages' programs are linked in its `.bin`, from the project: `node_modules`,
    /// `packages/ui/node_modules`, `node_modules/a/node_modules`.
    pub folders: Vec<String>,
    pub placements: Vec<Placement>,
}

impl Layout {
    pub fn hoisted(graph: &Graph, tree: &Tree) -> Layout {
        let mut layout = Layout::default();
        let mut homes: HashMap<(FolderId, DependencyId), String> = HashMap::new();
        for folder in tree.folders() {
            let path = match (tree.parent(folder), tree.via(folder)) {
                (Some(parent), Some(via)) => match homes.get(&(parent, via)) {
                    Some(home) => format!("{home}/node_modules"),
                    None => continue,
                },
                _ => "node_modules".to_owned(),
            };
            for &via in tree.entries(folder) {
                let package = graph.binding(via).expect("the tree holds bound dependencies only");
                if let Some(home) = home(graph, package, &path, via) {
                    homes.insert((folder, via), home);
                }
                let alias = alias(graph, via);
                let path = format!("{path}/{alias}");
                layout.placements.push(Placement { path, alias, package, target: None });
            }
            layout.folders.push(path);
        }
        layout
    }

    pub fn isolated(graph: &Graph, isolated: &Isolated) -> Layout {
        let entries = &isolated.entries;
        let mut layout = Layout { kind: Kind::Isolated, ..Layout::default() };
        let mut members = HashSet::new();
        for (id, entry) in entries.iter().enumerate() {
            let source = &graph.package(entry.package).source;
            let folder = match source {
                Source::Root if id == EntryId::ROOT.0 => "node_modules".to_owned(),
                // A member found with other peers is still one folder.
                Source::Workspace { path, .. } if members.insert(path) => format!("{path}/node_modules"),
                source if is_stored(source) => format!("{ENTRIES}/{}/node_modules", entry.name),
                _ => continue,
            };
            let own = is_stored(source).then(|| graph.package_name(entry.package).as_str());
            if let Some(own) = own {
                layout.place(&folder, own, entry.package, None);
            }
            for (&name, link) in &entry.links {
                let name = graph.name(name).as_str();
                let target = place(graph, &entries[link.0]);
                // A dependency called like its dependent lies in it.
                let folder =
                    if own == Some(name) { format!("{folder}/{name}/node_modules") } else { folder.clone() };
                layout.place(&folder, name, entries[link.0].package, target);
            }
            layout.folders.push(folder);
        }
        for (&name, id) in &isolated.fallbacks {
            let entry = &entries[id.0];
            // What lies in a folder of the project is for those who ask for it.
            if let (Some(target), false) = (place(graph, entry), is_folder(graph, entry)) {
                let name = graph.name(name).as_str();
                layout.place(&format!("{ENTRIES}/node_modules"), name, entry.package, Some(target));
            }
        }
        layout
    }

    fn place(&mut self, folder: &str, alias: &str, package: PackageId, target: Option<String>) {
        let path = format!("{folder}/{alias}");
        self.placements.push(Placement { path, alias: alias.to_owned(), package, target });
    }
}

fn alias(graph: &Graph, via: DependencyId) -> String {
    graph.name(graph.dependency(via).name).to_string()
}

/// Where the packages nested in a package lie: beside a workspace's own files, not behind its link. `None` behind
/// the link to any other folder: that one is not ours to write in, whatever a lockfile nests there.
fn home(graph: &Graph, package: PackageId, folder: &str, via: DependencyId) -> Option<String> {
    match &graph.package(package).source {
        Source::Workspace { path, .. } => Some(path.to_string()),
        Source::Link { .. } | Source::Root => None,
        _ => Some(format!("{folder}/{}", alias(graph, via))),
    }
}

/// Where an entry's package lies; `None` for one that is outside of node_modules.
fn place(graph: &Graph, entry: &Entry) -> Option<String> {
    let name = graph.package_name(entry.package);
    let is_stored = is_stored(&graph.package(entry.package).source);
    is_stored.then(|| format!("{ENTRIES}/{}/node_modules/{name}", entry.name))
}

fn is_folder(graph: &Graph, entry: &Entry) -> bool {
    matches!(graph.package(entry.package).source, Source::Folder { .. })
}

/// The folder of `node_modules/.bun` that a path lies in.
pub fn entry_of(path: &str) -> Option<&str> {
    let rest = path.strip_prefix(ENTRIES)?.strip_prefix('/')?;
    let length = rest.find('/')?;
    Some(&path[..ENTRIES.len() + 1 + length])
}

/// What of the graph is installed: the groups that were not omitted, on this platform. What comes in
/// a tarball is there already.
pub struct Wanted {
    pub omit: Omit,
    pub platform: Platform,
}

impl Selection for Wanted {
    fn takes(&self, graph: &Graph, owner: PackageId, id: DependencyId) -> bool {
        let dependency = graph.dependency(id);
        let Some(package) = graph.binding(id) else {
            return false;
        };
        let is_local = matches!(
            graph.package(owner).source,
            Source::Root | Source::Workspace { .. } | Source::Folder { .. }
        );
        let is_omitted = match dependency.role {
            Role::Development => self.omit.development || !is_local,
            Role::Optional => self.omit.optional,
            Role::Peer | Role::OptionalPeer => self.omit.peer,
            Role::Workspace | Role::Production => false,
        };
        !is_omitted && !dependency.bundled && graph.package(package).constraints.admits(&self.platform)
    }
}

#[cfg(test)]
mod tests;
