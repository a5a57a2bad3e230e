//! Chunks: which modules go into which output file, what chunks import from each other, and the
//! names that symbols have there. In: linked modules. Out: chunks with their items in order; names
//! that no two symbols share.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::link::Linked;
use crate::module::{Module, ModuleIndex, RecordKind, RecordTarget};
use crate::names::{self, NameSet};
use crate::options::BundleOptions;
use crate::order::{self, Item, OrderedItem};
use crate::references;
use crate::render::RuntimeFunctions;
use crate::short_names::{self, Uses};
use crate::split::{self, EntrySet};
use crate::symbols::{
    DEFAULT, EXTERNAL, INTEROP, INTEROP_NODE, LOADER, LOADER_NODE, NAMESPACE, SymbolIndex, SymbolRef, WRAPPER,
};
use crate::wrap::Wrap;

/// An index of the list of chunks.
pub(crate) type ChunkIndex = usize;

/// An output file with code.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    /// The module whose exports the chunk has.
    pub(crate) entry: Option<ModuleIndex>,
    /// The entry point is one because of a dynamic import.
    pub(crate) is_dynamic: bool,
    pub(crate) items: Vec<OrderedItem>,
    pub(crate) imports: Vec<ChunkImport>,
    /// Symbols that other chunks import.
    pub(crate) exports: Vec<SymbolRef>,
    /// External modules, in the order of their imports.
    pub(crate) externals: Vec<usize>,
    /// Symbols of external modules that the chunk uses.
    pub(crate) external_symbols: BTreeSet<SymbolRef>,
}

/// An import of one chunk by another.
#[derive(Debug)]
pub(crate) struct ChunkImport {
    pub(crate) chunk: ChunkIndex,
    pub(crate) symbols: Vec<SymbolRef>,
}

/// Fills the fields of `linked` that are about chunks. `min_bytes`: smaller ones join others.
pub(crate) fn add_chunks(linked: &mut Linked, min_bytes: usize) {
    let sets = split::entry_sets(linked);
    let count = linked.entries.len();
    let user_entries = linked.user_entries;
    let mut by_set: BTreeMap<EntrySet, ChunkIndex> = BTreeMap::new();
    for (bit, &entry) in linked.entries.iter().enumerate() {
        by_set.insert(EntrySet::of(bit, count), linked.chunks.len());
        linked.entry_chunks.push(linked.chunks.len());
        let is_dynamic = bit >= user_entries;
        linked.chunks.push(Chunk { entry: Some(entry), is_dynamic, ..Chunk::default() });
    }
    let mut sets = sets;
    split::fold_small(linked, &mut sets, min_bytes);
    for (module, set) in sets.iter().enumerate() {
        let Some(set) = set else { continue };
        let next = linked.chunks.len();
        let chunk = *by_set.entry(set.clone()).or_insert(next);
        if chunk == next {
            linked.chunks.push(Chunk::default());
        }
        linked.chunk_of[module] = Some(chunk);
    }
    add_items(linked);
    add_imports(linked, &by_set);
}

/// One chunk with all modules.
pub(crate) fn add_single(linked: &mut Linked, entry: ModuleIndex) {
    linked.chunks.push(Chunk { entry: Some(entry), ..Chunk::default() });
    linked.entry_chunks.push(0);
    for (module, reached) in linked.reached.iter().enumerate() {
        linked.chunk_of[module] = reached.then_some(0);
    }
    add_items(linked);
    let count = linked.externals.len();
    let symbols = linked.live.symbols.iter().filter(|symbol| symbol.external().is_some());
    linked.chunks[0].external_symbols = symbols.copied().collect();
    linked.chunks[0].externals = (0..count).collect();
}

fn add_items(linked: &mut Linked) {
    for ordered in order::items(linked, &linked.wraps, &linked.entries) {
        if let Some(chunk) = linked.chunk_at(ordered.owner) {
            linked.chunks[chunk].items.push(ordered);
        }
    }
}

/// What a chunk needs of others.
#[derive(Default)]
struct Needs {
    symbols: BTreeSet<SymbolRef>,
    externals: Vec<usize>,
}

fn add_imports(linked: &mut Linked, sets: &BTreeMap<EntrySet, ChunkIndex>) {
    let needs: Vec<Needs> = (0..linked.chunks.len()).map(|chunk| needs(linked, chunk)).collect();
    let first = first_positions(linked);
    let has_effects: Vec<bool> = linked.chunks.iter().map(|chunk| has_effects(linked, chunk)).collect();
    let mut exports: Vec<BTreeSet<SymbolRef>> = vec![BTreeSet::new(); linked.chunks.len()];
    for (index, needs) in needs.into_iter().enumerate() {
        let mut imports: BTreeMap<ChunkIndex, Vec<SymbolRef>> = BTreeMap::new();
        let (outer, own): (Vec<_>, Vec<_>) =
            needs.symbols.into_iter().partition(|symbol| symbol.external().is_some());
        for symbol in own {
            if let Some(owner) = linked.chunk_of[symbol.module].filter(|&owner| owner != index) {
                imports.entry(owner).or_default().push(symbol);
                exports[owner].insert(symbol);
            }
        }
        if let Some(bit) = linked.entry_chunks.iter().position(|&chunk| chunk == index) {
            let loaded = sets.iter().filter(|(set, chunk)| set.contains(bit) && has_effects[**chunk]);
            for (_, &chunk) in loaded.filter(|(_, chunk)| **chunk != index) {
                imports.entry(chunk).or_default();
            }
        }
        let mut imports: Vec<ChunkImport> =
            imports.into_iter().map(|(chunk, symbols)| ChunkImport { chunk, symbols }).collect();
        imports.sort_by_key(|import| first[import.chunk]);
        let chunk = &mut linked.chunks[index];
        chunk.imports = imports;
        chunk.external_symbols = outer.into_iter().collect();
        chunk.externals = needs.externals;
    }
    for (chunk, exports) in linked.chunks.iter_mut().zip(exports) {
        chunk.exports = exports.into_iter().collect();
    }
}

fn needs(linked: &Linked, chunk: ChunkIndex) -> Needs {
    let mut needs = Needs::default();
    let symbols = &mut needs.symbols;
    let mut visit = |symbol: SymbolRef| {
        symbols.insert(symbol);
    };
    for ordered in &linked.chunks[chunk].items {
        match ordered.item {
            Item::Define(module) => references::references(linked, module, &mut visit),
            Item::Evaluate(module) => references::evaluation(linked, module, &mut visit),
        }
    }
    if let Some(entry) = linked.chunks[chunk].entry {
        references::exports(linked, entry, &mut visit);
        match linked.wraps[entry] {
            Wrap::None if linked.exports_object(entry) => visit(SymbolRef::new(entry, NAMESPACE)),
            Wrap::None => {}
            Wrap::CommonJs => visit(SymbolRef::new(entry, WRAPPER)),
            Wrap::Esm => visit(SymbolRef::new(entry, NAMESPACE)),
        }
    }
    let mut add = |external: usize| {
        if !needs.externals.contains(&external) {
            needs.externals.push(external);
        }
    };
    for ordered in &linked.chunks[chunk].items {
        let Item::Define(module) = ordered.item else { continue };
        for record in &linked.modules[module].records {
            if let (RecordKind::Statement, RecordTarget::External(index)) = (record.kind, &record.target)
                && linked.live.modules[module]
            {
                add(*index);
            }
        }
    }
    needs.symbols.iter().filter_map(|symbol| symbol.external()).for_each(add);
    needs
}

/// The place of the first module of each chunk in the order of the program.
fn first_positions(linked: &Linked) -> Vec<usize> {
    let mut first = vec![usize::MAX; linked.chunks.len()];
    let mut wraps = linked.wraps.clone();
    wraps.iter_mut().filter(|wrap| **wrap == Wrap::Esm).for_each(|wrap| *wrap = Wrap::None);
    for (at, ordered) in order::items(linked, &wraps, &linked.entries).iter().enumerate() {
        if let Some(chunk) = linked.chunk_at(ordered.owner) {
            first[chunk] = first[chunk].min(at);
        }
    }
    first
}

/// Whether loading a chunk does more than to declare things.
fn has_effects(linked: &Linked, chunk: &Chunk) -> bool {
    chunk.items.iter().any(|ordered| match ordered.item {
        Item::Evaluate(_) => true,
        Item::Define(module) => {
            let parts = linked.modules[module].parts.iter().zip(&linked.live.parts[module]);
            let has_import = |record: &crate::module::ImportRecord| {
                record.kind == RecordKind::Statement && matches!(record.target, RecordTarget::External(_))
            };
            linked.wraps[module] == Wrap::None
                && linked.live.modules[module]
                && (parts.into_iter().any(|(part, live)| *live && part.has_side_effects)
                    || linked.modules[module].records.iter().any(has_import))
        }
    })
}

/// Whether a chunk has code, or is an entry point.
pub(crate) fn is_written(linked: &Linked, chunk: &Chunk) -> bool {
    chunk.entry.is_some()
        || chunk.items.iter().any(|ordered| match ordered.item {
            Item::Evaluate(_) => true,
            Item::Define(module) => linked.is_printed(module),
        })
}

/// Functions that are called by these names until pieces get short ones.
const ADDED_FUNCTIONS: [&str; 5] = ["__require", "__toESM", "__toCommonJS", "__import_meta", "__isMain"];

/// Names all symbols that stand in the scope of a chunk, and the functions that bundling adds.
pub(crate) fn add_names(linked: &mut Linked, options: &BundleOptions) {
    let is_short = options.minify.identifiers;
    let mut namer =
        Namer { linked, is_short, set: NameSet::default(), names: FxHashMap::default(), later: Vec::new() };
    namer.add_all();
    let Namer { set, mut names, later, .. } = namer;
    let uses = if linked.is_minified { Uses::of(linked) } else { Uses::default() };
    let mut function_names = FxHashMap::default();
    if is_short {
        let functions = RuntimeFunctions::all_names(linked);
        let counts: Vec<u32> = later
            .iter()
            .map(|symbol| uses.counts.get(symbol).copied().unwrap_or(0) + 1)
            .chain(functions.iter().map(|(_, count)| *count))
            .collect();
        let mut short = short_names::assign(&counts, |name| set.is_used(name)).into_iter();
        names.extend(later.into_iter().zip(short.by_ref()));
        function_names = functions.into_iter().map(|(name, _)| name).zip(short).collect();
    }
    linked.names = names;
    let long = ADDED_FUNCTIONS.map(str::to_owned);
    linked.reserved_names = function_names.values().cloned().chain(long).collect();
    linked.function_names = function_names;
    linked.used_outside = uses.outside;
}

struct Namer<'l> {
    linked: &'l Linked,
    is_short: bool,
    set: NameSet,
    names: FxHashMap<SymbolRef, String>,
    /// Symbols that get short names when all are known.
    later: Vec<SymbolRef>,
}

impl Namer<'_> {
    fn add_all(&mut self) {
        let linked = self.linked;
        let namer = self;
        let live = (0..linked.modules.len()).filter(|&module| linked.is_printed(module));
        for module in live {
            for name in &linked.modules[module].globals {
                namer.set.reserve(name);
            }
        }
        let items = linked.chunks.iter().flat_map(|chunk| &chunk.items);
        let defined = items.filter_map(|ordered| match ordered.item {
            Item::Define(module) => Some(module),
            Item::Evaluate(_) => None,
        });
        // What `eval` may refer to keeps its name: others make way.
        let (fixed, others): (Vec<ModuleIndex>, Vec<ModuleIndex>) =
            defined.partition(|&module| linked.modules[module].features.has_direct_eval);
        fixed.into_iter().chain(others).for_each(|module| namer.add_module(module));
        for chunk in &linked.chunks {
            for symbol in chunk.exports.iter().filter(|symbol| matches!(symbol.symbol, LOADER | LOADER_NODE))
            {
                namer.add(*symbol, || format!("load_{}", base_of(&linked.modules[symbol.module])));
            }
        }
        for index in 0..linked.externals.len() {
            namer.add_external(index);
        }
    }

    /// `wanted`: the name where names are not short.
    fn add(&mut self, symbol: SymbolRef, wanted: impl FnOnce() -> String) {
        let is_own = symbol.external().is_none() && symbol.symbol < LOADER_NODE;
        // What `eval` may refer to keeps its name, and what programs may ask for theirs.
        let keeps_name = |module: &Module| module.uses("eval") || module.kept_names.contains(&symbol.symbol);
        if self.is_short && !(is_own && keeps_name(&self.linked.modules[symbol.module])) {
            self.later.push(symbol);
            return;
        }
        let name = self.set.unique(&wanted());
        self.names.insert(symbol, name);
    }

    fn add_module(&mut self, module: ModuleIndex) {
        let linked = self.linked;
        let of = |symbol| SymbolRef::new(module, symbol);
        let base = || base_of(&linked.modules[module]);
        if linked.is_live(of(NAMESPACE)) {
            self.add(of(NAMESPACE), || format!("exports_{}", base()));
        }
        for symbol in [INTEROP, INTEROP_NODE] {
            if linked.is_live(of(symbol)) {
                self.add(of(symbol), || format!("import_{}", base()));
            }
        }
        for symbol in linked.live.statics.get(&module).into_iter().flatten() {
            self.add(*symbol, || names::to_identifier(linked.statics.name(*symbol)));
        }
        match linked.wraps[module] {
            Wrap::CommonJs => self.add(of(WRAPPER), || format!("require_{}", base())),
            Wrap::Esm => self.add(of(WRAPPER), || format!("init_{}", base())),
            Wrap::None => self.add_own_symbols(module),
        }
    }

    /// The symbols of a module that is not wrapped, if they are declared by a live statement.
    fn add_own_symbols(&mut self, module: ModuleIndex) {
        let linked = self.linked;
        let declared = &linked.modules[module].declared;
        let is_live = |symbol: &SymbolIndex| {
            declared
                .get(symbol)
                .is_some_and(|parts| parts.iter().any(|&part| linked.live.parts[module][part]))
        };
        for (symbol, name) in &linked.modules[module].root_symbols {
            if is_live(symbol) {
                self.add(SymbolRef::new(module, *symbol), || name.clone());
            }
        }
        if is_live(&DEFAULT) {
            let base = || base_of(&linked.modules[module]);
            self.add(SymbolRef::new(module, DEFAULT), || format!("{}_default", base()));
        }
    }

    fn add_external(&mut self, index: usize) {
        let linked = self.linked;
        let base = names::to_identifier(&linked.externals[index].specifier.replace("node:", ""));
        let of = |symbol| SymbolRef::new(EXTERNAL + index, symbol);
        for (at, name) in linked.external_names[index].iter().enumerate() {
            let symbol = of(at as SymbolIndex);
            if linked.is_live(symbol) {
                let wanted = if name == "default" { &base } else { name };
                self.add(symbol, || names::to_identifier(wanted));
            }
        }
        for symbol in [NAMESPACE, INTEROP, INTEROP_NODE] {
            if linked.is_live(of(symbol)) {
                self.add(of(symbol), || format!("import_{base}"));
            }
        }
    }
}

/// What names that bundling adds for a module begin or end with.
fn base_of(module: &Module) -> String {
    names::of_path(&module.name)
}
