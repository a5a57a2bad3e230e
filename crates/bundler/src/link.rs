//! Linking: binds imports, shakes the tree, orders and names what is left. In: modules as scanned.
//! Out: [`Linked`], with which each module can be printed alone; or errors.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::bind::{Binder, ResolvedExport};
use crate::chunk::{self, Chunk, ChunkIndex};
use crate::diagnostic::Diagnostic;
use crate::early;
use crate::graph::Graph;
use crate::live::{Live, Shaker};
use crate::module::{
    Export, External, ImportRecord, ImportedName, Module, ModuleIndex, ModuleKind, RecordKind, RecordTarget,
};
use crate::options::{BuildTarget, BundleOptions, ModuleFormat};
use crate::order::ItemOwner;
use crate::problem;
use crate::split;
use crate::static_members::StaticMembers;
use crate::symbols::{Binding, NAMESPACE, SymbolIndex, SymbolRef};
use crate::wrap::{self, Wrap, WrapRules};

/// All that is known of a bundle besides the code.
#[derive(Debug)]
pub(crate) struct Linked {
    pub(crate) modules: Arc<Vec<Module>>,
    pub(crate) externals: Arc<Vec<External>>,
    pub(crate) external_names: Vec<Vec<String>>,
    /// Modules of this bundle.
    pub(crate) reached: Vec<bool>,
    /// Those of the user, then those that are imported dynamically.
    pub(crate) entries: Vec<ModuleIndex>,
    pub(crate) user_entries: usize,
    /// Modules that are loaded as chunks by dynamic imports.
    pub(crate) split: FxHashSet<ModuleIndex>,
    pub(crate) wraps: Vec<Wrap>,
    pub(crate) is_async: Vec<bool>,
    /// What imported symbols stand for.
    pub(crate) bindings: Vec<FxHashMap<SymbolIndex, Binding>>,
    /// What members of namespaces stand for.
    pub(crate) members: Vec<FxHashMap<(SymbolIndex, String), Binding>>,
    pub(crate) live: Live,
    pub(crate) chunks: Vec<Chunk>,
    /// The chunk of each entry point.
    pub(crate) entry_chunks: Vec<ChunkIndex>,
    pub(crate) chunk_of: Vec<Option<ChunkIndex>>,
    /// Relative to the output directory, with tokens for hashes.
    pub(crate) chunk_paths: Vec<PathBuf>,
    /// Where the files of workers are; relative to the output directory.
    pub(crate) worker_paths: FxHashMap<ModuleIndex, PathBuf>,
    pub(crate) public_path: String,
    /// Final names of symbols in the scope of a chunk; unique in all chunks.
    pub(crate) names: FxHashMap<SymbolRef, String>,
    /// Short names of the functions that bundling adds.
    pub(crate) function_names: FxHashMap<String, String>,
    /// Names of the functions that code of any module may be given calls of.
    pub(crate) reserved_names: FxHashSet<String>,
    /// Symbols that code outside of their module refers to. Known where code is minified.
    pub(crate) used_outside: FxHashSet<SymbolRef>,
    /// `export *` of modules whose names are known at run time alone.
    pub(crate) dynamic_stars: FxHashMap<ModuleIndex, Vec<Binding>>,
    pub(crate) statics: StaticMembers,
    /// Members of CommonJS modules that nothing reads.
    pub(crate) unused_members: FxHashMap<ModuleIndex, FxHashSet<String>>,
    pub(crate) format: ModuleFormat,
    pub(crate) target: BuildTarget,
    pub(crate) is_minified: bool,
    pub(crate) keep_names: bool,
    /// What is only imported dynamically stands behind all other code.
    pub(crate) defers_imports: bool,
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
            Binding::Constant(text) => text.clone(),
            Binding::Undefined => "undefined".to_owned(),
        }
    }

    /// As [`Linked::text`]: most references are names, which need no copy.
    pub(crate) fn short_text(&self, binding: &Binding) -> Cow<'_, str> {
        match binding {
            Binding::Symbol(symbol) => Cow::Borrowed(self.name(*symbol)),
            binding => Cow::Owned(self.text(binding)),
        }
    }

    pub(crate) fn name(&self, symbol: SymbolRef) -> &str {
        self.names.get(&symbol).map_or("undefined", String::as_str)
    }

    /// Whether a record is a dynamic import that loads a chunk.
    pub(crate) fn is_split(&self, record: &ImportRecord) -> bool {
        record.kind == RecordKind::Dynamic
            && matches!(record.target, RecordTarget::Module(target) if self.split.contains(&target))
    }

    /// Whether the chunk of a dynamic import exports an object, because some of its names are known
    /// at run time alone.
    pub(crate) fn exports_object(&self, module: ModuleIndex) -> bool {
        let is_own = |binding: &Binding| match binding {
            Binding::Symbol(symbol) | Binding::Member(symbol, _) => symbol.external().is_none(),
            Binding::Constant(_) | Binding::Undefined => false,
        };
        self.split.contains(&module)
            && self.wraps[module] != Wrap::CommonJs
            && !self.entries[..self.user_entries].contains(&module)
            && self.dynamic_stars.get(&module).is_some_and(|stars| stars.iter().any(is_own))
    }

    /// The chunk that a place is in.
    pub(crate) fn chunk_at(&self, owner: ItemOwner) -> Option<ChunkIndex> {
        match owner {
            ItemOwner::Module(module) => self.chunk_of[module],
            ItemOwner::Entry(entry) => self.entry_chunk(entry),
        }
    }

    /// The chunk that has the exports of an entry point.
    pub(crate) fn entry_chunk(&self, entry: ModuleIndex) -> Option<ChunkIndex> {
        let index = self.entries.iter().position(|&known| known == entry)?;
        self.entry_chunks.get(index).copied()
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

/// Links the modules that some entry points reach.
pub(crate) fn link(
    graph: &Graph,
    entries: &[ModuleIndex],
    options: &BundleOptions,
) -> Result<Linked, Vec<Diagnostic>> {
    let is_async = wrap::asynchronous(&graph.modules);
    let split = match options.splitting {
        true => split::dynamic_entries(graph, &is_async),
        false => FxHashSet::default(),
    };
    let base = LinkInput { graph, entries, reached: graph.reached(entries), is_async, split, options };
    let mut delayed: Vec<ModuleIndex> = Vec::new();
    let mut usual_wraps = None;
    loop {
        let mut linked = base.link(&delayed)?;
        let usual_wraps = usual_wraps.get_or_insert_with(|| linked.wraps.clone());
        match options.splitting {
            true => chunk::add_chunks(&mut linked, options.min_chunk_bytes),
            false => chunk::add_single(&mut linked, entries[0]),
        }
        let early = if options.splitting { early::early_modules(&linked, usual_wraps) } else { Vec::new() };
        if early.is_empty() {
            chunk::add_names(&mut linked, options);
            return Ok(linked);
        }
        delayed.extend(early);
    }
}

struct LinkInput<'l> {
    graph: &'l Graph,
    entries: &'l [ModuleIndex],
    reached: Vec<bool>,
    is_async: Vec<bool>,
    split: FxHashSet<ModuleIndex>,
    options: &'l BundleOptions,
}

impl LinkInput<'_> {
    /// All besides chunks and names. `delayed`: modules that are evaluated by their importers.
    fn link(&self, delayed: &[ModuleIndex]) -> Result<Linked, Vec<Diagnostic>> {
        let LinkInput { graph, entries, reached, is_async, options, .. } = self;
        let (modules, externals) = (&*graph.modules, graph.externals.len());
        let rules = WrapRules { entries, reached, splitting: options.splitting, is_async, delayed };
        let wraps = wrap::wraps(modules, &rules);
        let mut errors = await_errors(modules, reached, is_async, options.format);
        let statics = match options.minify.syntax && !options.splitting {
            true => StaticMembers::new(modules, reached, &wraps, entries),
            false => StaticMembers::default(),
        };
        let mut binder = Binder::new(modules, &wraps, externals, options.format, &statics);
        let mut bindings = bind_imports(modules, reached, &mut binder, &mut errors);
        check_exports(modules, reached, &mut binder, &mut errors);
        let mut members = bind_members(modules, &bindings, &wraps, &mut binder, &statics);
        if options.minify.syntax {
            add_enum_members(modules, &bindings, &mut members);
            bindings.iter_mut().flat_map(FxHashMap::values_mut).for_each(|one| inline(modules, one));
            members.iter_mut().flat_map(FxHashMap::values_mut).for_each(|one| inline(modules, one));
        }
        let dynamic_stars = dynamic_stars(modules, &mut binder);
        if !errors.is_empty() {
            return Err(errors);
        }
        let shaker = Shaker {
            modules,
            wraps: &wraps,
            bindings: &bindings,
            members: &members,
            binder: &mut binder,
            live: Live::default(),
            queue: Vec::new(),
            split: &self.split,
            format: options.format,
        };
        let live = shaker.run(entries, externals);
        let external_names = binder.external_names;
        let unused_members = statics.unused(modules, reached, &live);
        let dynamic = live.dynamic_entries.iter().copied().filter(|entry| !entries.contains(entry));
        Ok(Linked {
            modules: graph.modules.clone(),
            externals: graph.externals.clone(),
            external_names,
            reached: reached.clone(),
            entries: entries.iter().copied().chain(dynamic).collect(),
            user_entries: entries.len(),
            split: self.split.clone(),
            wraps,
            is_async: is_async.clone(),
            bindings,
            members,
            live,
            chunks: Vec::new(),
            entry_chunks: Vec::new(),
            chunk_of: vec![None; modules.len()],
            chunk_paths: Vec::new(),
            worker_paths: FxHashMap::default(),
            public_path: options.public_path.clone(),
            names: FxHashMap::default(),
            function_names: FxHashMap::default(),
            reserved_names: FxHashSet::default(),
            used_outside: FxHashSet::default(),
            dynamic_stars,
            statics,
            unused_members,
            format: options.format,
            target: options.target,
            is_minified: options.minify.is_any(),
            keep_names: options.keep_names,
            defers_imports: !options.splitting && wrap::defers_imports(entries, is_async),
        })
    }
}

/// Replaces a constant by its value.
fn inline(modules: &[Module], binding: &mut Binding) {
    if let Binding::Symbol(symbol) = binding
        && symbol.external().is_none()
        && let Some(text) = modules[symbol.module].constants.get(&symbol.symbol)
    {
        *binding = Binding::Constant(text.clone());
    }
}

fn bind_imports(
    modules: &[Module],
    reached: &[bool],
    binder: &mut Binder<'_>,
    errors: &mut Vec<Diagnostic>,
) -> Vec<FxHashMap<SymbolIndex, Binding>> {
    let mut all = Vec::with_capacity(modules.len());
    for (index, module) in modules.iter().enumerate() {
        let mut bindings = FxHashMap::with_capacity_and_hasher(module.imports.len(), FxBuildHasher);
        if !reached[index] {
            all.push(bindings);
            continue;
        }
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
fn check_exports(
    modules: &[Module],
    reached: &[bool],
    binder: &mut Binder<'_>,
    errors: &mut Vec<Diagnostic>,
) {
    for (index, module) in modules.iter().enumerate().filter(|(index, _)| reached[*index]) {
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
    bindings: &[FxHashMap<SymbolIndex, Binding>],
    wraps: &[Wrap],
    binder: &mut Binder<'_>,
    statics: &StaticMembers,
) -> Vec<FxHashMap<(SymbolIndex, String), Binding>> {
    let mut all = Vec::with_capacity(modules.len());
    for (index, module) in modules.iter().enumerate() {
        let mut members = FxHashMap::default();
        let mut unknown: FxHashSet<(SymbolIndex, &str)> = FxHashSet::default();
        for (symbol, name) in module.parts.iter().flat_map(|part| &part.members) {
            let key = (*symbol, name.clone());
            if members.contains_key(&key) || unknown.contains(&(*symbol, name.as_str())) {
                continue;
            }
            let member = match bindings[index].get(symbol) {
                Some(Binding::Symbol(object)) if object.is_interop() => statics.find(object.module, name),
                Some(Binding::Member(object, default)) if object.is_interop() && default == "default" => {
                    statics.find_of_default(object.module, name)
                }
                _ => None,
            };
            if let Some(member) = member {
                members.insert(key, Binding::Symbol(member));
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

/// Members of enums are their values.
fn add_enum_members(
    modules: &[Module],
    bindings: &[FxHashMap<SymbolIndex, Binding>],
    members: &mut [FxHashMap<(SymbolIndex, String), Binding>],
) {
    let declared = |module: ModuleIndex, symbol: SymbolIndex| match bindings[module].get(&symbol) {
        Some(Binding::Symbol(target)) if target.external().is_none() => Some(*target),
        None => Some(SymbolRef::new(module, symbol)),
        _ => None,
    };
    let all = modules.iter().enumerate();
    let changed: FxHashSet<SymbolRef> = all
        .flat_map(|(index, module)| module.changed_objects.iter().map(move |symbol| (index, *symbol)))
        .filter_map(|(index, symbol)| declared(index, symbol))
        .collect();
    for (index, module) in modules.iter().enumerate() {
        for (symbol, name) in module.parts.iter().flat_map(|part| &part.members) {
            let Some(declared) = declared(index, *symbol).filter(|object| !changed.contains(object)) else {
                continue;
            };
            let values = modules[declared.module].enums.get(&declared.symbol);
            if let Some(value) = values.and_then(|values| values.get(name)) {
                members[index].insert((*symbol, name.clone()), Binding::Constant(value.clone()));
            }
        }
    }
}

fn dynamic_stars(modules: &[Module], binder: &mut Binder<'_>) -> FxHashMap<ModuleIndex, Vec<Binding>> {
    let mut stars = FxHashMap::default();
    for index in (0..modules.len()).filter(|&index| !modules[index].stars.is_empty()) {
        let mut bindings: Vec<Binding> = Vec::new();
        for (_, found) in binder.dynamic_stars(index) {
            let binding = binder.binding(index, &found);
            if !bindings.contains(&binding) {
                bindings.push(binding);
            }
        }
        if !bindings.is_empty() {
            stars.insert(index, bindings);
        }
    }
    stars
}

/// Top-level await where the program cannot wait.
fn await_errors(
    modules: &[Module],
    reached: &[bool],
    is_async: &[bool],
    format: ModuleFormat,
) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for (index, module) in modules.iter().enumerate().filter(|(index, _)| reached[*index]) {
        if module.kind == ModuleKind::Esm
            && module.features.has_top_level_await
            && format != ModuleFormat::Esm
        {
            errors.push(problem::await_format(&module.name));
        }
        for record in &module.records {
            let cannot_wait = match record.kind {
                RecordKind::Require => true,
                RecordKind::Statement => module.kind == ModuleKind::CommonJs,
                RecordKind::Dynamic | RecordKind::Worker => false,
            };
            if let RecordTarget::Module(target) = &record.target
                && cannot_wait
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
