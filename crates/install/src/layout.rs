//! Layout of node_modules: every location, and the package in it or the location it links to. Built
//! from a graph and a tree (hoisted), or from a graph and entries (isolated). No I/O.

use std::collections::HashSet;

use rusk_configuration::request::Omit;
use rusk_lockfiles::locations::is_inside;
use rusk_npm::graph::{DependencyId, Graph, IdMap, IdSet, PackageId, Role, Source};
use rusk_npm::hoisting_limit::HoistingLimit;
use rusk_npm::tree::{DirId, Tree};
use rusk_resolver::isolate::{EntryId, IsolatedEntry, IsolatedGraph, is_stored};

use crate::shared::SharedKeys;
use crate::virtual_store::VirtualStore;
use rusk_npm::graph::Platform;
use rusk_resolver::hoist::DependencyFilter;

/// One package at one location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Relative to the project.
    pub path: String,
    /// The end of the path, which names a program without a name of its own.
    pub alias: String,
    pub package: PackageId,
    /// The location of the package, when this one is a link to it.
    pub target: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayoutKind {
    #[default]
    Hoisted,
    Isolated(VirtualStore),
    /// Isolated, with entries in a directory that projects share where possible.
    Global(VirtualStore),
}

impl LayoutKind {
    /// Where the entries are.
    pub fn virtual_store(self) -> Option<VirtualStore> {
        match self {
            LayoutKind::Hoisted => None,
            LayoutKind::Isolated(store) | LayoutKind::Global(store) => Some(store),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Layout {
    pub kind: LayoutKind,
    /// Every directory whose packages' programs are linked in its `.bin`, relative to the project:
    /// `node_modules`, `packages/ui/node_modules`, `node_modules/a/node_modules`.
    pub dirs: Vec<String>,
    pub placements: Vec<Placement>,
}

impl Layout {
    pub fn hoisted(graph: &Graph, tree: &Tree) -> Layout {
        let mut layout = Layout::default();
        let mut homes: IdMap<(DirId, DependencyId), String> = IdMap::default();
        for dir in tree.dirs() {
            let path = match (tree.parent(dir), tree.via(dir)) {
                (Some(parent), Some(via)) => match homes.get(&(parent, via)) {
                    Some(home) => format!("{home}/node_modules"),
                    None => continue,
                },
                _ => "node_modules".to_owned(),
            };
            for &via in tree.entries(dir) {
                let package = graph.binding(via).expect("the tree holds bound dependencies only");
                if let Some(home) = home(graph, package, &path, via) {
                    homes.insert((dir, via), home);
                }
                let alias = alias(graph, via);
                let path = format!("{path}/{alias}");
                layout.placements.push(Placement { path, alias, package, target: None });
            }
            layout.dirs.push(path);
        }
        layout
    }

    pub fn isolated(graph: &Graph, isolated: &IsolatedGraph, store: VirtualStore) -> Layout {
        let mut layout = Layout { kind: LayoutKind::Isolated(store), ..Layout::default() };
        layout.add_importers(graph, isolated, &|_| None);
        layout.add_entries(graph, isolated, &|_, entry| Some(entry.name.clone()), &|_| None);
        for (&name, id) in &isolated.fallbacks {
            let entry = &isolated.entries[id.0];
            // A package in a directory of the project is only for those that declare it.
            let target = entry_location(graph, entry, store, &entry.name);
            if let (Some(target), false) = (target, is_dir(graph, entry)) {
                let name = graph.name(name).as_str();
                layout.add(&format!("{}/node_modules", store.path()), name, entry.package, Some(target));
            }
        }
        layout
    }

    /// As `isolated`, but entries with a key are in the directory `links`, an absolute path, where
    /// packages of the project cannot be found: so there is no fallback.
    pub fn global(
        graph: &Graph,
        isolated: &IsolatedGraph,
        store: VirtualStore,
        keys: &SharedKeys,
        links: &str,
    ) -> Layout {
        let mut layout = Layout { kind: LayoutKind::Global(store), ..Layout::default() };
        let shared_path = |id: usize| {
            let name = graph.package_name(isolated.entries[id].package);
            keys.find(id).map(|key| format!("{links}/{}/node_modules/{name}", key.dir_name()))
        };
        layout.add_importers(graph, isolated, &shared_path);
        let own = |id: usize, entry: &IsolatedEntry| keys.find(id).is_none().then(|| entry.name.clone());
        layout.add_entries(graph, isolated, &own, &shared_path);
        layout
    }

    /// Links of the project and its members.
    fn add_importers(
        &mut self,
        graph: &Graph,
        isolated: &IsolatedGraph,
        shared_path: &dyn Fn(usize) -> Option<String>,
    ) {
        let store = self.kind.virtual_store().unwrap_or_default();
        let mut members = HashSet::new();
        for (id, entry) in isolated.entries.iter().enumerate() {
            let dir = match &graph.package(entry.package).source {
                Source::Root if id == EntryId::ROOT.0 => "node_modules".to_owned(),
                // A member found with other peers is still one directory.
                Source::Workspace { path, .. } if members.insert(path) => format!("{path}/node_modules"),
                Source::Link { path }
                    if !entry.links.is_empty() && is_inside(path) && members.insert(path) =>
                {
                    format!("{path}/node_modules")
                }
                _ => continue,
            };
            for (&name, link) in &entry.links {
                let target = &isolated.entries[link.0];
                let target_path =
                    shared_path(link.0).or_else(|| entry_location(graph, target, store, &target.name));
                self.add(&dir, graph.name(name).as_str(), target.package, target_path);
            }
            self.dirs.push(dir);
        }
    }

    /// Packages in directories of their own, those that `name` names, with links to their
    /// dependencies.
    pub fn add_entries(
        &mut self,
        graph: &Graph,
        isolated: &IsolatedGraph,
        name: &dyn Fn(usize, &IsolatedEntry) -> Option<String>,
        shared_path: &dyn Fn(usize) -> Option<String>,
    ) {
        let store = self.kind.virtual_store().unwrap_or_default();
        for (id, entry) in isolated.entries.iter().enumerate() {
            let is_stored = is_stored(&graph.package(entry.package).source);
            let Some(dir) = name(id, entry).filter(|_| is_stored) else { continue };
            let dir = format!("{}/{dir}/node_modules", store.path());
            let own = graph.package_name(entry.package).as_str();
            self.add(&dir, own, entry.package, None);
            for (&alias, link) in &entry.links {
                let alias = graph.name(alias).as_str();
                let target = &isolated.entries[link.0];
                let inside = || entry_location(graph, target, store, &name(link.0, target)?);
                let target_path = shared_path(link.0).or_else(inside);
                // A dependency with the same name as its dependent is nested in it.
                let dir = match own == alias {
                    true => format!("{dir}/{alias}/node_modules"),
                    false => dir.clone(),
                };
                self.add(&dir, alias, target.package, target_path);
            }
            self.dirs.push(dir);
        }
    }

    fn add(&mut self, dir: &str, alias: &str, package: PackageId, target: Option<String>) {
        let path = format!("{dir}/{alias}");
        self.placements.push(Placement { path, alias: alias.to_owned(), package, target });
    }
}

fn alias(graph: &Graph, via: DependencyId) -> String {
    graph.name(graph.dependency(via).name).to_string()
}

/// Where the packages nested in a package are: beside a workspace's own files, not through its
/// link, and so for a linked directory of the project. `None` for one outside: we must not write in
/// it, whatever a lockfile nests there.
fn home(graph: &Graph, package: PackageId, dir: &str, via: DependencyId) -> Option<String> {
    match &graph.package(package).source {
        Source::Workspace { path, .. } => Some(path.to_string()),
        Source::Link { path } => is_inside(path).then(|| path.to_string()),
        Source::Root => None,
        _ => Some(format!("{dir}/{}", alias(graph, via))),
    }
}

/// The location of an entry's package in the directory `dir`; `None` for a package outside of
/// node_modules.
fn entry_location(graph: &Graph, entry: &IsolatedEntry, store: VirtualStore, dir: &str) -> Option<String> {
    let name = graph.package_name(entry.package);
    let is_stored = is_stored(&graph.package(entry.package).source);
    is_stored.then(|| format!("{}/{dir}/node_modules/{name}", store.path()))
}

fn is_dir(graph: &Graph, entry: &IsolatedEntry) -> bool {
    matches!(graph.package(entry.package).source, Source::Directory { .. })
}

/// Selects what is installed: the groups that were not omitted, on this platform. Bundled
/// dependencies are in the tarball already.
pub struct InstallFilter {
    pub omit: Omit,
    pub platform: Platform,
    /// The members whose dependencies are installed; `None`: all.
    pub members: Option<IdSet<PackageId>>,
    /// Of the project and its members, those with a limit.
    pub hoisting_limits: IdMap<PackageId, HoistingLimit>,
}

impl InstallFilter {
    fn selects(&self, graph: &Graph, owner: PackageId, bound: PackageId, role: Role) -> bool {
        let Some(members) = &self.members else { return true };
        match graph.package(owner).source {
            // The project itself leads to its members.
            Source::Root if role == Role::Workspace => members.contains(&bound),
            Source::Root | Source::Workspace { .. } => members.contains(&owner),
            _ => true,
        }
    }
}

impl DependencyFilter for InstallFilter {
    fn limit(&self, member: PackageId) -> HoistingLimit {
        self.hoisting_limits.get(&member).copied().unwrap_or_default()
    }

    fn includes(&self, graph: &Graph, owner: PackageId, id: DependencyId) -> bool {
        let dependency = graph.dependency(id);
        let Some(package) = graph.binding(id) else {
            return false;
        };
        let is_local = matches!(
            graph.package(owner).source,
            Source::Root | Source::Workspace { .. } | Source::Directory { .. } | Source::Link { .. }
        );
        let is_foreign_development = dependency.role == Role::Development && !is_local;
        !is_foreign_development
            && !self.omit.excludes(dependency.role)
            && !dependency.bundled
            && self.selects(graph, owner, package, dependency.role)
            && graph.package(package).constraints.admits(&self.platform)
    }
}

#[cfg(test)]
mod tests;
