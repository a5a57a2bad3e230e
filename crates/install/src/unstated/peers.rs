//! Peers of the packages of yarn.lock of Yarn 1, which states none: Yarn reads them from the
//! packages, too, and nests a package beside what it has as a peer. In: the graph, packages of the
//! store, those that are installed, those that arrive. Out: the graph with the peers, unbound.
//! Absent: packages that are at hand nowhere, which stay without peers; packages that are in no
//! registry.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusk_base::{Result, files};
use rusk_configuration::request::{Goal, InstallRequest};
use rusk_npm::bunfig::Linker;
use rusk_npm::graph::{Dependency, DependencyId, Graph, NameId, Package, Role};
use rusk_npm::manifest::{MANIFEST_BYTES_MAX, Manifest, Pairs};
use rusk_resolver::members::MANIFEST_NAME;
use rusk_store::Key;

use crate::context::InstallContext;
use crate::package_provider::PackageProvider;
use crate::plan::InstalledTree;
use crate::store_keys::StoreKeys;
use crate::{apply, fetch};

/// Adds the peers. Ids of packages stay. Packages that are missing are fetched, as they will be
/// needed, unless nothing is installed.
pub fn add_peers(
    context: &InstallContext,
    request: &InstallRequest,
    graph: &Graph,
    keys: &StoreKeys<'_>,
    provider: &mut PackageProvider<'_>,
) -> Result<Graph> {
    let installed = InstalledPackages::of(&context.project.dir, apply::installed(context, request)?);
    if matches!(request.goal, Goal::Install | Goal::Frozen | Goal::Clean) {
        let is_missing = |key: &Key| installed.find(key).is_none();
        fetch::prefetch(context, request, graph, keys, provider, &is_missing)?;
        provider.receive_tarballs()?;
        provider.downloads.receive_unpacked()?;
    }
    // A hoisted layout keeps what depends on a package below it. An isolated one looks for peers
    // above a package, which it does for optional ones that are not bound.
    let role = match apply::linker(context, request) {
        Linker::Hoisted => Role::Peer,
        Linker::Isolated | Linker::Global => Role::OptionalPeer,
    };
    let peers = graph.package_ids().map(|id| {
        let key = keys.find(graph, id).filter(|_| graph.package(id).source.npm_version().is_some());
        let Some(key) = key else { return Ok(Vec::new()) };
        let manifest = match provider.downloads.find_package(key)? {
            Some(package) => {
                let file = provider.downloads.store().find_file(&package, MANIFEST_NAME);
                file.and_then(|file| read_manifest(&file))
            }
            None => installed.find(key).and_then(|dir| read_manifest(&dir.join(MANIFEST_NAME))),
        };
        Ok(manifest.map(|manifest| manifest.peer_dependencies).unwrap_or_default())
    });
    let peers = peers.collect::<Result<Vec<_>>>()?;
    Ok(with_peers(graph, &peers, role))
}

/// Packages whose location is in the record of the last install.
struct InstalledPackages<'a> {
    project: &'a Path,
    tree: Arc<InstalledTree>,
    by_stamp: OnceCell<HashMap<String, String>>,
}

impl<'a> InstalledPackages<'a> {
    fn of(project: &'a Path, tree: Arc<InstalledTree>) -> InstalledPackages<'a> {
        InstalledPackages { project, tree, by_stamp: OnceCell::new() }
    }

    fn find(&self, key: &Key) -> Option<PathBuf> {
        let by_stamp = self.by_stamp.get_or_init(|| {
            self.tree.locations.iter().map(|(path, stamp)| (stamp.clone(), path.clone())).collect()
        });
        by_stamp.get(key.dir_name()).map(|path| self.project.join(path))
    }
}

/// `None` for a file that is missing or wrong: only what it says of peers is not known then.
fn read_manifest(file: &Path) -> Option<Manifest> {
    let text = files::find_string(file, MANIFEST_BYTES_MAX as u64).ok()??;
    Manifest::parse(&text).ok()
}

/// The same graph, in which packages have more dependencies. A name that a package depends on
/// anyway is not a peer.
fn with_peers(graph: &Graph, peers: &[Pairs], role: Role) -> Graph {
    let mut extended = Graph::default();
    extended.project_name = graph.project_name.clone();
    for (id, peers) in graph.package_ids().zip(peers) {
        let own: Vec<Dependency> = graph.dependencies_of(id).map(|it| graph.dependency(it).clone()).collect();
        let is_own = |name: &str| own.iter().any(|it| graph.name(it.name).as_str() == name);
        let added: Vec<&(String, String)> = peers.iter().filter(|(name, _)| !is_own(name)).collect();
        let mut dependencies: Vec<Dependency> = Vec::with_capacity(own.len() + added.len());
        for dependency in &own {
            let name = intern_known(&mut extended, graph, dependency.name);
            dependencies.push(Dependency { name, ..dependency.clone() });
        }
        for (name, range) in added {
            // Of a package that names something impossible, the rest is used.
            let Ok(name) = extended.intern(name) else { continue };
            dependencies.push(Dependency { name, literal: range.as_str().into(), role, bundled: false });
        }
        let name = intern_known(&mut extended, graph, graph.package(id).name);
        let new = extended.add(Package { name, ..graph.package(id).clone() }, dependencies);
        // Both are in the same order, and the new ones are not bound.
        let mut old = graph.dependencies_of(id).peekable();
        for new in extended.dependencies_of(new) {
            let is_it = |old: &DependencyId| {
                let (old, new) = (graph.dependency(*old), extended.dependency(new));
                old.role == new.role && graph.name(old.name) == extended.name(new.name)
            };
            if let Some(old) = old.next_if(is_it) {
                extended.bind(new, graph.binding(old));
            }
        }
    }
    extended
}

fn intern_known(graph: &mut Graph, other: &Graph, name: NameId) -> NameId {
    graph.intern(other.name(name).as_str()).expect("it was a package name in the other graph")
}

#[cfg(test)]
mod tests;
