//! Members of CommonJS modules that are variables of the chunk: `jsx()` in place of
//! `(0, import_react.jsx)()`. In: all modules. Out: for each CommonJS module, the names whose
//! values are final when the module was evaluated: only its evaluation sets them, and no code of
//! the bundle does more with its object than to read members. Names that no code reads need not be
//! set. Absent: bundles of several chunks.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::live::Live;
use crate::module::{
    CjsExports, Export, ImportRecord, ImportedName, Module, ModuleIndex, RecordKind, RecordTarget,
};
use crate::symbols::{FIRST_STATIC_MEMBER, SymbolIndex, SymbolRef};
use crate::wrap::Wrap;

/// Names of each module, sorted.
#[derive(Debug, Default)]
pub(crate) struct StaticMembers {
    names: Vec<Vec<String>>,
    /// Modules whose default import is their object.
    has_plain_default: Vec<bool>,
    /// The module that makes the object of each.
    objects: Vec<Option<ModuleIndex>>,
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
        let Search { objects, lost, .. } = search;
        let objects = objects.into_iter().enumerate();
        let objects: Vec<Option<ModuleIndex>> = objects
            .map(|(module, object)| object.filter(|&object| reached[module] && !lost[object]))
            .collect();
        let known = |object: &Option<ModuleIndex>| modules[(*object)?].common_js.as_ref();
        let names = |exports: &CjsExports| exports.names.iter().cloned().collect();
        StaticMembers {
            names: objects.iter().map(|object| known(object).map(names).unwrap_or_default()).collect(),
            has_plain_default: objects
                .iter()
                .map(|object| known(object).is_some_and(|exports| !exports.is_es_module))
                .collect(),
            objects,
        }
    }

    /// Names of each module that no code of the bundle reads.
    pub(crate) fn unused(
        &self,
        modules: &[Module],
        reached: &[bool],
        live: &Live,
    ) -> FxHashMap<ModuleIndex, FxHashSet<String>> {
        let objects = self.objects.iter().flatten();
        let with_names = objects.filter_map(|&object| {
            let exports = modules[object].common_js.as_ref()?;
            let unread = exports.names.difference(&exports.read);
            // The functions that bundling adds look for the mark of a compiled ES module.
            Some((object, unread.filter(|name| *name != "__esModule").cloned().collect()))
        });
        let mut unused: FxHashMap<ModuleIndex, FxHashSet<String>> = with_names.collect();
        for (module, members) in &live.statics {
            let Some(names) = self.objects[*module].and_then(|object| unused.get_mut(&object)) else {
                continue;
            };
            members.iter().for_each(|member| {
                names.remove(self.name(*member));
            });
        }
        let importers = modules.iter().zip(reached).filter(|(_, reached)| **reached);
        for record in importers.flat_map(|(module, _)| &module.records) {
            if let Some(names) = self.object_of(record).and_then(|object| unused.get_mut(&object)) {
                match &record.require_use {
                    Some(uses) if !uses.reads_all => names.retain(|name| !uses.read.contains(name)),
                    _ => names.clear(),
                }
            }
        }
        for object in self.objects_as_defaults(modules) {
            unused.remove(&object);
        }
        unused
    }

    /// Objects of compiled ES modules that may be their own default export.
    fn objects_as_defaults(&self, modules: &[Module]) -> Vec<ModuleIndex> {
        let default = ImportedName::Name("default".to_owned());
        let imports = modules.iter().flat_map(|module| {
            let defaults = module.imports.values().filter(|import| import.imported == default);
            defaults.map(move |import| (module, &module.records[import.record].target))
        });
        let objects = imports.filter_map(|(importer, target)| {
            let RecordTarget::Module(target) = target else { return None };
            let object = (*self.objects.get(*target)?)?;
            let exports = modules[object].common_js.as_ref()?;
            let is_default = importer.is_node_mode || !exports.sets("default");
            (exports.is_es_module && is_default).then_some(object)
        });
        objects.collect()
    }

    /// The object that a `require` call returns.
    fn object_of(&self, record: &ImportRecord) -> Option<ModuleIndex> {
        match record.target {
            RecordTarget::Module(target) if record.kind == RecordKind::Require => {
                *self.objects.get(target)?
            }
            _ => None,
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
