//! The graph of all modules. In: modules as the threads found them, in an order that depends on
//! timing. Out: the same in the order in which a walk from the entry points reaches them, so that
//! outputs do not depend on timing; and which modules an entry point reaches.

use std::sync::Arc;

use crate::module::{External, ImportRecord, Module, ModuleIndex, RecordKind, RecordTarget};

/// All that was scanned.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) modules: Arc<Vec<Module>>,
    pub(crate) externals: Arc<Vec<External>>,
    /// The module of each entry point; then those that workers begin with.
    pub(crate) entries: Vec<ModuleIndex>,
}

impl Graph {
    pub(crate) fn new(modules: Vec<Module>, externals: Vec<External>, entries: &[ModuleIndex]) -> Graph {
        let order = preorder(&modules, entries);
        let mut new_index = vec![0; modules.len()];
        order.iter().enumerate().for_each(|(new, &old)| new_index[old] = new);
        let mut slots: Vec<Option<Module>> = modules.into_iter().map(Some).collect();
        let mut modules: Vec<Module> = order.iter().filter_map(|&old| slots[old].take()).collect();
        let mut new_externals: Vec<Option<usize>> = vec![None; externals.len()];
        let mut reached = 0;
        for record in modules.iter_mut().flat_map(|module| &mut module.records) {
            match &mut record.target {
                RecordTarget::Module(target) => *target = new_index[*target],
                RecordTarget::External(index) => {
                    let new = *new_externals[*index].get_or_insert_with(|| {
                        reached += 1;
                        reached - 1
                    });
                    *index = new;
                }
                RecordTarget::Unresolved => {}
            }
        }
        for reference in modules.iter_mut().flat_map(Module::file_references_mut) {
            reference.target = reference.target.map(|target| new_index[target]);
        }
        let named = externals.into_iter().zip(new_externals);
        let mut externals: Vec<(usize, External)> =
            named.filter_map(|(external, new)| Some((new?, external))).collect();
        externals.sort_unstable();
        let mut entries: Vec<ModuleIndex> = entries.iter().map(|&entry| new_index[entry]).collect();
        // Modules may be those of an earlier build.
        for (index, module) in modules.iter_mut().enumerate() {
            module.is_worker = false;
            module.is_listed = entries.contains(&index);
        }
        for worker in workers(&modules) {
            modules[worker].is_worker = true;
            if !entries.contains(&worker) {
                entries.push(worker);
            }
        }
        Graph {
            modules: Arc::new(modules),
            externals: Arc::new(externals.into_iter().map(|(_, external)| external).collect()),
            entries,
        }
    }

    /// Which modules the entry points reach, by imports of any kind.
    pub(crate) fn reached(&self, entries: &[ModuleIndex]) -> Vec<bool> {
        reached_by(&self.modules, entries, |record| record.kind != RecordKind::Worker)
    }
}

/// Which modules are reached by records of the given kind.
pub(crate) fn reached_by(
    modules: &[Module],
    roots: &[ModuleIndex],
    follows: impl Fn(&ImportRecord) -> bool,
) -> Vec<bool> {
    let mut reached = vec![false; modules.len()];
    let mut queue: Vec<ModuleIndex> = roots.to_vec();
    while let Some(module) = queue.pop() {
        if std::mem::replace(&mut reached[module], true) {
            continue;
        }
        let records = modules[module].records.iter().filter(|record| follows(record));
        queue.extend(records.filter_map(target_of).filter(|&target| !reached[target]));
    }
    reached
}

/// Modules that workers begin with.
fn workers(modules: &[Module]) -> Vec<ModuleIndex> {
    let records = modules.iter().flat_map(|module| &module.records);
    records.filter(|record| record.kind == RecordKind::Worker).filter_map(target_of).collect()
}

fn target_of(record: &ImportRecord) -> Option<ModuleIndex> {
    match record.target {
        RecordTarget::Module(target) => Some(target),
        RecordTarget::Unresolved | RecordTarget::External(_) => None,
    }
}

fn preorder(modules: &[Module], entries: &[ModuleIndex]) -> Vec<ModuleIndex> {
    let mut visited = vec![false; modules.len()];
    let mut order = Vec::with_capacity(modules.len());
    let mut stack: Vec<ModuleIndex> = entries.iter().rev().copied().collect();
    while let Some(module) = stack.pop() {
        if std::mem::replace(&mut visited[module], true) {
            continue;
        }
        order.push(module);
        let files = modules[module].file_references().into_iter().rev();
        stack.extend(files.filter_map(|reference| reference.target));
        stack.extend(modules[module].records.iter().rev().filter_map(target_of));
    }
    order
}
