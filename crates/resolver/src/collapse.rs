//! Deduplicates versions: after every dependency has taken the best version for itself, new
//! versions are collapsed onto the smallest set that still satisfies all dependencies. Versions
//! from the lockfile, direct dependencies of the project and bundled packages are not changed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rusk_npm::bun_lock::Rules;
use rusk_npm::graph::{DependencyId, Graph, NameId, PackageId, Role, Source};
use rusk_npm::semver::{Range, Version};
use rusk_npm::specifier::Specifier;

use super::rules::effective_literal;

/// The package that each dependency is bound to, by its id.
type Bindings = Vec<Option<PackageId>>;

/// Rounds after which versions stay as they are. Three are usual.
const ROUNDS_MAX: usize = 64;
/// Pairs of a dependency and a fitting version, in one vote. Beyond this limit nothing is
/// collapsed: it would take gigabytes of memory to save a few directories. A project of 1,000
/// packages has some hundreds.
const PAIRS_MAX: usize = 4_000_000;

/// Moves dependencies to the highest of the fewest versions of a package that satisfy all. Packages
/// below `settled` stay where they are required.
pub fn collapse(graph: &mut Graph, rules: &Rules, settled: u32) {
    let mut bindings = graph.bindings().to_vec();
    let mut live = reached(graph, &bindings);
    for _ in 0..ROUNDS_MAX {
        bindings = vote_until_stable(graph, rules, settled, bindings, &live);
        let after = reached(graph, &bindings);
        if after == live {
            break;
        }
        live = after;
    }
    for (id, bound) in (0..).map(DependencyId).zip(bindings) {
        graph.bind(id, bound);
    }
}

/// A package that is not in the result must not have voted: the vote is repeated without such
/// packages, until voters and result agree or a package without a vote is in the result after all.
fn vote_until_stable(
    graph: &Graph,
    rules: &Rules,
    settled: u32,
    bindings: Bindings,
    live: &BTreeSet<PackageId>,
) -> Bindings {
    let mut voters = live.clone();
    for _ in 0..ROUNDS_MAX {
        let vote = Vote { graph, rules, settled, bindings: &bindings, live };
        let (outcome, counted) = vote.take(&voters);
        let after = reached(graph, &outcome);
        let dropped: BTreeSet<PackageId> = counted.difference(&after).copied().collect();
        if dropped.is_empty() || !after.is_subset(&voters) {
            return outcome;
        }
        voters.retain(|voter| !dropped.contains(voter));
    }
    bindings
}

struct Vote<'a> {
    graph: &'a Graph,
    rules: &'a Rules,
    settled: u32,
    bindings: &'a Bindings,
    live: &'a BTreeSet<PackageId>,
}

/// Versions of one package, the highest first.
type Candidates<'g> = Vec<(&'g Version, PackageId)>;

/// A dependency on a package that has several versions.
struct Edge {
    id: DependencyId,
    /// Indices of the fitting versions; only the bound one when it may not move.
    fitting: Vec<usize>,
    bound: usize,
    fixed: bool,
    /// An edge that does not vote follows the others, if it can.
    votes: bool,
}

impl<'a> Vote<'a> {
    /// New bindings, and the packages whose dependencies voted.
    fn take(&self, voters: &BTreeSet<PackageId>) -> (Bindings, BTreeSet<PackageId>) {
        let contested = self.contested();
        let mut edges: BTreeMap<NameId, Vec<Edge>> = BTreeMap::new();
        let mut counted = BTreeSet::new();
        let mut pairs = 0;
        for &owner in self.live {
            let votes = voters.contains(&owner);
            for id in self.graph.dependencies_of(owner) {
                if let Some((name, edge)) = self.edge(&contested, owner, id) {
                    pairs += edge.fitting.len();
                    if pairs > PAIRS_MAX {
                        return (self.bindings.clone(), BTreeSet::new());
                    }
                    edges.entry(name).or_default().push(Edge { votes, ..edge });
                    if votes {
                        counted.insert(owner);
                    }
                }
            }
        }
        let mut outcome = self.bindings.clone();
        for (name, edges) in &edges {
            let versions = &contested[name];
            let chosen = cover(versions.len(), edges);
            for edge in edges.iter().filter(|edge| !edge.fixed) {
                if let Some(&to) = edge.fitting.iter().find(|index| chosen.contains(index)) {
                    outcome[edge.id.0 as usize] = Some(versions[to].1);
                }
            }
        }
        (outcome, counted)
    }

    /// Names with several reachable versions of which at least one is new.
    fn contested(&self) -> BTreeMap<NameId, Candidates<'a>> {
        let mut by_name: BTreeMap<NameId, Candidates<'a>> = BTreeMap::new();
        for &id in self.live {
            let package = self.graph.package(id);
            if let Source::Npm { version, .. } = &package.source {
                by_name.entry(package.name).or_default().push((version, id));
            }
        }
        let is_new = |(_, id): &(&Version, PackageId)| id.0 >= self.settled;
        by_name.retain(|_, versions| versions.len() > 1 && versions.iter().any(is_new));
        for versions in by_name.values_mut() {
            versions.sort_by(|a, b| b.cmp(a));
        }
        by_name
    }

    fn edge(
        &self,
        contested: &BTreeMap<NameId, Candidates<'a>>,
        owner: PackageId,
        id: DependencyId,
    ) -> Option<(NameId, Edge)> {
        let target = self.bindings[id.0 as usize]?;
        let name = self.graph.package(target).name;
        let versions = contested.get(&name)?;
        let bound = versions.iter().position(|(_, other)| *other == target)?;
        let is_importer = matches!(self.graph.package(owner).source, Source::Root | Source::Workspace { .. });
        let bundled = self.graph.dependency(id).bundled;
        let range = match is_importer || bundled || target.0 < self.settled {
            true => None,
            false => range_of(self.graph, self.rules, owner, id),
        };
        let fitting = match &range {
            None => vec![bound],
            Some(range) => (0..versions.len()).filter(|&index| range.contains(versions[index].0)).collect(),
        };
        Some((name, Edge { id, fitting, bound, fixed: range.is_none(), votes: true }))
    }
}

fn range_of(graph: &Graph, rules: &Rules, owner: PackageId, id: DependencyId) -> Option<Range> {
    let dependency = graph.dependency(id);
    let name = graph.name(dependency.name);
    let literal = effective_literal(rules, graph, owner, name, &dependency.literal);
    match Specifier::parse(name.as_str(), &literal) {
        Ok(Specifier::Npm { range, .. }) => Some(range),
        _ => None,
    }
}

/// A small set of versions that satisfies every edge with a vote: first those that must stay, then
/// repeatedly the one that satisfies most of the rest, the highest of equals. Only versions that a
/// voting edge is bound to are chosen.
fn cover(versions: usize, edges: &[Edge]) -> BTreeSet<usize> {
    let votes = || edges.iter().filter(|edge| edge.votes);
    let in_use: BTreeSet<usize> = votes().map(|edge| edge.bound).collect();
    let mut chosen: BTreeSet<usize> = votes().filter(|edge| edge.fixed).map(|edge| edge.bound).collect();
    loop {
        let mut counts = vec![0_usize; versions];
        for edge in votes().filter(|edge| !edge.fitting.iter().any(|index| chosen.contains(index))) {
            for &index in edge.fitting.iter().filter(|index| in_use.contains(index)) {
                counts[index] += 1;
            }
        }
        let best = (0..versions).rev().max_by_key(|&index| counts[index]);
        match best.filter(|&index| counts[index] > 0) {
            Some(index) => chosen.insert(index),
            None => return chosen,
        };
    }
}

/// Packages reachable from the project. Optional peers do not count.
pub(super) fn reached(graph: &Graph, bindings: &[Option<PackageId>]) -> BTreeSet<PackageId> {
    let mut reached = BTreeSet::from([PackageId(0)]);
    let mut queue = VecDeque::from([PackageId(0)]);
    while let Some(package) = queue.pop_front() {
        for id in graph.dependencies_of(package) {
            if graph.dependency(id).role == Role::OptionalPeer {
                continue;
            }
            if let Some(target) = bindings[id.0 as usize]
                && reached.insert(target)
            {
                queue.push_back(target);
            }
        }
    }
    reached
}
