//! Imports of external modules at the top of a chunk.

use std::fmt::Write as _;

use rusk_npm::json;

use super::{Renderer, RuntimeFunctions};
use crate::names;
use crate::options::ModuleFormat;
use crate::print;
use crate::symbols::{Binding, EXTERNAL, INTEROP, INTEROP_NODE, NAMESPACE, SymbolIndex, SymbolRef};

impl Renderer<'_> {
    /// Import statements, and variables that are declared below the helper functions.
    pub(super) fn externals(&mut self) -> (String, String) {
        let (mut imports, mut values) = (String::new(), String::new());
        for &index in &self.chunk.externals {
            match self.options.format {
                ModuleFormat::Esm => imports.push_str(&self.import_statements(index)),
                ModuleFormat::CommonJs | ModuleFormat::Iife => {
                    values.push_str(&self.require_variables(index))
                }
            }
        }
        imports.push_str(&self.star_exports());
        (imports, values)
    }

    /// The name of a symbol that the chunk uses.
    fn external_name(&self, index: usize, symbol: SymbolIndex) -> Option<&String> {
        let symbol = SymbolRef::new(EXTERNAL + index, symbol);
        self.linked.names.get(&symbol).filter(|_| self.chunk.external_symbols.contains(&symbol))
    }

    fn import_statements(&self, index: usize) -> String {
        let linked = self.linked;
        let external = &linked.externals[index];
        let mut specifier = String::new();
        json::quote_into(&mut specifier, &external.specifier);
        let attribute = external.attribute.as_ref().map(|kind| format!(" with {{ type: \"{kind}\" }}"));
        let end = format!("{specifier}{};\n", attribute.unwrap_or_default());
        let mut text = String::new();
        if let Some(name) = self.external_name(index, NAMESPACE) {
            let _ = write!(text, "import * as {name} from {end}");
        }
        let names = linked.external_names[index].iter().enumerate().filter_map(|(at, name)| {
            let local = self.external_name(index, at as SymbolIndex)?;
            Some((name, local))
        });
        let (default, named): (Vec<_>, Vec<_>) = names.partition(|(name, _)| *name == "default");
        let mut clauses: Vec<String> = default.iter().map(|(_, local)| (*local).clone()).collect();
        if !named.is_empty() {
            let named: Vec<String> = named
                .iter()
                .map(|(name, local)| match name == local {
                    true => (*name).clone(),
                    false => format!("{} as {local}", export_name(name)),
                })
                .collect();
            clauses.push(format!("{{ {} }}", named.join(", ")));
        }
        if !clauses.is_empty() {
            let _ = write!(text, "import {} from {end}", clauses.join(", "));
        }
        let is_builtin = rusk_modules::builtins::find(&external.specifier).is_some();
        if text.is_empty() && linked.live.externals[index] && !is_builtin {
            let _ = write!(text, "import {end}");
        }
        text
    }

    fn require_variables(&mut self, index: usize) -> String {
        let linked = self.linked;
        let external = &linked.externals[index];
        let mut specifier = String::new();
        json::quote_into(&mut specifier, &external.specifier);
        let require = match self.options.format {
            ModuleFormat::CommonJs => "require",
            _ => "__require",
        };
        let mut text = String::new();
        for (symbol, mode) in [(INTEROP, ""), (INTEROP_NODE, ", 1")] {
            if let Some(name) = linked.names.get(&SymbolRef::new(EXTERNAL + index, symbol)) {
                self.helpers.add(RuntimeFunctions::TO_ESM);
                let _ = writeln!(text, "var {name} = __toESM({require}({specifier}){mode});");
            }
        }
        if text.is_empty() && linked.live.externals[index] {
            let _ = writeln!(text, "{require}({specifier});");
        }
        if !text.is_empty() && require == "__require" {
            self.helpers.add(RuntimeFunctions::REQUIRE);
        }
        text
    }

    /// `export * from` external modules of an entry point.
    fn star_exports(&self) -> String {
        let linked = self.linked;
        let Some(entry) = self.chunk.entry.filter(|_| self.options.format == ModuleFormat::Esm) else {
            return String::new();
        };
        let mut text = String::new();
        for binding in linked.dynamic_stars.get(&entry).into_iter().flatten() {
            if let Binding::Symbol(symbol) = binding
                && let Some(index) = symbol.external()
            {
                let mut specifier = String::new();
                json::quote_into(&mut specifier, &linked.externals[index].specifier);
                let _ = writeln!(text, "export * from {specifier};");
            }
        }
        text
    }
}

/// A name in an import or export clause.
pub(super) fn export_name(name: &str) -> String {
    match name == "default" || names::is_identifier(name) {
        true => name.to_owned(),
        false => print::property_key(name),
    }
}
