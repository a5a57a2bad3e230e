//! Code splitting: which modules are entry points because of dynamic imports, and which modules
//! stand in one chunk: those that the same entry points need. In: linked modules. Out: groups.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::graph::{Graph, reached_by};
use crate::link::Linked;
use crate::module::{ImportRecord, ModuleIndex, RecordKind, RecordTarget};
use crate::references;
use crate::wrap::{self, Wrap};

/// Modules that dynamic imports load as chunks of their own. A module is not one if each entry
/// point that has the import has the module too: it is there before the import is reached.
pub(crate) fn dynamic_entries(graph: &Graph, is_async: &[bool]) -> FxHashSet<ModuleIndex> {
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

    fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether the other set has all entry points of this one, and more.
    fn is_below(&self, other: &EntrySet) -> bool {
        self != other && self.0.iter().zip(&other.0).all(|(own, other)| own & !other == 0)
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

/// Moves the modules of small chunks into the chunk of more entry points, if they have no side
/// effects: what loads them loads it too. The moved modules may need no chunk that those entry
/// points lack, so that imports between chunks stay free of cycles.
pub(crate) fn fold_small(linked: &Linked, sets: &mut [Option<EntrySet>], min_bytes: usize) {
    if min_bytes == 0 {
        return;
    }
    let mut chunks: BTreeMap<EntrySet, Vec<ModuleIndex>> = BTreeMap::new();
    for (module, set) in sets.iter().enumerate() {
        if let Some(set) = set {
            chunks.entry(set.clone()).or_default().push(module);
        }
    }
    let is_entry = |set: &EntrySet| set.count() == 1;
    let is_pure = |&module: &ModuleIndex| {
        let own = &linked.modules[module];
        let parts = own.parts.iter().zip(&linked.live.parts[module]);
        let is_external = |record: &ImportRecord| {
            record.kind == RecordKind::Statement && matches!(record.target, RecordTarget::External(_))
        };
        !own.records.iter().any(is_external)
            && !parts.filter(|(_, live)| **live).any(|(part, _)| part.has_side_effects)
    };
    let bytes = |modules: &[ModuleIndex]| -> usize {
        modules.iter().map(|&module| linked.modules[module].source_bytes).sum()
    };
    let small = chunks
        .iter()
        .filter(|(set, modules)| !is_entry(set) && bytes(modules) < min_bytes && modules.iter().all(is_pure));
    for (set, modules) in small {
        let larger = chunks.keys().filter(|other| set.is_below(other));
        let target = larger.min_by_key(|other| other.count());
        let fits = |target: &EntrySet| {
            let needed = modules.iter().flat_map(|&module| edges(linked, module));
            needed
                .filter_map(|module| sets[module].as_ref())
                .all(|other| other == set || other == target || target.is_below(other))
        };
        if let Some(target) = target.filter(|target| fits(target)).cloned() {
            modules.iter().for_each(|&module| sets[module] = Some(target.clone()));
        }
    }
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
