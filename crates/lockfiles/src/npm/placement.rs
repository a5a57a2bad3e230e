//! Places packages as npm does: what lies at its path already stays, and what is new goes to the
//! topmost directory in which no other dependency finds a wrong package. In: the old graph with its
//! tree, the new graph. Out: the new tree, in which every dependency finds the package it is bound
//! to.
//!
//! What a new package brings in its tarball is not placed: only the tarball says which versions
//! these are. A peer is placed beside its dependent or above. A package is not placed where its
//! peers would be found out of range. Optional peers are not placed; they are bound to what they
//! find.

use std::collections::{HashSet, VecDeque};

use rusk_base::Result;
use rusk_npm::graph::{DependencyId, Graph, IdMap, NameId, PackageId, Role, Source};
use rusk_npm::semver::Version;
use rusk_npm::specifier::Specifier;
use rusk_npm::tree::Tree;

use super::render::counterparts;
use crate::locations::{LocationId, Locations, decides};
use crate::{Previous, problem};

/// Locations of one tree; the largest projects known have a tenth of it.
const LOCATIONS_MAX: usize = 1_000_000;
/// The kernel's limit.
const PATH_BYTES_MAX: usize = 4096;
/// Peers of peers that are followed to see whether a directory is fit.
const PEER_DEPTH_MAX: usize = 8;

pub fn arrange(previous: Option<&Previous<'_>>, graph: &mut Graph) -> Result<Tree> {
    let mut placer = Placer::new(graph);
    if let Some(previous) = previous {
        placer.keep(previous);
    }
    placer.run()?;
    let locations = placer.locations;
    let is_followed =
        |package, id| graph.dependency(id).role != Role::OptionalPeer && decides(graph, package, id);
    let reached = locations.reached(graph, &is_followed);
    let tree = locations.tree(&|location| reached[location.index()]);
    bind_optional_peers(graph, &tree);
    Ok(tree)
}

/// To what the first location of a package finds.
fn bind_optional_peers(graph: &mut Graph, tree: &Tree) {
    let locations = Locations::of(graph, tree);
    let mut found: IdMap<DependencyId, PackageId> = IdMap::default();
    for id in locations.all() {
        for dependency in graph.dependencies_of(locations.get(id).package) {
            if graph.dependency(dependency).role == Role::OptionalPeer
                && let Some(at) = locations.find_dependency(graph, id, dependency)
            {
                found.entry(dependency).or_insert(locations.get(at).package);
            }
        }
    }
    for (dependency, package) in found {
        graph.bind(dependency, Some(package));
    }
}

struct Placer<'g> {
    graph: &'g Graph,
    locations: Locations,
    /// Locations with a dependency of this name.
    users: IdMap<NameId, Vec<(LocationId, DependencyId)>>,
    /// What is still to be placed.
    queue: VecDeque<(LocationId, DependencyId)>,
    visited: HashSet<LocationId>,
    /// Each package is moved out of a directory once, so that two never move each other for ever.
    moved: HashSet<(LocationId, NameId)>,
    path_bytes: Vec<usize>,
}

/// What a dependency finds from a location.
enum LookupResult {
    Nothing,
    /// The package that it is bound to, or for a peer one in its range.
    Right(LocationId),
    Wrong,
}

impl<'g> Placer<'g> {
    fn new(graph: &'g Graph) -> Placer<'g> {
        let mut placer = Placer {
            graph,
            locations: Locations::new(),
            users: IdMap::default(),
            queue: VecDeque::new(),
            visited: HashSet::new(),
            moved: HashSet::new(),
            path_bytes: vec![0],
        };
        placer.register(LocationId::PROJECT);
        placer
    }

    /// Takes over the locations of the old tree that dependencies still find.
    fn keep(&mut self, previous: &Previous<'_>) {
        let Some(tree) = &previous.lockfile.tree else { return };
        let old_graph = &previous.lockfile.graph;
        let old = Locations::of(old_graph, tree);
        let ids = counterparts(previous, self.graph);
        let mut all = Locations::new();
        let mut known: IdMap<u32, LocationId> = IdMap::default();
        known.insert(0, LocationId::PROJECT);
        for id in old.all().skip(1) {
            let location = old.get(id);
            let above = location.parent.and_then(|parent| known.get(&parent.0).copied());
            let package = ids[location.package.0 as usize];
            let name = location.name.map(|name| old_graph.name(name).as_str());
            let name = name.and_then(|name| self.graph.find_name(name));
            let (Some(above), Some(package), Some(name)) = (above, package, name) else { continue };
            known.insert(id.0, all.add_named(self.graph, above, name, package));
        }
        let reached = self.still_found(&mut all);
        let mut ids: IdMap<u32, LocationId> = IdMap::default();
        ids.insert(0, LocationId::PROJECT);
        for id in all.all().skip(1).filter(|id| reached[id.index()]) {
            let location = all.get(id);
            let above = location.parent.and_then(|parent| ids.get(&parent.0).copied());
            let (Some(above), Some(via)) = (above, location.via) else { continue };
            let new = self.locations.add(self.graph, above, via, location.package);
            self.count_path(new, above, via);
            self.register(new);
            ids.insert(id.0, new);
        }
    }

    /// Marks what dependencies that are bound to it find, and names one of them.
    fn still_found(&self, all: &mut Locations) -> Vec<bool> {
        let mut reached = vec![false; all.count()];
        reached[0] = true;
        let mut queue = vec![LocationId::PROJECT];
        while let Some(id) = queue.pop() {
            for dependency in self.graph.dependencies_of(all.get(id).package) {
                let Some(target) = self.graph.binding(dependency) else { continue };
                let Some(found) = all.find_dependency(self.graph, id, dependency) else { continue };
                if all.get(found).package != target {
                    continue;
                }
                for found in [found, all.home(found)] {
                    if !std::mem::replace(&mut reached[found.index()], true) {
                        all.set_via(found, dependency);
                        queue.push(found);
                    }
                }
            }
        }
        reached
    }

    fn run(&mut self) -> Result<()> {
        self.visit(LocationId::PROJECT);
        while let Some((location, dependency)) = self.queue.pop_front() {
            if self.is_gone(location) {
                continue;
            }
            match self.lookup(location, dependency) {
                LookupResult::Right(found) => self.visit(found),
                _ => self.arrange(location, dependency)?,
            }
        }
        Ok(())
    }

    /// Queues the dependencies of a location, once.
    fn visit(&mut self, location: LocationId) {
        for location in [location, self.locations.home(location)] {
            if self.visited.insert(location) {
                for dependency in self.placed_dependencies(location) {
                    self.queue.push_back((location, dependency));
                }
            }
        }
    }

    fn placed_dependencies(&self, location: LocationId) -> Vec<DependencyId> {
        if self.locations.get(location).is_outside {
            return Vec::new();
        }
        let package = self.locations.get(location).package;
        let places = |id: &DependencyId| {
            self.graph.binding(*id).is_some()
                && (!self.graph.dependency(*id).bundled || self.is_found(location, *id))
                && self.graph.dependency(*id).role != Role::OptionalPeer
                && decides(self.graph, package, *id)
        };
        self.graph.dependencies_of(package).filter(places).collect()
    }

    fn lookup(&self, location: LocationId, dependency: DependencyId) -> LookupResult {
        match self.locations.find_dependency(self.graph, location, dependency) {
            None => LookupResult::Nothing,
            Some(found) if self.is_right(dependency, self.locations.get(found).package) => {
                LookupResult::Right(found)
            }
            Some(_) => LookupResult::Wrong,
        }
    }

    fn is_found(&self, location: LocationId, dependency: DependencyId) -> bool {
        matches!(self.lookup(location, dependency), LookupResult::Right(_))
    }

    fn is_right(&self, dependency: DependencyId, package: PackageId) -> bool {
        self.graph.binding(dependency) == Some(package)
            || self.graph.dependency(dependency).role.is_peer() && self.satisfies(dependency, package)
    }

    fn satisfies(&self, dependency: DependencyId, package: PackageId) -> bool {
        let dependency = self.graph.dependency(dependency);
        let version = match &self.graph.package(package).source {
            Source::Npm { version, .. } => Some(version),
            Source::Workspace { version, .. } => version.as_ref(),
            _ => None,
        };
        let name = self.graph.name(dependency.name).as_str();
        match Specifier::parse(name, &dependency.literal) {
            Ok(Specifier::Npm { range, .. }) => {
                range.is_any() || version.is_some_and(|version: &Version| range.contains(version))
            }
            _ => false,
        }
    }

    fn arrange(&mut self, location: LocationId, dependency: DependencyId) -> Result<()> {
        let package = self.graph.binding(dependency).expect("only bound dependencies are queued");
        let own = self.graph.dependency(dependency);
        let home = self.locations.home(location);
        let base = match own.role.is_peer() {
            true => self.locations.above(home).unwrap_or(home),
            false => home,
        };
        let mut fit = None;
        let mut at = Some(base);
        while let Some(dir) = at {
            if self.locations.get(dir).children.contains_key(&own.name) {
                break;
            }
            if self.is_fit(dir, dependency, package, 0) {
                fit = Some(dir);
            }
            at = self.locations.above(dir);
        }
        let dir = fit.unwrap_or(base);
        if let Some(&occupant) = self.locations.get(dir).children.get(&own.name)
            && !self.make_room(dir, own.name, occupant, dependency)
        {
            return Ok(());
        }
        let new = self.locations.add(self.graph, dir, dependency, package);
        self.check_limits(new, dir, dependency)?;
        self.register(new);
        self.visited.insert(new);
        // Its peers come first, before others take their places.
        let (peers, others): (Vec<_>, Vec<_>) = self
            .placed_dependencies(new)
            .into_iter()
            .partition(|&id| self.graph.dependency(id).role.is_peer());
        self.queue.extend(others.into_iter().map(|id| (new, id)));
        peers.into_iter().rev().for_each(|id| self.queue.push_front((new, id)));
        if self.locations.home(new) != new {
            self.visit(new);
        }
        Ok(())
    }

    /// Takes away what occupies a name that another package must have here; the packages that used
    /// it get another one. False where the occupant has the same right.
    fn make_room(
        &mut self,
        dir: LocationId,
        name: NameId,
        occupant: LocationId,
        dependency: DependencyId,
    ) -> bool {
        let package = self.locations.get(dir).package;
        let owns = |id: DependencyId| {
            self.graph.dependency(id).name == name
                && self.graph.dependency(id).role != Role::OptionalPeer
                && self.graph.binding(id) == Some(self.locations.get(occupant).package)
        };
        let is_own = self.graph.dependencies_of(package).any(|id| id == dependency);
        if !is_own && self.graph.dependencies_of(package).any(owns) || !self.moved.insert((dir, name)) {
            return false;
        }
        self.locations.remove(occupant);
        let users = self.users.get(&name).cloned().unwrap_or_default();
        for (user, dependency) in users {
            if self.visited.contains(&user) && self.locations.is_within(user, dir) && !self.is_gone(user) {
                self.queue.push_back((user, dependency));
            }
        }
        true
    }

    /// Whether a package may lie in a directory: no package that wants another one would find it,
    /// and it finds its peers.
    fn is_fit(&self, dir: LocationId, dependency: DependencyId, package: PackageId, depth: usize) -> bool {
        let name = self.graph.dependency(dependency).name;
        let disturbs = |&(user, other): &(LocationId, DependencyId)| {
            if self.is_gone(user) || !self.locations.is_within(user, dir) || self.is_right(other, package) {
                return false;
            }
            let role = self.graph.dependency(other).role;
            match self.locations.find_dependency(self.graph, user, other) {
                // It is nearer than what is found now.
                Some(found) if self.is_below(found, dir) => false,
                Some(found) => self.is_right(other, self.locations.get(found).package),
                None => role == Role::OptionalPeer,
            }
        };
        !self.users.get(&name).is_some_and(|users| users.iter().any(disturbs))
            && self.finds_peers(dir, package, depth)
    }

    /// Whether a location lies in the node_modules of `dir` or deeper.
    fn is_below(&self, location: LocationId, dir: LocationId) -> bool {
        self.locations.get(location).parent.is_some_and(|parent| self.locations.is_within(parent, dir))
    }

    fn finds_peers(&self, dir: LocationId, package: PackageId, depth: usize) -> bool {
        self.graph.dependencies_of(package).all(|peer| {
            let own = self.graph.dependency(peer);
            if !own.role.is_peer() || !decides(self.graph, package, peer) {
                return true;
            }
            let Some(found) = self.locations.find(dir, own.name) else { return true };
            if self.is_right(peer, self.locations.get(found).package) {
                return true;
            }
            // It could come along, unless the name is taken here.
            let is_taken = self.locations.get(dir).children.contains_key(&own.name);
            match self.graph.binding(peer) {
                Some(target) if own.role == Role::Peer && !is_taken && depth < PEER_DEPTH_MAX => {
                    self.is_fit(dir, peer, target, depth + 1)
                }
                _ => false,
            }
        })
    }

    /// Whether a location, or one that it is nested in, was taken away.
    fn is_gone(&self, mut id: LocationId) -> bool {
        while let Some((parent, name)) = self.locations.get(id).parent.zip(self.locations.get(id).name) {
            if self.locations.get(parent).children.get(&name) != Some(&id) {
                return true;
            }
            id = parent;
        }
        false
    }

    fn register(&mut self, location: LocationId) {
        let package = self.locations.get(location).package;
        for dependency in self.graph.dependencies_of(package) {
            if decides(self.graph, package, dependency) {
                let name = self.graph.dependency(dependency).name;
                self.users.entry(name).or_default().push((location, dependency));
            }
        }
    }

    fn count_path(&mut self, location: LocationId, above: LocationId, via: DependencyId) {
        let name = self.graph.name(self.graph.dependency(via).name).as_str();
        let bytes = self.path_bytes[above.index()] + "/node_modules/".len() + name.len();
        self.path_bytes.resize(location.index() + 1, 0);
        self.path_bytes[location.index()] = bytes;
    }

    fn check_limits(&mut self, location: LocationId, above: LocationId, via: DependencyId) -> Result<()> {
        self.count_path(location, above, via);
        let label = || self.graph.label(self.locations.get(location).package);
        if self.locations.count() > LOCATIONS_MAX {
            return Err(problem::tree_size(&label(), LOCATIONS_MAX));
        }
        match self.path_bytes[location.index()] > PATH_BYTES_MAX {
            true => Err(problem::path_length(&label(), PATH_BYTES_MAX)),
            false => Ok(()),
        }
    }
}
