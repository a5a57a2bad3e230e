//! Code splitting: which modules are entry points because of dynamic imports, and which modules
//! stand in one chunk: those that the same entry points need. In: linked modules. Out: groups.

use std::collections::{BTreeMap, HashSet};

use crate::graph::{Graph, reached_by};
use crate::link::Linked;
use crate::module::{ModuleIndex, RecordKind, RecordTarget};
use crate::references;
use crate::wrap::{self, Wrap};

/// Modules that dynamic imports load as chunks of their own. A module is not one if each entry
/// point that has the import has the module too: it is there before the import is reached.
pub(crate) fn dynamic_entries(graph: &Graph, is_async: &[bool]) -> HashSet<ModuleIndex> {
    let modules = &*graph.modules;
    let mut importers: BTreeMap<ModuleIndex, Vec<ModuleIndex>> = BTreeMap::new();
    for (index, module) in modules.iter().enumerate() {
        for (kind, target) in wrap::targets(module) {
            if kind == RecordKind::Dynamic {
                importers.entry(target).or_default().push(index);
            }
        }
    }
    let mut roots: Vec<ModuleIndex> = graph.entries.clone();
    roots.extend(importers.keys().filter(|target| !graph.entries.contains(target)));
    let reaches: Vec<Vec<bool>> = roots
        .iter()
        .map(|&root| {
            reached_by(modules, &[root], |record| {
                !matches!(record.kind, RecordKind::Dynamic | RecordKind::Worker)
            })
        })
        .collect();
    let is_there = |target: ModuleIndex, importers: &[ModuleIndex]| {
        let roots = roots.iter().zip(&reaches).filter(|(root, _)| **root != target);
        let mut loading = roots.filter(|(_, reach)| importers.iter().any(|&importer| reach[importer]));
        loading.all(|(_, reach)| reach[target])
    };
    let entries = importers.iter().filter(|&(&target, importers)| {
        graph.entries.contains(&target) || is_async[target] || !is_there(target, importers)
    });
    entries.map(|(&target, _)| target).collect()
}

/// Entry points as a set of bits.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct EntrySet(Vec<u64>);

impl EntrySet {
    fn new(entries: usize) -> EntrySet {
        EntrySet(vec![0; entries.div_ceil(64)])
    }

    pub(crate) fn of(entry: usize, entries: usize) -> EntrySet {
        let mut set = EntrySet::new(entries);
        set.insert(entry);
        set
    }

    fn insert(&mut self, entry: usize) {
        self.0[entry / 64] |= 1 << (entry % 64);
    }

    pub(crate) fn contains(&self, entry: usize) -> bool {
        self.0[entry / 64] & 1 << (entry % 64) != 0
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
}

/// The entry points that need each module; `None`: no one.
pub(crate) fn entry_sets(linked: &Linked) -> Vec<Option<EntrySet>> {
    let edges: Vec<Vec<ModuleIndex>> =
        (0..linked.modules.len()).map(|module| edges(linked, module)).collect();
    let count = linked.entries.len();
    let mut sets = vec![EntrySet::new(count); linked.modules.len()];
    for (bit, &entry) in linked.entries.iter().enumerate() {
        let mut queue = vec![entry];
        while let Some(module) = queue.pop() {
            if sets[module].contains(bit) {
                continue;
            }
            sets[module].insert(bit);
            queue.extend(edges[module].iter().filter(|&&target| !sets[target].contains(bit)));
        }
    }
    sets.into_iter().map(|set| (!set.is_empty()).then_some(set)).collect()
}

/// The modules that a module needs when it is evaluated, or when its exports are used.
fn edges(linked: &Linked, module: ModuleIndex) -> Vec<ModuleIndex> {
    if !linked.live.modules[module] {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut visit = |symbol: crate::symbols::SymbolRef| {
        if symbol.external().is_none() && symbol.module != module {
            found.push(symbol.module);
        }
    };
    references::references(linked, module, &mut visit);
    if linked.entries.contains(&module) {
        references::exports(linked, module, &mut visit);
    }
    let is_whole = linked.wraps[module] != Wrap::None;
    for record in &linked.modules[module].records {
        if let (RecordKind::Statement, RecordTarget::Module(target)) = (record.kind, &record.target)
            && linked.live.modules[*target]
            && (is_whole || linked.modules[*target].side_effects)
        {
            found.push(*target);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
