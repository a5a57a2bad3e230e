//! Locations of packages, and how Node finds one from another. In: a graph and a tree. Out: what
//! each dependency finds, which locations are reached, the paths. Absent: the choice of locations.
//!
//! A member of a workspace, and a directory that a dependency names, is its own directory: what is
//! nested in it lies beside its files, and the entry in node_modules is a link to it.

use std::collections::{BTreeMap, HashMap};

use rusk_npm::graph::{DependencyId, Graph, IdMap, NameId, PackageId, Role, Source};
use rusk_npm::tree::{DirId, Tree};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationId(pub u32);

impl LocationId {
    /// The project's own directory.
    pub const PROJECT: LocationId = LocationId(0);

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug)]
pub struct Location {
    /// `None` for the project.
    pub parent: Option<LocationId>,
    /// A dependency that is bound to the package here; `None` for the project.
    pub via: Option<DependencyId>,
    pub package: PackageId,
    /// The name of the directory.
    pub name: Option<NameId>,
    /// What lies in its own node_modules.
    pub children: BTreeMap<NameId, LocationId>,
    /// Nothing above it is found from here: the directory lies outside of the project.
    pub is_outside: bool,
}

#[derive(Clone, Debug)]
pub struct Locations {
    list: Vec<Location>,
    /// Linked directories, each at the location where its own node_modules is.
    homes: IdMap<PackageId, LocationId>,
}

impl Locations {
    /// The project alone.
    pub fn new() -> Locations {
        let project = Location {
            parent: None,
            via: None,
            package: PackageId(0),
            name: None,
            children: BTreeMap::new(),
            is_outside: false,
        };
        Locations { list: vec![project], homes: IdMap::default() }
    }

    pub fn of(graph: &Graph, tree: &Tree) -> Locations {
        let mut locations = Locations::new();
        let mut known: IdMap<(DirId, DependencyId), LocationId> = IdMap::default();
        for dir in tree.dirs() {
            let home = match (tree.parent(dir), tree.via(dir)) {
                (Some(parent), Some(via)) => match known.get(&(parent, via)) {
                    Some(home) => *home,
                    None => continue,
                },
                _ => LocationId::PROJECT,
            };
            for &via in tree.entries(dir) {
                let Some(package) = graph.binding(via) else { continue };
                let location = locations.add(graph, home, via, package);
                known.insert((dir, via), location);
            }
        }
        locations
    }

    /// Adds a package; a package of this name that is there already is replaced.
    pub fn add(
        &mut self,
        graph: &Graph,
        parent: LocationId,
        via: DependencyId,
        package: PackageId,
    ) -> LocationId {
        let id = self.add_named(graph, parent, graph.dependency(via).name, package);
        self.set_via(id, via);
        id
    }

    /// As `add`, without the dependency, which must be set later.
    pub fn add_named(
        &mut self,
        graph: &Graph,
        parent: LocationId,
        name: NameId,
        package: PackageId,
    ) -> LocationId {
        let id = LocationId(u32::try_from(self.list.len()).expect("locations are limited"));
        let source = &graph.package(package).source;
        let is_outside = matches!(source, Source::Link { path } if !is_inside(path));
        if is_linked(source) {
            self.homes.entry(package).or_insert(id);
        }
        self.list.push(Location {
            parent: Some(parent),
            via: None,
            package,
            name: Some(name),
            children: BTreeMap::new(),
            is_outside,
        });
        self.list[parent.index()].children.insert(name, id);
        id
    }

    /// Takes a location away, and all that is nested in it.
    pub fn remove(&mut self, id: LocationId) {
        let Some((parent, name)) = self.get(id).parent.zip(self.get(id).name) else { return };
        if self.get(parent).children.get(&name) == Some(&id) {
            self.list[parent.index()].children.remove(&name);
        }
        let package = self.get(id).package;
        if self.homes.get(&package) == Some(&id) {
            self.homes.remove(&package);
        }
    }

    pub fn get(&self, id: LocationId) -> &Location {
        &self.list[id.index()]
    }

    pub fn set_via(&mut self, id: LocationId, via: DependencyId) {
        self.list[id.index()].via = Some(via);
    }

    /// Parents before their children, those that were taken away included.
    pub fn all(&self) -> impl Iterator<Item = LocationId> + use<> {
        (0..u32::try_from(self.list.len()).expect("locations are limited")).map(LocationId)
    }

    /// How many locations were added, those taken away included.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// Where the dependencies of a location are looked up from: a link leads to its directory.
    pub fn home(&self, id: LocationId) -> LocationId {
        self.homes.get(&self.get(id).package).copied().unwrap_or(id)
    }

    /// Whether a location lies in another one, or is it.
    pub fn is_within(&self, mut id: LocationId, outer: LocationId) -> bool {
        loop {
            if id == outer {
                return true;
            }
            match self.get(id).parent {
                Some(parent) => id = parent,
                None => return false,
            }
        }
    }

    /// The location above, as far as Node looks.
    pub fn above(&self, id: LocationId) -> Option<LocationId> {
        self.get(id).parent.filter(|_| !self.get(id).is_outside)
    }

    /// What `require(name)` finds from a package.
    pub fn find(&self, from: LocationId, name: NameId) -> Option<LocationId> {
        let mut at = Some(self.home(from));
        while let Some(id) = at {
            if let Some(&found) = self.get(id).children.get(&name) {
                return Some(found);
            }
            at = self.above(id);
        }
        None
    }

    /// What a dependency finds. A member of the workspace is in the project's node_modules.
    pub fn find_dependency(
        &self,
        graph: &Graph,
        from: LocationId,
        dependency: DependencyId,
    ) -> Option<LocationId> {
        self.find(from, graph.dependency(dependency).name)
    }

    /// The locations that are reached from the project by some dependencies.
    pub fn reached(&self, graph: &Graph, follows: &dyn Fn(PackageId, DependencyId) -> bool) -> Vec<bool> {
        let mut reached = vec![false; self.list.len()];
        reached[0] = true;
        let mut queue = vec![LocationId::PROJECT];
        while let Some(id) = queue.pop() {
            let package = self.get(id).package;
            for dependency in
                graph.dependencies_of(package).filter(|&dependency| follows(package, dependency))
            {
                let Some(found) = self.find_dependency(graph, id, dependency) else { continue };
                for found in [found, self.home(found)] {
                    if !std::mem::replace(&mut reached[found.index()], true) {
                        queue.push(found);
                    }
                }
            }
        }
        reached
    }

    /// The tree of the locations that are selected; what is nested in others goes with them.
    pub fn tree(&self, selects: &dyn Fn(LocationId) -> bool) -> Tree {
        let mut tree = Tree::default();
        let mut queue = vec![(LocationId::PROJECT, None, None)];
        let mut next = 0;
        while let Some(&(id, parent, via)) = queue.get(next) {
            next += 1;
            let children: Vec<LocationId> =
                self.get(id).children.values().copied().filter(|&child| selects(child)).collect();
            if children.is_empty() && id != LocationId::PROJECT {
                continue;
            }
            let dir = tree.push(parent, via);
            for child in children {
                let via = self.get(child).via.expect("all but the project have one");
                tree.entries_mut(dir).push(via);
                queue.push((child, Some(dir), Some(via)));
            }
        }
        tree
    }

    /// By location: the path of its entry in node_modules, and of its own directory, which differ
    /// for a link. Locations that were taken away have empty paths.
    pub fn paths(&self, graph: &Graph) -> Vec<LocationPath> {
        let mut paths = vec![LocationPath::default(); self.list.len()];
        let mut queue = vec![LocationId::PROJECT];
        while let Some(id) = queue.pop() {
            let above = paths[id.index()].dir.clone();
            for (&name, &child) in &self.get(id).children {
                let name = graph.name(name);
                let entry = match above.as_str() {
                    "" => format!("node_modules/{name}"),
                    above => format!("{above}/node_modules/{name}"),
                };
                let dir = match &graph.package(self.get(child).package).source {
                    Source::Workspace { path, .. } | Source::Link { path } => path.to_string(),
                    Source::Root => String::new(),
                    _ => entry.clone(),
                };
                paths[child.index()] = LocationPath { entry, dir };
                // A link to the project would repeat its own node_modules.
                if graph.package(self.get(child).package).source != Source::Root {
                    queue.push(child);
                }
            }
        }
        paths
    }

    /// The packages at the paths of their own directories.
    pub fn by_dir(&self, graph: &Graph) -> HashMap<String, PackageId> {
        let paths = self.paths(graph);
        let all = paths.into_iter().zip(&self.list);
        all.map(|(path, location)| (path.dir, location.package)).collect()
    }
}

impl Default for Locations {
    fn default() -> Locations {
        Locations::new()
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocationPath {
    pub entry: String,
    pub dir: String,
}

impl LocationPath {
    pub fn is_link(&self) -> bool {
        self.entry != self.dir
    }
}

/// Whether the entry in node_modules is a link to a directory.
pub fn is_linked(source: &Source) -> bool {
    matches!(source, Source::Workspace { .. } | Source::Link { .. })
}

/// Whether a directory lies in the project. Nothing is installed in one that does not.
pub fn is_inside(path: &str) -> bool {
    !path.starts_with('/') && path.split('/').next() != Some("..")
}

/// Whether a dependency of a package counts for its location: of two dependencies of one name, npm
/// takes the one for development, then the optional one.
pub fn decides(graph: &Graph, package: PackageId, dependency: DependencyId) -> bool {
    let own = graph.dependency(dependency);
    let rank = |role: Role| match role {
        Role::Workspace => 0,
        Role::Development => 1,
        Role::Optional => 2,
        Role::Production => 3,
        Role::Peer | Role::OptionalPeer => 4,
    };
    !graph.dependencies_of(package).any(|other| {
        let other = graph.dependency(other);
        other.name == own.name && rank(other.role) < rank(own.role)
    })
}
