//! Imports and exports between chunks, and the functions that several chunks share, which are a
//! chunk of their own.

use std::fmt::Write as _;

use rusk_npm::json;

use super::externals::export_name;
use super::{Renderer, RuntimeFunctions};
use crate::chunk::ChunkIndex;
use crate::chunk_files;
use crate::link::Linked;
use crate::options::BundleOptions;
use crate::symbols::SymbolRef;
use rustc_hash::FxHashMap;

/// Functions that are imported instead of being in each chunk.
#[derive(Debug, Default)]
pub(crate) struct SharedFunctions {
    pub(crate) functions: RuntimeFunctions,
    /// The chunk that exports them.
    chunk: ChunkIndex,
}

impl SharedFunctions {
    /// Those that two chunks or more need.
    pub(crate) fn new(linked: &Linked, needs: &[RuntimeFunctions]) -> SharedFunctions {
        SharedFunctions { functions: RuntimeFunctions::in_several(needs), chunk: linked.chunks.len() }
    }

    /// The chunk's code, if there is such a chunk.
    pub(crate) fn code(&self, options: &BundleOptions) -> Option<String> {
        let names = self.functions.names();
        if names.is_empty() {
            return None;
        }
        let clauses: Vec<String> =
            names.iter().enumerate().map(|(at, name)| clause(name, &alias(options, at, name))).collect();
        let code = self.functions.text(options);
        Some(format!("{code}\nexport {{ {} }};\n", clauses.join(", ")))
    }
}

impl Renderer<'_> {
    /// Import statements of other chunks. Functions that are shared are not in this one then.
    pub(super) fn chunk_imports(&mut self, shared: &SharedFunctions) -> String {
        let (linked, options) = (self.linked, self.options);
        let mut text = String::new();
        let own = self.helpers.intersection(&shared.functions);
        let names = shared.functions.names();
        let used: Vec<String> = names
            .iter()
            .enumerate()
            .filter(|(_, name)| own.names().contains(name))
            .map(|(at, name)| clause(&alias(options, at, name), name))
            .collect();
        if !used.is_empty() {
            text.push_str(&self.import(shared.chunk, &used));
            self.helpers.remove(&own);
        }
        for import in &self.chunk.imports {
            let aliases = aliases(linked, import.chunk, options);
            let clauses: Vec<String> = import
                .symbols
                .iter()
                .filter_map(|symbol| Some(clause(aliases.get(symbol)?, linked.names.get(symbol)?)))
                .collect();
            text.push_str(&self.import(import.chunk, &clauses));
        }
        text
    }

    fn import(&self, chunk: ChunkIndex, clauses: &[String]) -> String {
        let mut text = match clauses.is_empty() {
            true => "import ".to_owned(),
            false => format!("import {{ {} }} from ", clauses.join(", ")),
        };
        json::quote_into(&mut text, &chunk_files::specifier(self.linked, self.index, chunk));
        text.push_str(";\n");
        text
    }

    /// What other chunks import from this one.
    pub(super) fn chunk_exports(&self) -> String {
        let aliases = aliases(self.linked, self.index, self.options);
        let names = self
            .chunk
            .exports
            .iter()
            .filter_map(|symbol| Some(clause(self.linked.names.get(symbol)?, aliases.get(symbol)?)));
        let clauses: Vec<String> = names.collect();
        let mut text = String::new();
        if !clauses.is_empty() {
            let _ = writeln!(text, "export {{\n  {}\n}};", clauses.join(",\n  "));
        }
        text
    }
}

/// The names under which a chunk exports symbols.
fn aliases(linked: &Linked, chunk: ChunkIndex, options: &BundleOptions) -> FxHashMap<SymbolRef, String> {
    let exports = linked.chunks[chunk].exports.iter().enumerate();
    exports.map(|(at, symbol)| (*symbol, alias(options, at, linked.name(*symbol)))).collect()
}

/// A short name where names are made short.
fn alias(options: &BundleOptions, index: usize, name: &str) -> String {
    const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if !options.minify.identifiers {
        return name.to_owned();
    }
    let (mut short, mut rest) = (String::new(), index);
    loop {
        short.push(char::from(LETTERS[rest % LETTERS.len()]));
        rest /= LETTERS.len();
        if rest == 0 {
            return short;
        }
        rest -= 1;
    }
}

/// `from as to`
fn clause(from: &str, to: &str) -> String {
    match from == to {
        true => from.to_owned(),
        false => format!("{} as {}", export_name(from), export_name(to)),
    }
}
