//! Linking: binds imports, shakes the tree, orders and names what is left. In: modules as scanned.
//! Out: [`Linked`], with which each module can be printed alone; or errors.

use std::collections::{HashMap, HashSet};

use crate::bind::{Binder, ResolvedExport};
use crate::chunk::{self, Chunk};
use crate::diagnostic::Diagnostic;
use crate::live::{Live, Shaker};
use crate::module::{
    Export, External, ImportedName, Module, ModuleIndex, ModuleKind, RecordKind, RecordTarget,
};
use crate::options::{BundleOptions, ModuleFormat};
use crate::problem;
use crate::symbols::{Binding, NAMESPACE, SymbolIndex, SymbolRef};
use crate::wrap::{self, Wrap};

/// All that is known of a bundle besides the code.
#[derive(Debug)]
pub(crate) struct Linked {
    pub(crate) modules: Vec<Module>,
    pub(crate) externals: Vec<External>,
    pub(crate) external_names: Vec<Vec<String>>,
    pub(crate) entries: Vec<ModuleIndex>,
    pub(crate) wraps: Vec<Wrap>,
    pub(crate) is_async: Vec<bool>,
    /// What imported symbols stand for.
    pub(crate) bindings: Vec<HashMap<SymbolIndex, Binding>>,
    /// What members of namespaces stand for.
    pub(crate) members: Vec<HashMap<(SymbolIndex, String), Binding>>,
    pub(crate) live: Live,
    pub(crate) chunks: Vec<Chunk>,
    /// Final names of symbols in the scope of a chunk; unique in all chunks.
    pub(crate) names: HashMap<SymbolRef, String>,
    /// `export *` of modules whose names are known at run time alone.
    pub(crate) dynamic_stars: HashMap<ModuleIndex, Vec<Binding>>,
    pub(crate) format: ModuleFormat,
}

impl Linked {
    /// Whether some code of the module is in the bundle.
    pub(crate) fn is_printed(&self, module: ModuleIndex) -> bool {
        self.wraps[module] != Wrap::None && self.live.modules[module]
            || self.live.parts[module].iter().any(|live| *live)
    }

    /// The source text of a reference.
    pub(crate) fn text(&self, binding: &Binding) -> String {
        match binding {
            Binding::Symbol(symbol) => self.name(*symbol).to_owned(),
            Binding::Member(symbol, name) => member(self.name(*symbol), name),
            Binding::Undefined => "undefined".to_owned(),
        }
    }

    pub(crate) fn name(&self, symbol: SymbolRef) -> &str {
        self.names.get(&symbol).map_or("undefined", String::as_str)
    }

    pub(crate) fn is_live(&self, symbol: SymbolRef) -> bool {
        self.live.symbols.contains(&symbol)
    }
}

/// `object.name`, or `object["name"]`.
pub(crate) fn member(object: &str, name: &str) -> String {
    match oxc::syntax::identifier::is_identifier_name(name) {
        true => format!("{object}.{name}"),
        false => {
            let mut text = format!("{object}[");
            rusk_npm::json::quote_into(&mut text, name);
            text.push(']');
            text
        }
    }
}

pub(crate) fn link(
    modules: Vec<Module>,
    externals: Vec<External>,
    entries: Vec<ModuleIndex>,
    options: &BundleOptions,
) -> Result<Linked, Vec<Diagnostic>> {
    let wraps = wrap::wraps(&modules, &entries, options.splitting);
    let is_async = wrap::asynchronous(&modules);
    let mut errors = await_errors(&modules, &is_async, options.format);
    let mut binder = Binder::new(&modules, &wraps, externals.len(), options.format);
    let bindings = bind_imports(&modules, &mut binder, &mut errors);
    check_exports(&modules, &mut binder, &mut errors);
    let members = bind_members(&modules, &bindings, &wraps, &mut binder);
    let dynamic_stars = dynamic_stars(&modules, &mut binder);
    if !errors.is_empty() {
        return Err(errors);
    }
    let shaker = Shaker {
        modules: &modules,
        wraps: &wraps,
        bindings: &bindings,
        members: &members,
        binder: &mut binder,
        live: Live::default(),
        queue: Vec::new(),
        splitting: options.splitting,
    };
    let live = shaker.run(&entries, externals.len());
    let external_names = binder.external_names;
    let mut linked = Linked {
        modules,
        externals,
        external_names,
        entries,
        wraps,
        is_async,
        bindings,
        members,
        live,
        chunks: Vec::new(),
        names: HashMap::new(),
        dynamic_stars,
        format: options.format,
    };
    linked.chunks = chunk::chunks(&linked, options);
    linked.names = chunk::names(&linked);
    Ok(linked)
}

fn bind_imports(
    modules: &[Module],
    binder: &mut Binder<'_>,
    errors: &mut Vec<Diagnostic>,
) -> Vec<HashMap<SymbolIndex, Binding>> {
    let mut all = Vec::with_capacity(modules.len());
    for (index, module) in modules.iter().enumerate() {
        let mut bindings = HashMap::with_capacity(module.imports.len());
        let mut imports: Vec<_> = module.imports.iter().collect();
        imports.sort_unstable_by_key(|(symbol, _)| **symbol);
        for (&symbol, import) in imports {
            let found = binder.find_import(index, import.record, &import.imported);
            if let (ResolvedExport::Missing | ResolvedExport::Ambiguous, ImportedName::Name(name)) =
                (&found, &import.imported)
            {
                errors.push(no_export(modules, index, import.record, name, &import.span, &found));
            }
            bindings.insert(symbol, binder.binding(index, &found));
        }
        all.push(bindings);
    }
    all
}

/// Re-exports of names that do not exist; in TypeScript they may be types.
fn check_exports(modules: &[Module], binder: &mut Binder<'_>, errors: &mut Vec<Diagnostic>) {
    for (index, module) in modules.iter().enumerate() {
        for export in module.exports.values() {
            if let Export::From { record, imported, span } = export
                && let ImportedName::Name(name) = imported
                && !module.features.has_types
            {
                let found = binder.find_import(index, *record, imported);
                if matches!(found, ResolvedExport::Missing | ResolvedExport::Ambiguous) {
                    errors.push(no_export(modules, index, *record, name, span, &found));
                }
            }
        }
    }
}

fn no_export(
    modules: &[Module],
    importer: ModuleIndex,
    record: usize,
    name: &str,
    span: &std::ops::Range<u32>,
    found: &ResolvedExport,
) -> Diagnostic {
    let importer = &modules[importer];
    let RecordTarget::Module(target) = importer.records[record].target else {
        return problem::no_export(&importer.records[record].specifier, name, None);
    };
    let target = &modules[target];
    let similar = target.exports.keys().find(|known| known.eq_ignore_ascii_case(name) && *known != name);
    let hint = match similar {
        Some(known) => Some(format!("it exports `{known}`")),
        None if name == "default" && !target.exports.is_empty() => {
            let names: Vec<String> =
                target.exports.keys().take(5).map(|known| format!("`{known}`")).collect();
            Some(format!("it exports {}", names.join(", ")))
        }
        None => None,
    };
    let diagnostic = match found {
        ResolvedExport::Ambiguous => problem::ambiguous_export(&target.name, name),
        _ => problem::no_export(&target.name, name, hint),
    };
    let source = std::fs::read_to_string(&importer.path).unwrap_or_default();
    diagnostic.at(&importer.name, &source, span.clone())
}

/// Members of namespaces that are known before the program runs.
fn bind_members(
    modules: &[Module],
    bindings: &[HashMap<SymbolIndex, Binding>],
    wraps: &[Wrap],
    binder: &mut Binder<'_>,
) -> Vec<HashMap<(SymbolIndex, String), Binding>> {
    let mut all = Vec::with_capacity(modules.len());
    for (index, module) in modules.iter().enumerate() {
        let mut members = HashMap::new();
        let mut unknown: HashSet<(SymbolIndex, &str)> = HashSet::new();
        for (symbol, name) in module.parts.iter().flat_map(|part| &part.members) {
            let key = (*symbol, name.clone());
            if members.contains_key(&key) || unknown.contains(&(*symbol, name.as_str())) {
                continue;
            }
            let found = match bindings[index].get(symbol) {
                Some(Binding::Symbol(SymbolRef { module: target, symbol: NAMESPACE }))
                    if *target < modules.len() && wraps[*target] == Wrap::None =>
                {
                    binder.find_export(*target, name)
                }
                _ => ResolvedExport::Unknown,
            };
            match found {
                ResolvedExport::Missing
                | ResolvedExport::Ambiguous
                | ResolvedExport::Unknown
                | ResolvedExport::Dynamic(..) => {
                    unknown.insert((*symbol, name));
                }
                found => {
                    members.insert(key, binder.binding(index, &found));
                }
            }
        }
        all.push(members);
    }
    all
}

fn dynamic_stars(modules: &[Module], binder: &mut Binder<'_>) -> HashMap<ModuleIndex, Vec<Binding>> {
    let mut stars = HashMap::new();
    for (index, module) in modules.iter().enumerate() {
        let mut bindings = Vec::new();
        for &record in &module.stars {
            let found = binder.find_import(index, record, &ImportedName::Namespace);
            if matches!(found, ResolvedExport::CommonJs { .. } | ResolvedExport::External(..)) {
                bindings.push(binder.binding(index, &found));
            }
        }
        if !bindings.is_empty() {
            stars.insert(index, bindings);
        }
    }
    stars
}

/// Top-level await where the program cannot wait.
fn await_errors(modules: &[Module], is_async: &[bool], format: ModuleFormat) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for (index, module) in modules.iter().enumerate() {
        if module.kind == ModuleKind::Esm
            && module.features.has_top_level_await
            && format != ModuleFormat::Esm
        {
            errors.push(problem::await_format(&module.name));
        }
        for record in &module.records {
            if let (RecordKind::Require, RecordTarget::Module(target)) = (record.kind, &record.target)
                && is_async[*target]
                && index != *target
            {
                let source = std::fs::read_to_string(&module.path).unwrap_or_default();
                let diagnostic = problem::await_required(&modules[*target].name);
                errors.push(diagnostic.at(&module.name, &source, record.span.clone()));
            }
        }
    }
    errors
}
