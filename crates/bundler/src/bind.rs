//! Binding of imports to exports, as ECMAScript's ResolveExport: through re-exports, `export *` and
//! cycles. In: all modules. Out: what each imported name stands for. Absent: which of it is used.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::module::{Export, ImportedName, Module, ModuleIndex, RecordTarget};
use crate::options::ModuleFormat;
use crate::static_members::StaticMembers;
use crate::symbols::{Binding, EXTERNAL, INTEROP, INTEROP_NODE, NAMESPACE, SymbolIndex, SymbolRef};
use crate::wrap::Wrap;

/// What an export is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ResolvedExport {
    /// A symbol, and the name under which its own module exports it.
    Symbol(SymbolRef, String),
    Namespace(ModuleIndex),
    /// A CommonJS module as this importer sees it; `None`: the whole.
    CommonJs {
        importer: ModuleIndex,
        module: ModuleIndex,
        name: Option<String>,
    },
    External(usize, ImportedName, ModuleIndex),
    /// A name that the namespace object has at run time, or has not.
    Dynamic(ModuleIndex, String),
    Missing,
    Ambiguous,
    /// The record has no target: an error was reported.
    Unknown,
}

pub(crate) struct Binder<'m> {
    modules: &'m [Module],
    wraps: &'m [Wrap],
    format: ModuleFormat,
    statics: &'m StaticMembers,
    known: FxHashMap<(ModuleIndex, String), ResolvedExport>,
    /// Names that are imported from each external module.
    pub(crate) external_names: Vec<Vec<String>>,
}

impl<'m> Binder<'m> {
    pub(crate) fn new(
        modules: &'m [Module],
        wraps: &'m [Wrap],
        externals: usize,
        format: ModuleFormat,
        statics: &'m StaticMembers,
    ) -> Binder<'m> {
        let external_names = vec![Vec::new(); externals];
        Binder { modules, wraps, format, statics, known: FxHashMap::default(), external_names }
    }

    /// What a name stands for that a module imports by one of its records.
    pub(crate) fn find_import(
        &mut self,
        importer: ModuleIndex,
        record: usize,
        imported: &ImportedName,
    ) -> ResolvedExport {
        self.import(importer, record, imported, &mut Vec::new())
    }

    /// What a module exports under a name.
    pub(crate) fn find_export(&mut self, module: ModuleIndex, name: &str) -> ResolvedExport {
        self.export(module, name, &mut Vec::new())
    }

    fn import(
        &mut self,
        importer: ModuleIndex,
        record: usize,
        imported: &ImportedName,
        path: &mut Vec<(ModuleIndex, String)>,
    ) -> ResolvedExport {
        let module = match self.modules[importer].records[record].target {
            RecordTarget::Unresolved => return ResolvedExport::Unknown,
            RecordTarget::External(index) => {
                return ResolvedExport::External(index, imported.clone(), importer);
            }
            RecordTarget::Module(module) => module,
        };
        if self.wraps[module] == Wrap::CommonJs {
            let name = match imported {
                ImportedName::Namespace => None,
                ImportedName::Name(name) => Some(name.clone()),
            };
            return ResolvedExport::CommonJs { importer, module, name };
        }
        match imported {
            ImportedName::Namespace => ResolvedExport::Namespace(module),
            ImportedName::Name(name) => self.export(module, name, path),
        }
    }

    fn export(
        &mut self,
        module: ModuleIndex,
        name: &str,
        path: &mut Vec<(ModuleIndex, String)>,
    ) -> ResolvedExport {
        // Most names are those of the module itself.
        let own = &self.modules[module];
        if let Some(Export::Local(symbol)) = own.exports.get(name)
            && !own.imports.contains_key(symbol)
        {
            return ResolvedExport::Symbol(SymbolRef::new(module, *symbol), name.to_owned());
        }
        let key = (module, name.to_owned());
        if let Some(found) = self.known.get(&key) {
            return found.clone();
        }
        if path.contains(&key) {
            return ResolvedExport::Missing;
        }
        path.push(key.clone());
        let found = self.export_uncached(module, name, path);
        path.pop();
        // Within a cycle the result may depend on where the search began.
        if path.is_empty() || !matches!(found, ResolvedExport::Missing) {
            self.known.insert(key, found.clone());
        }
        found
    }

    fn export_uncached(
        &mut self,
        module: ModuleIndex,
        name: &str,
        path: &mut Vec<(ModuleIndex, String)>,
    ) -> ResolvedExport {
        let modules = self.modules;
        match modules[module].exports.get(name) {
            Some(Export::Local(symbol)) => match modules[module].imports.get(symbol) {
                Some(import) => self.import(module, import.record, &import.imported, path),
                None => ResolvedExport::Symbol(SymbolRef::new(module, *symbol), name.to_owned()),
            },
            Some(Export::From { record, imported, .. }) => self.import(module, *record, imported, path),
            None if name == "default" => ResolvedExport::Missing,
            None => self.star(module, name, path),
        }
    }

    /// `export *`: the only one of all that has the name.
    fn star(
        &mut self,
        module: ModuleIndex,
        name: &str,
        path: &mut Vec<(ModuleIndex, String)>,
    ) -> ResolvedExport {
        let modules = self.modules;
        let imported = ImportedName::Name(name.to_owned());
        let (mut result, mut dynamic) = (ResolvedExport::Missing, Vec::new());
        for &record in &modules[module].stars {
            match self.import(module, record, &imported, path) {
                ResolvedExport::Missing => {}
                ResolvedExport::Ambiguous => return ResolvedExport::Ambiguous,
                found @ (ResolvedExport::CommonJs { .. }
                | ResolvedExport::External(..)
                | ResolvedExport::Dynamic(..)
                | ResolvedExport::Unknown) => {
                    dynamic.push(found);
                }
                found if result == ResolvedExport::Missing || result == found => result = found,
                _ => return ResolvedExport::Ambiguous,
            }
        }
        match (result, dynamic.len()) {
            (ResolvedExport::Missing, 1) => dynamic.remove(0),
            (ResolvedExport::Missing, 2..) => ResolvedExport::Dynamic(module, name.to_owned()),
            (result, _) => result,
        }
    }

    /// `export *` of modules whose names are known at run time alone, through those of ES modules,
    /// each with the module that has the statement.
    pub(crate) fn dynamic_stars(&mut self, module: ModuleIndex) -> Vec<(ModuleIndex, ResolvedExport)> {
        let (mut found, mut visited, mut queue) = (Vec::new(), vec![module], vec![module]);
        while let Some(importer) = queue.pop() {
            for &record in &self.modules[importer].stars {
                let star = self.find_import(importer, record, &ImportedName::Namespace);
                match star {
                    ResolvedExport::CommonJs { .. } | ResolvedExport::External(..) => {
                        found.push((importer, star));
                    }
                    ResolvedExport::Namespace(target) if !visited.contains(&target) => {
                        visited.push(target);
                        queue.push(target);
                    }
                    _ => {}
                }
            }
        }
        found
    }

    /// All names that a module exports, sorted; `default` of `export *` is left out.
    pub(crate) fn export_names(&self, module: ModuleIndex) -> Vec<String> {
        let mut names = std::collections::BTreeSet::new();
        let mut visited = FxHashSet::default();
        self.add_names(module, true, &mut names, &mut visited);
        names.into_iter().collect()
    }

    fn add_names(
        &self,
        module: ModuleIndex,
        with_default: bool,
        names: &mut std::collections::BTreeSet<String>,
        visited: &mut FxHashSet<ModuleIndex>,
    ) {
        if !visited.insert(module) {
            return;
        }
        let own = self.modules[module].exports.keys();
        names.extend(own.filter(|name| with_default || *name != "default").cloned());
        for &record in &self.modules[module].stars {
            if let RecordTarget::Module(target) = self.modules[module].records[record].target
                && self.wraps[target] != Wrap::CommonJs
            {
                self.add_names(target, false, names, visited);
            }
        }
    }

    /// How a module other than the one that declares it refers to an export.
    pub(crate) fn binding(&mut self, user: ModuleIndex, found: &ResolvedExport) -> Binding {
        match found {
            ResolvedExport::Symbol(symbol, name) => match self.wraps[symbol.module] {
                Wrap::Esm if symbol.module != user => {
                    Binding::Member(SymbolRef::new(symbol.module, NAMESPACE), name.clone())
                }
                _ => Binding::Symbol(*symbol),
            },
            ResolvedExport::Namespace(module) => Binding::Symbol(SymbolRef::new(*module, NAMESPACE)),
            ResolvedExport::CommonJs { importer, module, name } => {
                match name.as_ref().and_then(|name| self.statics.find(*module, name)) {
                    Some(member) => Binding::Symbol(member),
                    None => member_of(SymbolRef::new(*module, self.interop(*importer)), name.as_ref()),
                }
            }
            ResolvedExport::External(index, imported, importer) => self.external(*index, imported, *importer),
            ResolvedExport::Dynamic(module, name) => {
                Binding::Member(SymbolRef::new(*module, NAMESPACE), name.clone())
            }
            ResolvedExport::Missing | ResolvedExport::Ambiguous | ResolvedExport::Unknown => {
                Binding::Undefined
            }
        }
    }

    fn interop(&self, importer: ModuleIndex) -> SymbolIndex {
        if self.modules[importer].is_node_mode { INTEROP_NODE } else { INTEROP }
    }

    fn external(&mut self, index: usize, imported: &ImportedName, importer: ModuleIndex) -> Binding {
        let module = EXTERNAL + index;
        match (self.format, imported) {
            (ModuleFormat::Esm, ImportedName::Namespace) => {
                Binding::Symbol(SymbolRef::new(module, NAMESPACE))
            }
            (ModuleFormat::Esm, ImportedName::Name(name)) => {
                let names = &mut self.external_names[index];
                let at = names.iter().position(|known| known == name).unwrap_or_else(|| {
                    names.push(name.clone());
                    names.len() - 1
                });
                Binding::Symbol(SymbolRef::new(module, at as SymbolIndex))
            }
            (_, imported) => {
                let name = match imported {
                    ImportedName::Namespace => None,
                    ImportedName::Name(name) => Some(name),
                };
                member_of(SymbolRef::new(module, self.interop(importer)), name)
            }
        }
    }
}

fn member_of(object: SymbolRef, name: Option<&String>) -> Binding {
    match name {
        None => Binding::Symbol(object),
        Some(name) => Binding::Member(object, name.clone()),
    }
}
