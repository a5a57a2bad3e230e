//! Chunks: which modules go into which output file, and the names that symbols have there. In:
//! linked modules. Out: chunks with their items in order; names that no two symbols share.

use std::collections::HashMap;

use crate::link::Linked;
use crate::module::ModuleIndex;
use crate::names::{self, NameSet};
use crate::options::BundleOptions;
use crate::order::{self, Item};
use crate::symbols::{DEFAULT, EXTERNAL, INTEROP, INTEROP_NODE, NAMESPACE, SymbolIndex, SymbolRef, WRAPPER};
use crate::wrap::Wrap;

/// An output file with code.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) entry: Option<ModuleIndex>,
    pub(crate) items: Vec<Item>,
}

pub(crate) fn chunks(linked: &Linked, _options: &BundleOptions) -> Vec<Chunk> {
    let chunk = |&entry: &ModuleIndex| Chunk { entry: Some(entry), items: order::items(linked, &[entry]) };
    linked.entries.iter().map(chunk).collect()
}

/// Names of all symbols that stand in the scope of a chunk.
pub(crate) fn names(linked: &Linked) -> HashMap<SymbolRef, String> {
    let mut namer = Namer { linked, set: NameSet::default(), names: HashMap::new() };
    let live = (0..linked.modules.len()).filter(|&module| linked.is_printed(module));
    for module in live {
        for name in &linked.modules[module].globals {
            namer.set.reserve(name);
        }
    }
    for chunk in &linked.chunks {
        for item in &chunk.items {
            if let Item::Define(module) = item {
                namer.add_module(*module);
            }
        }
    }
    for index in 0..linked.externals.len() {
        namer.add_external(index);
    }
    namer.names
}

struct Namer<'l> {
    linked: &'l Linked,
    set: NameSet,
    names: HashMap<SymbolRef, String>,
}

impl Namer<'_> {
    fn add(&mut self, symbol: SymbolRef, wanted: &str) {
        let name = self.set.unique(wanted);
        self.names.insert(symbol, name);
    }

    fn add_module(&mut self, module: ModuleIndex) {
        let linked = self.linked;
        let of = |symbol| SymbolRef::new(module, symbol);
        let base = names::of_path(&linked.modules[module].name);
        if linked.is_live(of(NAMESPACE)) {
            self.add(of(NAMESPACE), &format!("exports_{base}"));
        }
        for symbol in [INTEROP, INTEROP_NODE] {
            if linked.is_live(of(symbol)) {
                self.add(of(symbol), &format!("import_{base}"));
            }
        }
        match linked.wraps[module] {
            Wrap::CommonJs => self.add(of(WRAPPER), &format!("require_{base}")),
            Wrap::Esm => self.add(of(WRAPPER), &format!("init_{base}")),
            Wrap::None => self.add_own_symbols(module, &base),
        }
    }

    /// The symbols of a module that is not wrapped, if they are declared by a live statement.
    fn add_own_symbols(&mut self, module: ModuleIndex, base: &str) {
        let linked = self.linked;
        let declared = &linked.modules[module].declared;
        let is_live = |symbol: &SymbolIndex| {
            declared
                .get(symbol)
                .is_some_and(|parts| parts.iter().any(|&part| linked.live.parts[module][part]))
        };
        for (symbol, name) in &linked.modules[module].root_symbols {
            if is_live(symbol) {
                self.add(SymbolRef::new(module, *symbol), name);
            }
        }
        if is_live(&DEFAULT) {
            self.add(SymbolRef::new(module, DEFAULT), &format!("{base}_default"));
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
                self.add(symbol, &names::to_identifier(wanted));
            }
        }
        for symbol in [NAMESPACE, INTEROP, INTEROP_NODE] {
            if linked.is_live(of(symbol)) {
                self.add(of(symbol), &format!("import_{base}"));
            }
        }
    }
}
