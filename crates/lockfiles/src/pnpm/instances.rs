//! Peers of each package from each dependent, as pnpm resolves them. In: a bound graph, the file
//! that is replaced. Out: instances, each a package with the peers it finds. Absent: the choice of
//! versions.
//!
//! A peer is what the nearest dependent provides by that name, then what the member and the project
//! have, else what the graph binds. A package through which a peer passes on its way up is another
//! instance where the peer is another one. What the old file says of a package stays if nothing
//! below it changed and its dependents provide the same peers.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use rusk_npm::graph::{DependencyId, Graph, NameId, PackageId, Role, Source};

use super::dep_path::{DepPath, groups};
use crate::Previous;
use crate::npm::counterparts;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct InstanceId(pub usize);

/// What a dependency leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EdgeTarget {
    Instance(InstanceId),
    /// A member, the project, or a linked directory: nothing in `snapshots`.
    Local(PackageId),
    /// What another dependency leads to, which is known when all are resolved.
    Slot(usize),
}

#[derive(Debug)]
pub(super) struct Instance {
    pub package: PackageId,
    /// The package of the old graph whose text stays.
    pub old: Option<PackageId>,
    pub edges: Vec<(DependencyId, EdgeTarget)>,
    /// Peers of it or of what is below it that were found above it.
    pub peers: Vec<(NameId, EdgeTarget)>,
}

pub(super) struct Instances {
    pub list: Vec<Instance>,
    /// By importer: what each dependency leads to.
    pub importers: HashMap<PackageId, Vec<(DependencyId, EdgeTarget)>>,
    /// By package: names that it or a package below it looks up above it.
    pub names: Vec<BTreeSet<NameId>>,
    slots: Vec<Option<EdgeTarget>>,
}

impl Instances {
    /// Follows slots; `None` for one that leads to itself.
    pub fn resolve(&self, mut found: EdgeTarget) -> Option<EdgeTarget> {
        for _ in 0..=self.slots.len() {
            match found {
                EdgeTarget::Slot(slot) => found = self.slots[slot]?,
                found => return Some(found),
            }
        }
        None
    }
}

/// What a package provides to those below it.
struct Scope {
    provides: Vec<(NameId, PackageId, usize)>,
    above: Option<Rc<Scope>>,
}

impl Scope {
    fn find(self: &Rc<Scope>, name: NameId) -> Option<(PackageId, usize)> {
        let scopes = std::iter::successors(Some(self), |scope| scope.above.as_ref());
        let mut own = scopes.filter_map(|scope| scope.provides.iter().find(|it| it.0 == name));
        own.next().map(|&(_, package, slot)| (package, slot))
    }
}

/// A package whose dependencies are being resolved.
struct Frame {
    /// `None` for an importer.
    instance: Option<InstanceId>,
    package: PackageId,
    /// What its dependents provide.
    outer: Rc<Scope>,
    /// With what it provides itself.
    inner: Rc<Scope>,
    /// Of its member.
    member: Rc<Scope>,
    steps: Vec<(DependencyId, usize)>,
    next: usize,
}

struct Resolver<'a> {
    graph: &'a Graph,
    previous: Option<&'a Previous<'a>>,
    /// By package of the new graph.
    origins: Vec<Option<PackageId>>,
    is_changed: Vec<bool>,
    counterparts: Vec<Option<PackageId>>,
    kept: HashMap<PackageId, InstanceId>,
    known: HashMap<(PackageId, Vec<Option<PackageId>>), InstanceId>,
    out: Instances,
}

pub(super) fn resolve(graph: &Graph, previous: Option<&Previous<'_>>) -> Instances {
    let mut origins: Vec<Option<PackageId>> = vec![None; graph.len()];
    if let Some(previous) = previous {
        origins.iter_mut().zip(previous.origins).for_each(|(own, origin)| *own = *origin);
    }
    let counterparts = previous.map(|previous| counterparts(previous, graph)).unwrap_or_default();
    let is_changed = changed(graph, previous, &origins);
    let out =
        Instances { list: Vec::new(), importers: HashMap::new(), names: names(graph), slots: Vec::new() };
    let mut resolver = Resolver {
        graph,
        previous,
        origins,
        is_changed,
        counterparts,
        kept: HashMap::new(),
        known: HashMap::new(),
        out,
    };
    let nothing = Rc::new(Scope { provides: Vec::new(), above: None });
    let mut project = Rc::clone(&nothing);
    for package in graph.package_ids().filter(|&id| is_importer(&graph.package(id).source)) {
        let inner = resolver.importer(package, &project);
        if graph.package(package).source == Source::Root {
            project = inner;
        }
    }
    resolver.out
}

pub(super) fn is_importer(source: &Source) -> bool {
    matches!(source, Source::Root | Source::Workspace { .. })
}

fn is_local(source: &Source) -> bool {
    is_importer(source) || matches!(source, Source::Link { .. })
}

/// By package: whether it or something below it is not as in the old file.
fn changed(graph: &Graph, previous: Option<&Previous<'_>>, origins: &[Option<PackageId>]) -> Vec<bool> {
    let mut is_changed = vec![false; graph.len()];
    let mut dependents: Vec<Vec<PackageId>> = vec![Vec::new(); graph.len()];
    let mut queue = Vec::new();
    for id in graph.package_ids() {
        let source = &graph.package(id).source;
        let is_same = match (previous, origins[id.0 as usize]) {
            _ if is_local(source) => true,
            (Some(previous), Some(old)) => is_bound_alike(graph, id, &previous.lockfile.graph, old),
            _ => false,
        };
        if !is_same {
            queue.push(id);
        }
        if !is_local(source) {
            for bound in graph.dependencies_of(id).filter_map(|dependency| graph.binding(dependency)) {
                dependents[bound.0 as usize].push(id);
            }
        }
    }
    while let Some(id) = queue.pop() {
        if !std::mem::replace(&mut is_changed[id.0 as usize], true) {
            queue.extend(&dependents[id.0 as usize]);
        }
    }
    is_changed
}

/// Optional peers are not bound in the new graph. An override may have taken a dependency away.
fn is_bound_alike(graph: &Graph, id: PackageId, old_graph: &Graph, old: PackageId) -> bool {
    let mut before = old_graph.dependencies_of(old).map(|id| old_graph.name(old_graph.dependency(id).name));
    if !before.all(|name| find_dependency(graph, id, name.as_str()).is_some()) {
        return false;
    }
    graph.dependencies_of(id).all(|dependency| {
        let own = graph.dependency(dependency);
        if own.role == Role::OptionalPeer {
            return true;
        }
        let before = find_dependency(old_graph, old, graph.name(own.name).as_str());
        let before = before.and_then(|before| old_graph.binding(before)).map(|bound| old_graph.label(bound));
        before == graph.binding(dependency).map(|bound| graph.label(bound))
    })
}

fn find_dependency(graph: &Graph, id: PackageId, name: &str) -> Option<DependencyId> {
    graph
        .dependencies_of(id)
        .find(|&dependency| graph.name(graph.dependency(dependency).name).as_str() == name)
}

/// The names that each package and those below it look up above it.
fn names(graph: &Graph) -> Vec<BTreeSet<NameId>> {
    let mut names: Vec<BTreeSet<NameId>> = vec![BTreeSet::new(); graph.len()];
    let mut dependents: Vec<Vec<PackageId>> = vec![Vec::new(); graph.len()];
    for id in graph.package_ids().filter(|&id| !is_local(&graph.package(id).source)) {
        for dependency in graph.dependencies_of(id) {
            let own = graph.dependency(dependency);
            if own.role.is_peer() {
                names[id.0 as usize].insert(own.name);
            } else if let Some(bound) = graph.binding(dependency) {
                dependents[bound.0 as usize].push(id);
            }
        }
    }
    let mut queue: Vec<PackageId> = graph.package_ids().collect();
    while let Some(id) = queue.pop() {
        let own = names[id.0 as usize].clone();
        for &dependent in &dependents[id.0 as usize] {
            let package = graph.package(dependent);
            let provides = |name: NameId| {
                graph
                    .dependencies_of(dependent)
                    .map(|it| graph.dependency(it))
                    .any(|it| it.name == name && !it.role.is_peer())
            };
            let passed: Vec<NameId> =
                own.iter().copied().filter(|&name| name != package.name && !provides(name)).collect();
            let above = &mut names[dependent.0 as usize];
            let before = above.len();
            above.extend(passed);
            if above.len() > before {
                queue.push(dependent);
            }
        }
    }
    names
}

impl Resolver<'_> {
    /// Resolves the dependencies of a member; returns what it provides.
    fn importer(&mut self, package: PackageId, project: &Rc<Scope>) -> Rc<Scope> {
        let dependencies = self.graph.dependencies_of(package).filter(|&id| {
            self.graph.binding(id).is_some() && self.graph.dependency(id).role != Role::Workspace
        });
        let dependencies: Vec<DependencyId> = dependencies.collect();
        let (inner, steps) = self.scope(&dependencies, project);
        self.out.importers.insert(package, Vec::new());
        let frame = Frame {
            instance: None,
            package,
            outer: Rc::clone(project),
            inner: Rc::clone(&inner),
            member: Rc::clone(&inner),
            steps,
            next: 0,
        };
        let mut stack = vec![frame];
        while !stack.is_empty() {
            self.step(&mut stack);
        }
        inner
    }

    /// A slot for each dependency, and the scope of those below.
    fn scope(
        &mut self,
        dependencies: &[DependencyId],
        above: &Rc<Scope>,
    ) -> (Rc<Scope>, Vec<(DependencyId, usize)>) {
        let mut provides = Vec::new();
        let mut steps = Vec::new();
        for &dependency in dependencies {
            let Some(bound) = self.graph.binding(dependency) else { continue };
            let slot = self.out.slots.len();
            self.out.slots.push(None);
            provides.push((self.graph.dependency(dependency).name, bound, slot));
            steps.push((dependency, slot));
        }
        (Rc::new(Scope { provides, above: Some(Rc::clone(above)) }), steps)
    }

    fn step(&mut self, stack: &mut Vec<Frame>) {
        let frame = stack.last_mut().expect("the caller checks it");
        let Some(&(dependency, slot)) = frame.steps.get(frame.next) else {
            let frame = stack.pop().expect("it was just there");
            return self.finish(&frame);
        };
        frame.next += 1;
        let bound = self.graph.binding(dependency).expect("only bound dependencies are steps");
        let is_peer = frame.instance.is_some() && self.graph.dependency(dependency).role.is_peer();
        let scope = Rc::clone(if is_peer { &frame.member } else { &frame.inner });
        let (instance, package, member) = (frame.instance, frame.package, Rc::clone(&frame.member));
        let found = self.find(stack, bound, &scope);
        let found = found.unwrap_or_else(|| {
            let id = self.begin(bound, &scope, &member, stack);
            EdgeTarget::Instance(id)
        });
        self.out.slots[slot] = Some(found);
        match instance {
            Some(instance) => self.out.list[instance.0].edges.push((dependency, found)),
            None => self.out.importers.entry(package).or_default().push((dependency, found)),
        }
    }

    /// An instance that needs no further steps.
    fn find(&mut self, stack: &[Frame], package: PackageId, scope: &Rc<Scope>) -> Option<EdgeTarget> {
        if is_local(&self.graph.package(package).source) {
            return Some(EdgeTarget::Local(package));
        }
        if let Some(above) = stack.iter().find(|frame| frame.instance.is_some() && frame.package == package) {
            return above.instance.map(EdgeTarget::Instance);
        }
        if self.may_keep(package, scope) {
            let old = self.origins[package.0 as usize].expect("one that may stay has one");
            return Some(EdgeTarget::Instance(self.keep(old, package)));
        }
        let key = self.key(package, scope);
        self.known.get(&key).copied().map(EdgeTarget::Instance)
    }

    fn key(&self, package: PackageId, scope: &Rc<Scope>) -> (PackageId, Vec<Option<PackageId>>) {
        let names = self.out.names[package.0 as usize].iter();
        (package, names.map(|&name| scope.find(name).map(|(package, _)| package)).collect())
    }

    fn begin(
        &mut self,
        package: PackageId,
        scope: &Rc<Scope>,
        member: &Rc<Scope>,
        stack: &mut Vec<Frame>,
    ) -> InstanceId {
        let id = InstanceId(self.out.list.len());
        self.known.insert(self.key(package, scope), id);
        self.out.list.push(Instance { package, old: None, edges: Vec::new(), peers: Vec::new() });
        let (peers, own): (Vec<DependencyId>, Vec<DependencyId>) =
            self.graph.dependencies_of(package).partition(|&it| self.graph.dependency(it).role.is_peer());
        let own: Vec<DependencyId> =
            own.into_iter().filter(|&it| !self.graph.dependency(it).bundled).collect();
        let (inner, mut steps) = self.scope(&own, scope);
        for peer in peers {
            let name = self.graph.dependency(peer).name;
            let found = match scope.find(name) {
                Some((_, slot)) => EdgeTarget::Slot(slot),
                None => {
                    let Some(found) = self.unprovided(package, peer, &mut steps) else { continue };
                    found
                }
            };
            let instance = &mut self.out.list[id.0];
            instance.peers.push((name, found));
            if scope.find(name).is_some() || !matches!(found, EdgeTarget::Slot(_)) {
                instance.edges.push((peer, found));
            }
        }
        stack.push(Frame {
            instance: Some(id),
            package,
            outer: Rc::clone(scope),
            inner,
            member: Rc::clone(member),
            steps,
            next: 0,
        });
        id
    }

    /// A peer that no dependent provides: what the graph binds, or the old file.
    fn unprovided(
        &mut self,
        package: PackageId,
        peer: DependencyId,
        steps: &mut Vec<(DependencyId, usize)>,
    ) -> Option<EdgeTarget> {
        if self.graph.binding(peer).is_some() {
            let slot = self.out.slots.len();
            self.out.slots.push(None);
            steps.push((peer, slot));
            return Some(EdgeTarget::Slot(slot));
        }
        let previous = self.previous?;
        let old_graph = &previous.lockfile.graph;
        let old = self.origins[package.0 as usize]?;
        let name = self.graph.name(self.graph.dependency(peer).name).as_str();
        let bound = old_graph.binding(find_dependency(old_graph, old, name)?)?;
        let now = self.counterparts[bound.0 as usize]?;
        let is_kept = !self.is_changed[now.0 as usize] && self.origins[now.0 as usize] == Some(bound);
        is_kept.then(|| EdgeTarget::Instance(self.keep(bound, now)))
    }

    /// What passes through a package on its way up belongs to it, too.
    fn finish(&mut self, frame: &Frame) {
        let Some(id) = frame.instance else { return };
        let own_name = self.graph.package(frame.package).name;
        let mut passed: Vec<(NameId, EdgeTarget)> = Vec::new();
        for &(dependency, found) in &self.out.list[id.0].edges {
            if self.graph.dependency(dependency).role.is_peer() {
                continue;
            }
            let Some(EdgeTarget::Instance(below)) = self.out.resolve(found) else { continue };
            passed.extend(self.out.list[below.0].peers.iter().copied());
        }
        for (name, found) in passed {
            let provides = frame.inner.provides.iter().any(|(provided, ..)| *provided == name);
            let known = self.out.list[id.0].peers.iter().any(|(other, _)| *other == name);
            if provides || known || name == own_name {
                continue;
            }
            let found = frame.outer.find(name).map_or(found, |(_, slot)| EdgeTarget::Slot(slot));
            self.out.list[id.0].peers.push((name, found));
        }
    }

    /// Whether the dependents provide the peers that the old file has.
    fn may_keep(&self, package: PackageId, scope: &Rc<Scope>) -> bool {
        let (Some(previous), Some(old)) = (self.previous, self.origins[package.0 as usize]) else {
            return false;
        };
        let Some(suffixes) = &previous.lockfile.instances else { return false };
        if self.is_changed[package.0 as usize] {
            return false;
        }
        let suffix = suffixes[old.0 as usize].as_ref();
        let peers: Vec<DepPath<'_>> = groups(suffix).into_iter().filter_map(DepPath::parse).collect();
        // A long suffix is a hash of what it was.
        let is_hash = peers.is_empty() && !suffix.is_empty();
        self.out.names[package.0 as usize].iter().all(|&name| {
            let Some((provided, _)) = scope.find(name) else { return true };
            let own = self.graph.package(provided);
            let (name, version) = (self.graph.name(own.name).as_str(), own.source.text());
            is_hash
                || is_local(&own.source)
                || peers.iter().any(|peer| peer.name == name && peer.version == version)
        })
    }

    /// The instance of the old file, with all that it leads to.
    fn keep(&mut self, old: PackageId, package: PackageId) -> InstanceId {
        if let Some(&id) = self.kept.get(&old) {
            return id;
        }
        let id = self.add_kept(old, package);
        let mut queue = vec![(id, old, package)];
        while let Some((id, old, package)) = queue.pop() {
            let previous = self.previous.expect("a package of it stays");
            let old_graph = &previous.lockfile.graph;
            for dependency in self.graph.dependencies_of(package) {
                let name = self.graph.name(self.graph.dependency(dependency).name).as_str();
                let before = find_dependency(old_graph, old, name);
                let Some(bound) = before.and_then(|before| old_graph.binding(before)) else { continue };
                let Some(now) = self.counterparts[bound.0 as usize] else { continue };
                let found = if is_local(&self.graph.package(now).source) {
                    EdgeTarget::Local(now)
                } else if let Some(&known) = self.kept.get(&bound) {
                    EdgeTarget::Instance(known)
                } else {
                    let known = self.add_kept(bound, now);
                    queue.push((known, bound, now));
                    EdgeTarget::Instance(known)
                };
                self.out.list[id.0].edges.push((dependency, found));
            }
        }
        self.add_kept_peers();
        id
    }

    fn add_kept(&mut self, old: PackageId, package: PackageId) -> InstanceId {
        let id = InstanceId(self.out.list.len());
        self.out.list.push(Instance { package, old: Some(old), edges: Vec::new(), peers: Vec::new() });
        self.kept.insert(old, id);
        id
    }

    /// What passes up from instances of the old file, for those above them that are new.
    fn add_kept_peers(&mut self) {
        let Some(previous) = self.previous else { return };
        let Some(suffixes) = &previous.lockfile.instances else { return };
        let old_graph = &previous.lockfile.graph;
        for at in 0..self.out.list.len() {
            let Some(old) = self.out.list[at].old.filter(|_| self.out.list[at].peers.is_empty()) else {
                continue;
            };
            for group in groups(&suffixes[old.0 as usize]) {
                let Some(path) = DepPath::parse(group) else { continue };
                let (Some(name), Some(old_name)) =
                    (self.graph.find_name(path.name), old_graph.find_name(path.name))
                else {
                    continue;
                };
                let is_it = |id: &&PackageId| {
                    suffixes[id.0 as usize].as_ref() == path.suffix
                        && old_graph.package(**id).source.text() == path.version
                };
                let bound = old_graph.packages_named(old_name).iter().find(is_it).copied();
                let known = bound.and_then(|bound| self.kept.get(&bound).copied());
                if let Some(known) = known {
                    self.out.list[at].peers.push((name, EdgeTarget::Instance(known)));
                }
            }
        }
    }
}
