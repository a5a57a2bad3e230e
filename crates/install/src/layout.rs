//! The tree to be on disk: every place in node_modules and the package that lies there, parents before
//! what is nested in them. Built from a graph and a tree; no I/O.

use std::collections::HashMap;

use rusk_npm::graph::{DependencyId, Graph, PackageId, Role, Source};
use rusk_npm::tree::{FolderId, Tree};

use crate::hoist::Selection;
use crate::request::Omit;
use rusk_npm::graph::Platform;

/// One package in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    pub package: PackageId,
    /// The dependency that put it there.
    pub via: DependencyId,
    /// Index into [`Layout::folders`].
    pub folder: usize,
}

/// A node_modules folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// From the project: `node_modules`, `packages/ui/node_modules`, `node_modules/a/node_modules`.
    pub path: String,
}

#[derive(Clone, Debug, Default)]
pub struct Layout {
    pub folders: Vec<Folder>,
    /// By folder, then in the tree's order.
    pub placements: Vec<Placement>,
}

impl Layout {
    pub fn of(graph: &Graph, tree: &Tree) -> Layout {
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
                layout.placements.push(Placement { package, via, folder: layout.folders.len() });
            }
            layout.folders.push(Folder { path });
        }
        layout
    }

    /// Where a placement lies, from the project.
    pub fn path(&self, graph: &Graph, placement: &Placement) -> String {
        let name = graph.name(graph.dependency(placement.via).name);
        format!("{}/{name}", self.folders[placement.folder].path)
    }
}

/// Where the packages nested in a package lie: beside a workspace's own files, not behind its link. `None` behind
/// the link to any other folder: that one is not ours to write in, whatever a lockfile nests there.
fn home(graph: &Graph, package: PackageId, folder: &str, via: DependencyId) -> Option<String> {
    match &graph.package(package).source {
        Source::Workspace { path, .. } => Some(path.to_string()),
        Source::Link { .. } | Source::Root => None,
        _ => Some(format!("{folder}/{}", graph.name(graph.dependency(via).name))),
    }
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
