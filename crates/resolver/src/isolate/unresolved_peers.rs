//! Computes which peers each package looks up above itself: its own and those of its dependencies,
//! minus what it provides. In: a bound graph. Out: a set of names for each package.

use rusk_npm::graph::{Graph, IdMap, NameId, PackageId};

use crate::hoist::DependencyFilter;

const WORD_BITS: usize = 64;

pub struct UnresolvedPeers {
    /// Every name that is a peer of some package.
    names: Vec<NameId>,
    /// A set of names for each package, as a bit set.
    sets: Vec<Vec<u64>>,
}

impl UnresolvedPeers {
    pub fn of(graph: &Graph, filter: &dyn DependencyFilter) -> UnresolvedPeers {
        let mut names = Vec::new();
        let mut bits: IdMap<NameId, usize> = IdMap::default();
        for id in graph.package_ids().flat_map(|id| graph.dependencies_of(id)) {
            let dependency = graph.dependency(id);
            if dependency.role.is_peer() && !bits.contains_key(&dependency.name) {
                bits.insert(dependency.name, names.len());
                names.push(dependency.name);
            }
        }
        let words = names.len().div_ceil(WORD_BITS);
        let empty = vec![vec![0; words]; graph.len()];
        let mut builder = Builder { own: empty.clone(), provided: empty.clone(), children: Vec::new() };
        builder.read(graph, filter, &bits);
        UnresolvedPeers { names, sets: builder.solve(empty) }
    }

    /// In an order that is the same for every package of one graph.
    pub fn of_package(&self, package: PackageId) -> impl Iterator<Item = NameId> + '_ {
        let set = &self.sets[package.0 as usize];
        let is_in = |bit: &usize| set[bit / WORD_BITS] >> (bit % WORD_BITS) & 1 == 1;
        (0..self.names.len()).filter(is_in).map(|bit| self.names[bit])
    }
}

struct Builder {
    /// By package: the peers it declares.
    own: Vec<Vec<u64>>,
    /// By package: the names it provides.
    provided: Vec<Vec<u64>>,
    /// By package: what may be below it.
    children: Vec<Vec<u32>>,
}

impl Builder {
    fn read(&mut self, graph: &Graph, filter: &dyn DependencyFilter, bits: &IdMap<NameId, usize>) {
        // A peer may resolve to any package that some dependency of its name is bound to.
        let mut meant: IdMap<NameId, Vec<u32>> = IdMap::default();
        for id in graph.package_ids().flat_map(|id| graph.dependencies_of(id)) {
            let name = graph.dependency(id).name;
            if let (Some(package), true) = (graph.binding(id), bits.contains_key(&name)) {
                let packages = meant.entry(name).or_default();
                if !packages.contains(&package.0) {
                    packages.push(package.0);
                }
            }
        }
        for package in graph.package_ids() {
            let at = package.0 as usize;
            let mut children = Vec::new();
            for id in graph.dependencies_of(package) {
                let dependency = graph.dependency(id);
                let bit = bits.get(&dependency.name);
                if dependency.role.is_peer() {
                    set(&mut self.own[at], bit);
                    children.extend(meant.get(&dependency.name).into_iter().flatten());
                    continue;
                }
                children.extend(graph.binding(id).map(|child| child.0));
                if filter.includes(graph, package, id) {
                    set(&mut self.provided[at], bit);
                }
            }
            children.sort_unstable();
            children.dedup();
            self.children.push(children);
        }
    }

    /// The smallest sets that contain what each package and all below it look up.
    fn solve(&self, mut sets: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
        let mut parents: Vec<Vec<u32>> = vec![Vec::new(); sets.len()];
        for (parent, children) in self.children.iter().enumerate() {
            for &child in children {
                parents[child as usize].push(u32::try_from(parent).expect("fewer packages than 2^32"));
            }
        }
        let mut is_waiting = vec![true; sets.len()];
        let mut waiting: Vec<usize> = (0..sets.len()).collect();
        while let Some(at) = waiting.pop() {
            is_waiting[at] = false;
            let mut found = self.own[at].clone();
            for &child in &self.children[at] {
                found.iter_mut().zip(&sets[child as usize]).for_each(|(word, more)| *word |= more);
            }
            found.iter_mut().zip(&self.provided[at]).for_each(|(word, less)| *word &= !less);
            if found == sets[at] {
                continue;
            }
            sets[at] = found;
            for &parent in &parents[at] {
                if !std::mem::replace(&mut is_waiting[parent as usize], true) {
                    waiting.push(parent as usize);
                }
            }
        }
        sets
    }
}

fn set(words: &mut [u64], bit: Option<&usize>) {
    if let Some(bit) = bit {
        words[bit / WORD_BITS] |= 1 << (bit % WORD_BITS);
    }
}
