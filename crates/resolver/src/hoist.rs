//! Hoisting: computes the tree of `node_modules` directories from a bound graph. The same graph
//! gives the same tree: directories are filled breadth first, a package's dependencies in the
//! graph's order, and every dependency is placed as high as bun places it. No I/O.
//!
//! A dependency looks its name up in its dependent's directory and then upwards. The first
//! directory that has the name decides: the same package is shared; for another package, the
//! dependency is placed in its dependent's own directory. A name that is not found is placed in the
//! topmost directory, but not above a directory that would give the package a peer out of range
//! where its dependent provides one in range. Bundled dependencies never move, and nothing below
//! them rises past them.

use std::collections::VecDeque;

use rusk_base::Result;
use rusk_npm::graph::{DependencyId, Graph, IdMap, IdSet, NameId, PackageId, Role, Source};
use rusk_npm::hoisting_limit::HoistingLimit;
use rusk_npm::semver::{Range, Version};
use rusk_npm::specifier::Specifier;
use rusk_npm::tree::{DirId, Tree};

use crate::problem;

const NODE_MODULES: &str = "node_modules";

/// Selects dependencies.
pub trait DependencyFilter {
    /// Whether `dependency` of `owner` is placed at all.
    fn includes(&self, graph: &Graph, owner: PackageId, dependency: DependencyId) -> bool;

    /// How far what the project or one of its members needs may rise.
    fn limit(&self, _member: PackageId) -> HoistingLimit {
        HoistingLimit::Project
    }
}

/// Selects all of them: the tree that the lockfile records.
pub struct AllDependencies;

impl DependencyFilter for AllDependencies {
    fn includes(&self, _: &Graph, _: PackageId, _: DependencyId) -> bool {
        true
    }
}

/// Builds the tree. Optional peers are bound on the way, to the package of their name that they
/// would find at run time. As long as a pass binds any, it is repeated, because a reader of the
/// lockfile has those bindings from the start.
pub fn hoist(graph: &mut Graph, filter: &dyn DependencyFilter) -> Result<Tree> {
    for _ in 1..PASSES_MAX {
        let (tree, bound) = pass(graph, filter)?;
        if bound == 0 {
            return Ok(tree);
        }
    }
    pass(graph, filter).map(|(tree, _)| tree)
}

/// Passes after which the tree is used as it is. Two are usual.
const PASSES_MAX: usize = 8;

/// One pass: the tree, and how many optional peers were bound.
fn pass(graph: &mut Graph, filter: &dyn DependencyFilter) -> Result<(Tree, usize)> {
    let mut builder = Builder {
        graph,
        filter,
        tree: Tree::default(),
        path_bytes: Vec::new(),
        tree_bytes: 0,
        occupied: IdMap::default(),
        waiting_peers: IdMap::default(),
        queue: VecDeque::new(),
        bound: 0,
    };
    builder.fill_directory(PendingDirectory {
        parent: None,
        via: None,
        ceiling: Ceiling::At(DirId::ROOT),
    })?;
    while let Some(fill_directory) = builder.queue.pop_front() {
        builder.fill_directory(fill_directory)?;
    }
    let bound = builder.bound;
    Ok((builder.finish()?, bound))
}

/// Bytes of one path in the project: the kernel's `PATH_MAX`. Packages that nest in one another
/// without end are stopped here, after some 250 levels.
const PATH_BYTES_MAX: usize = 4096;
/// Bytes of all the paths of a tree: a project of 100,000 packages has 6 MB of them. A graph of a
/// few dozen packages can require 2^30 locations; this limit stops it.
const TREE_BYTES_MAX: usize = 128 << 20;

struct Builder<'a> {
    graph: &'a mut Graph,
    filter: &'a dyn DependencyFilter,
    tree: Tree,
    /// Bytes of the path of each directory of the tree.
    path_bytes: Vec<usize>,
    /// Bytes of the paths of all locations.
    tree_bytes: usize,
    /// The dependency that occupies a name in a directory.
    occupied: IdMap<(DirId, NameId), DependencyId>,
    /// Optional peers that found an equal, unbound one; bound together with it, if it is bound.
    waiting_peers: IdMap<NameId, IdSet<DependencyId>>,
    queue: VecDeque<PendingDirectory>,
    /// Optional peers bound so far.
    bound: usize,
}

/// A package whose own dependencies are to be placed.
struct PendingDirectory {
    parent: Option<DirId>,
    /// The dependency that placed the package; `None` for the project.
    via: Option<DependencyId>,
    /// Nothing below rises past this directory.
    ceiling: Ceiling,
}

#[derive(Clone, Copy)]
enum Ceiling {
    At(DirId),
    /// The directory that will be made.
    Own,
}

enum HoistOutcome {
    /// A fitting package is there already, or the package may not be placed there.
    Skip,
    Place(DirId),
    /// An optional peer is this package.
    BindPeer(PackageId),
    /// An optional peer that waits with the unbound one that occupies the name.
    Wait,
    /// The occupant, in this directory, is an unbound optional peer: it becomes this dependency's
    /// package.
    Replace(DirId, DependencyId),
}

impl Builder<'_> {
    fn fill_directory(&mut self, fill_directory: PendingDirectory) -> Result<()> {
        let owner = match fill_directory.via {
            None => PackageId(0),
            Some(via) => self.graph.binding(via).expect("only bound dependencies are filled"),
        };
        if self.graph.package(owner).dependencies.is_empty() {
            return Ok(());
        }
        let dir = self.tree.push(fill_directory.parent, fill_directory.via);
        let above = fill_directory
            .parent
            .zip(fill_directory.via)
            .map_or(0, |(parent, via)| self.path_bytes_at(parent, via) + 1);
        self.path_bytes.truncate(dir.0 as usize);
        self.path_bytes.push(above + NODE_MODULES.len());
        let ceiling = match fill_directory.ceiling {
            Ceiling::At(ceiling) => ceiling,
            Ceiling::Own => dir,
        };
        for dependency in self.graph.dependencies_of(owner) {
            if self.filter.includes(self.graph, owner, dependency) {
                self.place_dependency(dir, ceiling, owner, dependency)?;
            }
        }
        self.tree.drop_if_empty(dir);
        Ok(())
    }

    /// Places one dependency.
    fn place_dependency(
        &mut self,
        dir: DirId,
        ceiling: DirId,
        owner: PackageId,
        id: DependencyId,
    ) -> Result<()> {
        let package = self.graph.binding(id);
        let dependency = self.graph.dependency(id);
        let name = dependency.name;
        let bundled = dependency.bundled;
        let stays = bundled || package.is_some_and(|package| self.is_dir(package));
        if package.is_none() && dependency.role != Role::OptionalPeer && !bundled {
            return Ok(());
        }
        let place = match stays {
            // Already placed: it is named in two groups of one manifest.
            true if self.occupied.contains_key(&(dir, name)) => HoistOutcome::Skip,
            true => HoistOutcome::Place(dir),
            false => self.find_placement(dir, ceiling, id, package)?,
        };
        match place {
            HoistOutcome::Skip => {}
            HoistOutcome::Wait => {
                self.waiting_peers.entry(name).or_default().insert(id);
            }
            HoistOutcome::BindPeer(found) => self.bind_peers(name, id, found),
            HoistOutcome::Replace(at, occupant) => {
                let package = package.expect("an unbound dependency replaces nothing");
                self.bind_peers(name, occupant, package);
                self.tree.replace(at, occupant, id);
                self.occupied.insert((at, name), id);
                self.queue_fill(at, id, self.ceiling_below(owner, package, ceiling));
            }
            HoistOutcome::Place(at) => {
                self.add_size(at, id)?;
                self.tree.entries_mut(at).push(id);
                self.occupied.insert((at, name), id);
                let below = package
                    .map_or(Ceiling::At(ceiling), |package| self.ceiling_below(owner, package, ceiling));
                self.queue_fill(at, id, if bundled { Ceiling::At(at) } else { below });
            }
        }
        Ok(())
    }

    /// Adds a location to the size of the tree.
    fn add_size(&mut self, at: DirId, id: DependencyId) -> Result<()> {
        let bytes = self.path_bytes_at(at, id);
        self.tree_bytes += bytes;
        let label =
            |graph: &Graph| graph.binding(id).map_or_else(String::new, |package| graph.label(package));
        if bytes > PATH_BYTES_MAX {
            return Err(problem::nested_too_deep(&label(self.graph), PATH_BYTES_MAX));
        }
        if self.tree_bytes > TREE_BYTES_MAX {
            return Err(problem::tree_too_large(&label(self.graph), TREE_BYTES_MAX));
        }
        Ok(())
    }

    fn path_bytes_at(&self, at: DirId, id: DependencyId) -> usize {
        let name = self.graph.name(self.graph.dependency(id).name);
        self.path_bytes[at.0 as usize] + 1 + name.as_str().len()
    }

    /// Of what `package` needs, a dependency of `owner`.
    fn ceiling_below(&self, owner: PackageId, package: PackageId, ceiling: DirId) -> Ceiling {
        let is_member =
            |id: PackageId| matches!(self.graph.package(id).source, Source::Root | Source::Workspace { .. });
        let is_limited = match (is_member(owner), is_member(package)) {
            (_, true) => self.filter.limit(package) != HoistingLimit::Project,
            (true, false) => self.filter.limit(owner) == HoistingLimit::DirectDependency,
            (false, false) => false,
        };
        if is_limited { Ceiling::Own } else { Ceiling::At(ceiling) }
    }

    fn queue_fill(&mut self, at: DirId, via: DependencyId, ceiling: Ceiling) {
        if self.graph.binding(via).is_some() {
            self.queue.push_back(PendingDirectory { parent: Some(at), via: Some(via), ceiling });
        }
    }

    fn bind_peers(&mut self, name: NameId, peer: DependencyId, package: PackageId) {
        self.graph.bind(peer, Some(package));
        self.bound += 1;
        for waiting in self.waiting_peers.remove(&name).unwrap_or_default() {
            self.graph.bind(waiting, Some(package));
        }
    }

    /// Walks upwards from the dependent's directory.
    fn find_placement(
        &self,
        dir: DirId,
        ceiling: DirId,
        id: DependencyId,
        package: Option<PackageId>,
    ) -> Result<HoistOutcome> {
        let name = self.graph.dependency(id).name;
        let peers = package.map_or_else(Vec::new, |package| self.provided_peers(dir, package));
        let mut at = dir;
        loop {
            if let Some(&occupant) = self.occupied.get(&(at, name)) {
                return self.resolve_conflict(dir, at, occupant, id, package);
            }
            match self.tree.parent(at) {
                Some(parent) if at != ceiling && !self.breaks_peers(parent, &peers) => at = parent,
                _ => return Ok(HoistOutcome::Place(at)),
            }
        }
    }

    /// The peers of a package that the dependent in this directory provides in range.
    fn provided_peers(&self, dir: DirId, package: PackageId) -> Vec<(NameId, Range)> {
        let dependent = self.tree.via(dir).map_or(Some(PackageId(0)), |via| self.graph.binding(via));
        let dependent = dependent.expect("only bound dependencies are filled");
        let is_peer = |peer: &DependencyId| self.graph.dependency(*peer).role == Role::Peer;
        let peers: Vec<DependencyId> = self.graph.dependencies_of(package).filter(is_peer).collect();
        if peers.is_empty() {
            return Vec::new();
        }
        let mut offers: IdMap<NameId, Vec<&Version>> = IdMap::default();
        let is_own = |other: &DependencyId| !self.graph.dependency(*other).role.is_peer();
        for other in self.graph.dependencies_of(dependent).filter(is_own) {
            offers.entry(self.graph.dependency(other).name).or_default().extend(self.version(other));
        }
        let provided = peers.into_iter().filter_map(|peer| {
            let versions = offers.get(&self.graph.dependency(peer).name)?;
            let range = self.range(peer)?;
            let provides = versions.iter().any(|version| range.contains(version));
            provides.then_some((self.graph.dependency(peer).name, range))
        });
        provided.collect()
    }

    /// Whether one of these peers, looked up from `dir` upwards, is found out of range.
    fn breaks_peers(&self, dir: DirId, peers: &[(NameId, Range)]) -> bool {
        peers.iter().any(|(name, range)| {
            let mut at = Some(dir);
            while let Some(dir) = at {
                if let Some(&occupant) = self.occupied.get(&(dir, *name)) {
                    return self.version(occupant).is_some_and(|version| !range.contains(version));
                }
                at = self.tree.parent(dir);
            }
            false
        })
    }

    fn version(&self, dependency: DependencyId) -> Option<&Version> {
        self.graph.binding(dependency).and_then(|package| self.graph.package(package).source.npm_version())
    }

    fn range(&self, dependency: DependencyId) -> Option<Range> {
        let dependency = self.graph.dependency(dependency);
        match Specifier::parse(self.graph.name(dependency.name).as_str(), &dependency.literal) {
            Ok(Specifier::Npm { range, .. }) => Some(range),
            _ => None,
        }
    }

    /// The name is occupied at `at` by `occupant`.
    fn resolve_conflict(
        &self,
        dir: DirId,
        at: DirId,
        occupant: DependencyId,
        id: DependencyId,
        package: Option<PackageId>,
    ) -> Result<HoistOutcome> {
        let (package, existing) = match (package, self.graph.binding(occupant)) {
            (None, None) => return Ok(HoistOutcome::Wait),
            (Some(_), None) => return Ok(HoistOutcome::Replace(at, occupant)),
            (None, Some(existing)) => return Ok(HoistOutcome::BindPeer(existing)),
            (Some(package), Some(existing)) => (package, existing),
        };
        let holder_role = self.graph.dependency(occupant).role;
        let dependency = self.graph.dependency(id);
        let is_own_dir = at == dir;
        let differ_in_development =
            (holder_role == Role::Development) != (dependency.role == Role::Development);
        if existing == package || is_own_dir && differ_in_development {
            return Ok(HoistOutcome::Skip);
        }
        if dependency.role.is_peer() && (self.satisfies(id, existing) || self.is_of_project(occupant)) {
            return Ok(HoistOutcome::Skip);
        }
        match (is_own_dir, holder_role.is_peer()) {
            (false, _) => Ok(HoistOutcome::Place(dir)),
            (true, true) => Ok(HoistOutcome::Skip),
            (true, false) => Err(problem::dependency_loop(self.graph, package, existing)),
        }
    }

    fn satisfies(&self, peer: DependencyId, package: PackageId) -> bool {
        let version = self.graph.package(package).source.npm_version();
        self.range(peer).zip(version).is_some_and(|(range, version)| range.contains(version))
    }

    fn is_dir(&self, package: PackageId) -> bool {
        matches!(self.graph.package(package).source, Source::Directory { .. })
    }

    fn is_of_project(&self, dependency: DependencyId) -> bool {
        self.graph.package(PackageId(0)).dependencies.contains(&dependency.0)
    }

    /// Optional peers that were never bound are removed.
    fn finish(mut self) -> Result<Tree> {
        let graph = &*self.graph;
        self.tree.retain(|dependency| graph.binding(dependency).is_some());
        Ok(self.tree)
    }
}

#[cfg(test)]
mod tests;
