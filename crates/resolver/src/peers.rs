//! Binds required peers, when everything else is resolved. In: the packages that are reached. Out:
//! bound peers, and packages that are added for them.
//!
//! A peer is bound to a member of the project or to the highest version in range that somebody
//! depends on. If there is none, it is bound out of range to what the project, or the nearest
//! dependent of its package, has under that name. Otherwise a version is added: `shared_version`
//! chooses it, from the ranges of all peers on that name.
//!
//! An added package may have peers of its own, so this runs in rounds. Each round binds all peers
//! anew and considers every range known so far, so that no peer's version is older than what is
//! known about it.

mod shared_version;

use std::collections::{BTreeMap, HashSet};

use rusk_base::Result;
use rusk_npm::graph::{DependencyId, Graph, IdMap, IdSet, PackageId, Role, Source};
use rusk_npm::name::PackageName;
use rusk_npm::semver::{Range, Version};
use rusk_npm::specifier::Specifier;

use super::clean::breadth_first;
use super::decide::Resolver;
use super::members::PeerRule;
use shared_version::{Demand, Status, shared_version};

/// Rounds after which peers stay as they are. Three are usual.
const ROUNDS_MAX: u32 = 64;
/// From this round on, ranges count whose packages are no longer reached: a version was chosen
/// without them, and brought them back.
const GONE_COUNT_FROM: u32 = 4;

/// The required peers that the lockfile does not bind, and what is known about them.
#[derive(Default)]
pub(super) struct PeerBindings {
    /// Those of the project and its members first, then all others in bun's order, by the name of
    /// their package.
    peers: Vec<Peer>,
    known: IdSet<DependencyId>,
    round: u32,
}

struct Peer {
    id: DependencyId,
    /// The name of its package; empty for the project and its members.
    owner: String,
    specifier: Specifier,
    /// The round in which it was reached.
    round: u32,
}

/// State at the beginning of a round.
struct Round {
    live: IdSet<PackageId>,
    /// Packages that something other than our peers depends on.
    providers: IdSet<PackageId>,
    dependents: IdMap<PackageId, Vec<PackageId>>,
    /// Versions added for peers of the project and its members, and for other peers.
    added: IdSet<PackageId>,
}

impl Resolver<'_> {
    /// Binds peers. True when that added packages or changed bindings: then another round is
    /// needed, after the dependencies of the new packages are resolved.
    pub fn decide_peers(&mut self) -> Result<bool> {
        if self.peers.round == ROUNDS_MAX {
            return Ok(false);
        }
        let order = breadth_first(&self.graph);
        self.collect_peers(&order);
        let bindings = |resolver: &Self| -> Vec<Option<PackageId>> {
            resolver.peers.peers.iter().map(|peer| resolver.graph.binding(peer.id)).collect()
        };
        let before = bindings(self);
        let mut round = self.begin_round(order);
        for index in 0..self.peers.peers.len() {
            self.graph.bind(self.peers.peers[index].id, None);
        }
        self.request_packuments(&round);
        self.unsatisfied.clear();
        for (name, indices) in self.peers_by_name() {
            self.decide_name(&name, &indices, &mut round)?;
        }
        self.peers.round += 1;
        Ok(before != bindings(self))
    }

    /// Adds the peers that are reached for the first time.
    fn collect_peers(&mut self, order: &[PackageId]) {
        let mut found = Vec::new();
        for &package in order {
            found.extend(self.graph.dependencies_of(package).filter(|&id| {
                self.graph.dependency(id).role == Role::Peer
                    && self.graph.binding(id).is_none()
                    && !self.unresolved.contains(&id)
                    && !self.peers.known.contains(&id)
            }));
        }
        for id in found {
            match self.specifier(id) {
                Ok(specifier) => self.add_peer(id, specifier),
                Err(problem) => {
                    self.unresolved.insert(id);
                    self.warn(id, problem.message().to_owned());
                }
            }
        }
        self.peers.peers.sort_by(|a, b| a.owner.cmp(&b.owner));
    }

    fn add_peer(&mut self, id: DependencyId, specifier: Specifier) {
        if let Specifier::Workspace(member) = &specifier
            && let Ok(member) = self.find_member(id, member)
        {
            self.graph.bind(id, Some(member));
            return self.reach(self.owners.declaring(id), member);
        }
        if let Some(own) = own_dependency(&self.graph, self.owners.declaring(id), id) {
            let bound = self.graph.binding(own);
            return self.graph.bind(id, bound);
        }
        if specifier.registry_name().is_none() {
            self.unresolved.insert(id);
            return;
        }
        let owner = match self.is_importers(id) {
            true => String::new(),
            false => self.graph.package_name(self.owners.declaring(id)).to_string(),
        };
        self.peers.known.insert(id);
        self.peers.peers.push(Peer { id, owner, specifier, round: self.peers.round });
    }

    fn begin_round(&self, order: Vec<PackageId>) -> Round {
        let mut providers = IdSet::default();
        let mut dependents: IdMap<PackageId, Vec<PackageId>> = IdMap::default();
        for &package in &order {
            for id in self.graph.dependencies_of(package) {
                let Some(target) = self.graph.binding(id) else { continue };
                if !self.graph.dependency(id).role.is_peer() {
                    dependents.entry(target).or_default().push(package);
                }
                if !self.peers.known.contains(&id) {
                    providers.insert(target);
                }
            }
        }
        let live = order.into_iter().collect();
        Round { live, providers, dependents, added: IdSet::default() }
    }

    /// Requests all packuments that are needed, so that they arrive together.
    fn request_packuments(&mut self, round: &Round) {
        if self.peer_rule == PeerRule::Existing {
            return;
        }
        for index in 0..self.peers.peers.len() {
            let peer = &self.peers.peers[index];
            let Some(name) = peer.specifier.registry_name() else { continue };
            if round.live.contains(&self.owners.declaring(peer.id)) && self.provided(peer, round).is_none() {
                self.metadata.request(name);
            }
        }
    }

    fn peers_by_name(&self) -> BTreeMap<PackageName, Vec<usize>> {
        let mut by_name: BTreeMap<PackageName, Vec<usize>> = BTreeMap::new();
        for (index, peer) in self.peers.peers.iter().enumerate() {
            if let Some(name) = peer.specifier.registry_name() {
                by_name.entry(name.clone()).or_default().push(index);
            }
        }
        by_name
    }

    /// Binds the peers on one name.
    fn decide_name(&mut self, name: &PackageName, indices: &[usize], round: &mut Round) -> Result<()> {
        let is_live = |resolver: &Self, index: usize| {
            round.live.contains(&resolver.owners.declaring(resolver.peers.peers[index].id))
        };
        let live: Vec<usize> = indices.iter().copied().filter(|&index| is_live(self, index)).collect();
        if self.peer_rule == PeerRule::Existing {
            live.into_iter().for_each(|index| self.bind_existing(name, index, round));
            return Ok(());
        }
        let (own, others): (Vec<usize>, Vec<usize>) =
            live.iter().partition(|&&index| self.peers.peers[index].owner.is_empty());
        for &index in &own {
            self.decide_importers_peer(name, index, &others, round)?;
        }
        self.add_shared_version(name, indices, round)?;
        for &index in &others {
            self.decide_peer(name, index, round)?;
        }
        Ok(())
    }

    /// A peer of the project or of a member is like a dependency of it: others follow its version,
    /// so that their ranges are considered, too.
    fn decide_importers_peer(
        &mut self,
        name: &PackageName,
        index: usize,
        others: &[usize],
        round: &mut Round,
    ) -> Result<()> {
        let id = self.peers.peers[index].id;
        let follows = |peer: &&Peer| {
            self.in_range(peer, round).is_none() && self.requesting_dependency(peer.id, round) == Some(id)
        };
        let followers = others.iter().map(|&other| &self.peers.peers[other]).filter(follows);
        let ranges: Vec<Range> = followers.filter_map(|peer| range_of(&peer.specifier).cloned()).collect();
        if self.bind_provided(index, round) {
            return Ok(());
        }
        self.add_version(name, index, &ranges, round)
    }

    /// Adds the version that the unprovided peers of a name share.
    fn add_shared_version(&mut self, name: &PackageName, indices: &[usize], round: &mut Round) -> Result<()> {
        let mut demands = Vec::new();
        let mut first = None;
        for &index in indices {
            let peer = &self.peers.peers[index];
            let Some(range) = range_of(&peer.specifier).filter(|_| !peer.owner.is_empty()) else { continue };
            let is_live = round.live.contains(&self.owners.declaring(peer.id));
            if !is_live && self.peers.round < GONE_COUNT_FROM {
                continue;
            }
            let status = match () {
                () if is_live && self.in_range(peer, round).is_some() => Status::Provided,
                // It is bound elsewhere, out of range.
                () if is_live && self.requested_by_others(peer.id, round).is_some() => continue,
                () if peer.round == 0 => Status::Open,
                () => Status::Late,
            };
            if is_live && status != Status::Provided {
                first.get_or_insert(index);
            }
            demands.push(Demand { range: range.clone(), status });
        }
        let Some(first) = first else { return Ok(()) };
        let id = self.peers.peers[first].id;
        let Some(cached) = self.cached_packument(name, id)? else {
            let problem = self.no_version(name, "");
            return Err(problem.note(self.required_by(id)));
        };
        if let Some((version, at)) = shared_version(&cached.versions, demands) {
            match self.package(id, name, version, at)? {
                Some(package) => drop(round.added.insert(package)),
                None => return self.add_shared_version(name, indices, round),
            }
        }
        Ok(())
    }

    fn decide_peer(&mut self, name: &PackageName, index: usize, round: &mut Round) -> Result<()> {
        if self.bind_provided(index, round) {
            return Ok(());
        }
        let peer = &self.peers.peers[index];
        if peer.round == 0
            && range_of(&peer.specifier).is_some()
            && let Some(highest) = self
                .highest(name, |package| round.added.contains(&package))
                .or_else(|| self.highest(name, |package| is_available(round, package)))
        {
            let id = peer.id;
            self.bind_peer(id, highest);
            return Ok(());
        }
        self.add_version(name, index, &[], round)
    }

    /// Binds a peer to a package that is there, in range or not, or leaves it unbound.
    fn bind_existing(&mut self, name: &PackageName, index: usize, round: &Round) {
        if self.bind_provided(index, round) {
            return;
        }
        if let Some(highest) = self.highest(name, |package| is_available(round, package)) {
            self.bind_peer(self.peers.peers[index].id, highest);
        }
    }

    fn bind_provided(&mut self, index: usize, round: &Round) -> bool {
        let peer = &self.peers.peers[index];
        let Some(provided) = self.provided(peer, round) else { return false };
        let id = peer.id;
        self.bind_peer(id, provided);
        true
    }

    fn bind_peer(&mut self, id: DependencyId, package: PackageId) {
        self.graph.bind(id, Some(package));
        self.reach(self.owners.declaring(id), package);
    }

    /// Adds the best version for one peer, which the ranges of its followers contain if possible.
    fn add_version(
        &mut self,
        name: &PackageName,
        index: usize,
        followers: &[Range],
        round: &mut Round,
    ) -> Result<()> {
        let Peer { id, specifier, .. } = &self.peers.peers[index];
        let (id, specifier) = (*id, specifier.clone());
        let Some(cached) = self.cached_packument(name, id)? else {
            let problem = self.no_version(name, "");
            return Err(problem.note(self.required_by(id)));
        };
        let picked = match &specifier {
            Specifier::Npm { range, .. } => {
                let ranges: Vec<&Range> = std::iter::once(range).chain(followers).collect();
                cached.versions.pick_shared(&ranges).or_else(|| cached.versions.pick(range))
            }
            Specifier::DistTag { tag, .. } => cached.versions.tagged(tag),
            _ => None,
        };
        match picked {
            Some((version, at)) => {
                let Some(package) = self.package(id, name, version, at)? else {
                    return self.add_version(name, index, followers, round);
                };
                if range_of(&specifier).is_some() {
                    round.added.insert(package);
                }
                self.bind_peer(id, package);
            }
            None => self.unsatisfied.push((id, name.clone())),
        }
        Ok(())
    }

    /// Binds peers that no version satisfies to the highest existing version, at the end.
    pub fn decide_unsatisfied(&mut self) {
        let live: IdSet<PackageId> = breadth_first(&self.graph).into_iter().collect();
        for (id, name) in std::mem::take(&mut self.unsatisfied) {
            match self.highest(&name, |package| live.contains(&package)) {
                Some(highest) => self.bind_peer(id, highest),
                None => {
                    let problem = self.no_version(&name, &self.graph.dependency(id).literal);
                    self.warn(id, problem.message().to_owned());
                }
            }
        }
    }

    fn is_importers(&self, id: DependencyId) -> bool {
        self.importers.contains(&self.owners.declaring(id))
    }

    fn provided(&self, peer: &Peer, round: &Round) -> Option<PackageId> {
        self.in_range(peer, round).or_else(|| self.requested_by_others(peer.id, round))
    }

    /// A member, or the highest version in range.
    fn in_range(&self, peer: &Peer, round: &Round) -> Option<PackageId> {
        let name = peer.specifier.registry_name()?;
        let Some(range) = range_of(&peer.specifier) else {
            return self.member_in_range(name, &Range::any());
        };
        self.member_in_range(name, range).or_else(|| {
            let releases = self.releases(name).filter(|(_, package)| is_available(round, *package));
            releases.filter(|(version, _)| range.contains(version)).max().map(|(_, package)| package)
        })
    }

    fn highest(&self, name: &PackageName, counts: impl Fn(PackageId) -> bool) -> Option<PackageId> {
        self.releases(name).filter(|(_, package)| counts(*package)).max().map(|(_, package)| package)
    }

    fn releases(&self, name: &PackageName) -> impl Iterator<Item = (&Version, PackageId)> {
        let name = self.graph.find_name(name.as_str());
        let packages = name.map_or(&[][..], |name| self.graph.packages_named(name));
        packages.iter().filter_map(|&id| Some((self.graph.package(id).source.npm_version()?, id)))
    }

    /// The package that the project, or a dependent of this package, has under the peer's name; of
    /// several dependents, the nearest.
    fn requested_by_others(&self, id: DependencyId, round: &Round) -> Option<PackageId> {
        let found = self.graph.binding(self.requesting_dependency(id, round)?);
        found.filter(|&package| matches!(self.graph.package(package).source, Source::Npm { .. }))
    }

    /// The dependency on the peer's name that the project, or else the nearest dependent, declares.
    /// Peers count where the project or a member declares them: they are installed for it.
    fn requesting_dependency(&self, id: DependencyId, round: &Round) -> Option<DependencyId> {
        let name = self.graph.dependency(id).name;
        let requests = |package: PackageId| {
            self.graph.dependencies_of(package).find(|&other| {
                let dependency = self.graph.dependency(other);
                let counts = match dependency.role {
                    Role::OptionalPeer => false,
                    Role::Peer => self.is_importers(other) && self.peers.known.contains(&other),
                    _ => self.graph.binding(other).is_some(),
                };
                dependency.name == name && other != id && counts
            })
        };
        requests(PackageId(0)).or_else(|| {
            let dependents = dependents_of(self.owners.declaring(id), round);
            dependents.into_iter().find_map(requests)
        })
    }
}

/// A dependency of the package itself under the peer's name: a member that is developed with one
/// version of what it is a plugin of. Its package has the only place that the peer could have.
fn own_dependency(graph: &Graph, owner: PackageId, peer: DependencyId) -> Option<DependencyId> {
    let name = graph.dependency(peer).name;
    graph.dependencies_of(owner).find(|&id| {
        let dependency = graph.dependency(id);
        dependency.name == name && !dependency.role.is_peer() && graph.binding(id).is_some()
    })
}

fn range_of(specifier: &Specifier) -> Option<&Range> {
    match specifier {
        Specifier::Npm { range, .. } => Some(range),
        _ => None,
    }
}

/// Whether peers may be bound to a package without adding it.
fn is_available(round: &Round, package: PackageId) -> bool {
    round.providers.contains(&package) || round.added.contains(&package)
}

/// The packages that depend on a package, and those that depend on them, nearest first.
fn dependents_of(package: PackageId, round: &Round) -> Vec<PackageId> {
    let mut seen = HashSet::from([package]);
    let mut order = vec![package];
    let mut next = 0;
    while next < order.len() {
        for &dependent in round.dependents.get(&order[next]).map_or(&[][..], Vec::as_slice) {
            if seen.insert(dependent) {
                order.push(dependent);
            }
        }
        next += 1;
    }
    order.split_off(1)
}

#[cfg(test)]
mod tests;
