//! Members of CommonJS modules that are variables of the chunk: `jsx()` in place of
//! `(0, import_react.jsx)()`. In: all modules. Out: for each CommonJS module, the names whose
//! values are final when the module was evaluated: only its evaluation sets them, and no code of
//! the bundle does more with its object than to read members. Absent: bundles of several chunks.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::module::{Export, ImportedName, Module, ModuleIndex, RecordKind, RecordTarget};
use crate::symbols::{FIRST_STATIC_MEMBER, SymbolIndex, SymbolRef};
use crate::wrap::Wrap;

/// Names of each module, sorted.
#[derive(Debug, Default)]
pub(crate) struct StaticMembers {
    names: Vec<Vec<String>>,
    /// Modules whose default import is their object.
    has_plain_default: Vec<bool>,
}

impl StaticMembers {
    pub(crate) fn new(
        modules: &[Module],
        reached: &[bool],
        wraps: &[Wrap],
        entries: &[ModuleIndex],
    ) -> StaticMembers {
        let objects = (0..modules.len()).map(|module| object(modules, wraps, module)).collect();
        let mut search = Search { modules, wraps, objects, lost: vec![false; modules.len()] };
        entries.iter().for_each(|&entry| search.lose(entry));
        for importer in (0..modules.len()).filter(|&importer| reached[importer]) {
            search.visit(importer);
        }
        let known = |module: ModuleIndex| {
            let object = search.objects[module].filter(|&object| reached[module] && !search.lost[object])?;
            modules[object].common_js.as_ref()
        };
        let names = |module| known(module).map(|exports| exports.names.iter().cloned().collect());
        StaticMembers {
            names: (0..modules.len()).map(|module| names(module).unwrap_or_default()).collect(),
            has_plain_default: (0..modules.len())
                .map(|module| known(module).is_some_and(|exports| !exports.is_es_module))
                .collect(),
        }
    }

    pub(crate) fn find(&self, module: ModuleIndex, name: &str) -> Option<SymbolRef> {
        let names = self.names.get(module)?;
        let at = names.binary_search_by(|known| known.as_str().cmp(name)).ok()?;
        Some(SymbolRef::new(module, FIRST_STATIC_MEMBER + at as SymbolIndex))
    }

    /// A member of the default import.
    pub(crate) fn find_of_default(&self, module: ModuleIndex, name: &str) -> Option<SymbolRef> {
        self.find(module, name).filter(|_| self.has_plain_default[module])
    }

    pub(crate) fn name(&self, symbol: SymbolRef) -> &str {
        &self.names[symbol.module][(symbol.symbol - FIRST_STATIC_MEMBER) as usize]
    }
}

/// The module whose evaluation makes the object that a module exports, if it is known.
fn object(modules: &[Module], wraps: &[Wrap], module: ModuleIndex) -> Option<ModuleIndex> {
    let mut at = module;
    for _ in 0..modules.len() {
        let exports = modules[at].common_js.as_ref().filter(|_| wraps[at] == Wrap::CommonJs)?;
        let Some(record) = exports.redirect else { return Some(at) };
        let RecordTarget::Module(target) = modules[at].records[record].target else { return None };
        at = target;
    }
    None
}

struct Search<'m> {
    modules: &'m [Module],
    wraps: &'m [Wrap],
    objects: Vec<Option<ModuleIndex>>,
    /// Objects that code may change.
    lost: Vec<bool>,
}

impl Search<'_> {
    fn lose(&mut self, module: ModuleIndex) {
        if let Some(object) = self.objects[module] {
            self.lost[object] = true;
        }
    }

    /// Looks for what a module may do with the objects of others.
    fn visit(&mut self, importer: ModuleIndex) {
        let module = &self.modules[importer];
        for (index, record) in module.records.iter().enumerate() {
            let RecordTarget::Module(target) = record.target else { continue };
            let Some(object) = self.objects[target] else { continue };
            let is_safe = match record.kind {
                // Within a wrapper it may be evaluated while the object is incomplete.
                RecordKind::Statement => self.wraps[importer] == Wrap::None,
                RecordKind::Dynamic | RecordKind::Worker => false,
                RecordKind::Require => match &record.require_use {
                    None => false,
                    Some(uses) if uses.is_redirect => {
                        module.common_js.as_ref().is_some_and(|exports| exports.redirect == Some(index))
                    }
                    Some(uses) => self.may_be_called(object, &uses.called),
                },
            };
            self.lost[object] |= !is_safe;
        }
        self.visit_imports(importer);
    }

    /// Whether none of the names is that of a function that may change the object as its `this`.
    fn may_be_called(&self, object: ModuleIndex, called: &BTreeSet<String>) -> bool {
        let exports = self.modules[object].common_js.as_ref();
        exports.is_some_and(|exports| exports.with_this.intersection(called).next().is_none())
    }

    fn visit_imports(&mut self, importer: ModuleIndex) {
        let module = &self.modules[importer];
        let object = |record: usize| match module.records[record].target {
            RecordTarget::Module(target) => self.objects[target],
            RecordTarget::Unresolved | RecordTarget::External(_) => None,
        };
        let is_whole = |imported: &ImportedName| match imported {
            ImportedName::Namespace => true,
            ImportedName::Name(name) => name == "default",
        };
        let mut lost: Vec<ModuleIndex> = module.stars.iter().filter_map(|&record| object(record)).collect();
        let mut exported: FxHashSet<SymbolIndex> = FxHashSet::default();
        for export in module.exports.values() {
            match export {
                Export::Local(symbol) => {
                    exported.insert(*symbol);
                }
                Export::From { record, imported, .. } if is_whole(imported) => lost.extend(object(*record)),
                Export::From { .. } => {}
            }
        }
        for (symbol, import) in module.imports.iter().filter(|(_, import)| is_whole(&import.imported)) {
            let Some(object) = object(import.record) else { continue };
            let is_used = || module.parts.iter().any(|part| part.uses.contains(symbol));
            let key = (*symbol, "default".to_owned());
            let has_default = || {
                import.imported == ImportedName::Namespace
                    && module.parts.iter().any(|part| part.members.contains(&key))
            };
            let called = module.called_members.iter().filter(|(of, _)| of == symbol);
            let called = called.map(|(_, name)| name.clone()).collect();
            if exported.contains(symbol) || is_used() || has_default() || !self.may_be_called(object, &called)
            {
                lost.push(object);
            }
        }
        lost.into_iter().for_each(|object| self.lost[object] = true);
    }
}
