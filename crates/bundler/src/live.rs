//! Tree shaking: which statements of which modules are in the bundle. In: modules, bindings, entry
//! points. Out: marks. A statement is kept if it has side effects and its module is evaluated, or
//! if a kept statement uses what it declares.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::bind::{Binder, ResolvedExport};
use crate::module::{Module, ModuleIndex, RecordKind, RecordTarget};
use crate::options::ModuleFormat;
use crate::symbols::{Binding, EXTERNAL, INTEROP, INTEROP_NODE, NAMESPACE, SymbolIndex, SymbolRef};
use crate::wrap::Wrap;

/// The marks.
#[derive(Debug, Default)]
pub(crate) struct Live {
    pub(crate) modules: Vec<bool>,
    pub(crate) parts: Vec<Vec<bool>>,
    /// Names that bundling adds, and names of external modules, that are used.
    pub(crate) symbols: FxHashSet<SymbolRef>,
    /// Names of CommonJS modules that are variables.
    pub(crate) statics: BTreeMap<ModuleIndex, BTreeSet<SymbolRef>>,
    /// Exports of modules whose namespace object is used, and of entry points.
    pub(crate) exports: FxHashMap<ModuleIndex, Vec<(String, Binding)>>,
    /// External modules that are imported for their effects.
    pub(crate) externals: Vec<bool>,
    /// Modules that live dynamic imports load as chunks.
    pub(crate) dynamic_entries: BTreeSet<ModuleIndex>,
}

pub(crate) struct Shaker<'s, 'm> {
    pub(crate) modules: &'s [Module],
    pub(crate) wraps: &'s [Wrap],
    pub(crate) bindings: &'s [FxHashMap<SymbolIndex, Binding>],
    pub(crate) members: &'s [FxHashMap<(SymbolIndex, String), Binding>],
    pub(crate) binder: &'s mut Binder<'m>,
    pub(crate) live: Live,
    pub(crate) queue: Vec<(ModuleIndex, usize)>,
    /// Modules that dynamic imports load as chunks.
    pub(crate) split: &'s FxHashSet<ModuleIndex>,
    pub(crate) format: ModuleFormat,
}

impl Shaker<'_, '_> {
    /// Marks all that the entry points need.
    pub(crate) fn run(mut self, entries: &[ModuleIndex], externals: usize) -> Live {
        self.live.modules = vec![false; self.modules.len()];
        self.live.parts = self.modules.iter().map(|module| vec![false; module.parts.len()]).collect();
        self.live.externals = vec![false; externals];
        for &entry in entries {
            self.entry(entry);
        }
        while let Some((module, part)) = self.queue.pop() {
            self.visit_part(module, part);
        }
        self.live
    }

    /// An entry point: all its exports are used.
    fn entry(&mut self, entry: ModuleIndex) {
        self.module(entry);
        if self.wraps[entry] != Wrap::CommonJs {
            self.exports(entry);
            // They are copied to `module.exports`.
            if self.format == ModuleFormat::CommonJs {
                self.dynamic_stars(entry);
            }
        }
    }

    fn exports(&mut self, module: ModuleIndex) {
        if self.live.exports.contains_key(&module) {
            return;
        }
        self.live.exports.insert(module, Vec::new());
        let mut exports = Vec::new();
        for name in self.binder.export_names(module) {
            let found = self.binder.find_export(module, &name);
            if matches!(found, ResolvedExport::Missing | ResolvedExport::Ambiguous | ResolvedExport::Unknown)
            {
                continue;
            }
            let binding = self.binder.binding(module, &found);
            self.binding(&binding);
            exports.push((name, binding));
        }
        self.live.exports.insert(module, exports);
    }

    fn module(&mut self, module: ModuleIndex) {
        if std::mem::replace(&mut self.live.modules[module], true) {
            return;
        }
        let wrap = self.wraps[module];
        let is_whole = wrap != Wrap::None;
        for part in 0..self.modules[module].parts.len() {
            if is_whole || self.modules[module].parts[part].has_side_effects {
                self.part(module, part);
            }
        }
        if wrap == Wrap::Esm {
            self.symbol(SymbolRef::new(module, NAMESPACE));
        }
        for record in &self.modules[module].records {
            match record.target {
                _ if record.kind != RecordKind::Statement => {}
                RecordTarget::Module(target) if self.modules[target].side_effects => self.module(target),
                RecordTarget::External(index) => self.live.externals[index] = true,
                RecordTarget::Module(_) | RecordTarget::Unresolved => {}
            }
        }
        for &record in &self.modules[module].stars {
            if let RecordTarget::Module(target) = self.modules[module].records[record].target
                && is_whole
            {
                self.module(target);
            }
        }
    }

    fn part(&mut self, module: ModuleIndex, part: usize) {
        if !std::mem::replace(&mut self.live.parts[module][part], true) {
            self.queue.push((module, part));
        }
    }

    fn visit_part(&mut self, module: ModuleIndex, part: usize) {
        let part = &self.modules[module].parts[part];
        for &symbol in &part.uses {
            match self.bindings[module].get(&symbol) {
                Some(binding) => self.binding(binding),
                None => self.own_symbol(module, symbol),
            }
        }
        for (symbol, name) in &part.members {
            let key = (*symbol, name.clone());
            match self.members[module].get(&key).or_else(|| self.bindings[module].get(symbol)) {
                Some(binding) => self.binding(binding),
                None => self.own_symbol(module, *symbol),
            }
        }
        for &record in &part.records {
            self.record(module, record);
        }
    }

    fn own_symbol(&mut self, module: ModuleIndex, symbol: SymbolIndex) {
        let modules = self.modules;
        for &part in modules[module].declared.get(&symbol).into_iter().flatten() {
            self.part(module, part);
        }
    }

    /// A `require` call or a dynamic import.
    fn record(&mut self, module: ModuleIndex, record: usize) {
        let record = &self.modules[module].records[record];
        let RecordTarget::Module(target) = record.target else { return };
        match (record.kind, self.wraps[target]) {
            (RecordKind::Dynamic, _) if self.split.contains(&target) => {
                self.live.dynamic_entries.insert(target);
                self.entry(target);
                if !self.binder.dynamic_stars(target).is_empty() && self.wraps[target] != Wrap::CommonJs {
                    self.symbol(SymbolRef::new(target, NAMESPACE));
                }
            }
            (_, Wrap::CommonJs) => self.module(target),
            _ => self.symbol(SymbolRef::new(target, NAMESPACE)),
        }
    }

    fn binding(&mut self, binding: &Binding) {
        match binding {
            Binding::Symbol(symbol) | Binding::Member(symbol, _) => self.symbol(*symbol),
            Binding::Constant(_) | Binding::Undefined => {}
        }
    }

    fn symbol(&mut self, symbol: SymbolRef) {
        if symbol.module >= EXTERNAL {
            self.live.symbols.insert(symbol);
            return;
        }
        match symbol.symbol {
            NAMESPACE => {
                if self.live.symbols.insert(symbol) {
                    self.module(symbol.module);
                    self.exports(symbol.module);
                    self.dynamic_stars(symbol.module);
                }
            }
            INTEROP | INTEROP_NODE => {
                self.live.symbols.insert(symbol);
                self.module(symbol.module);
            }
            _ if symbol.is_static_member() => {
                if self.live.symbols.insert(symbol) {
                    self.live.statics.entry(symbol.module).or_default().insert(symbol);
                }
                self.module(symbol.module);
            }
            own => {
                self.module(symbol.module);
                self.own_symbol(symbol.module, own);
            }
        }
    }

    /// `export *` of modules whose names are known at run time alone.
    fn dynamic_stars(&mut self, module: ModuleIndex) {
        for (_, found) in self.binder.dynamic_stars(module) {
            let binding = self.binder.binding(module, &found);
            self.binding(&binding);
        }
    }
}
