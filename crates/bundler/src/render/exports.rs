//! Exports of an entry point.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rusk_npm::json;

use super::externals::export_name;
use super::{Renderer, RuntimeFunctions, plain_name, unique};
use crate::link::member;
use crate::module::{Module, ModuleIndex, RecordTarget};
use crate::names;
use crate::options::{BuildTarget, ModuleFormat};
use crate::print;
use crate::symbols::{Binding, NAMESPACE, SymbolRef, WRAPPER};
use crate::wrap::Wrap;

/// The name of the object of all exports, where a chunk exports it.
pub(crate) const EXPORTED_OBJECT: &str = "__namespace";

/// The export of an ES module that `require` returns, if it has one, as in Node.
pub(crate) const REQUIRED_EXPORT: &str = "module.exports";

impl Renderer<'_> {
    /// Exports that are set before the program runs, as cycles through `require` need them.
    pub(super) fn early_exports(&mut self) -> String {
        let linked = self.linked;
        let Some(entry) = self.chunk.entry else { return String::new() };
        if self.options.format != ModuleFormat::CommonJs || linked.wraps[entry] != Wrap::None {
            return String::new();
        }
        let stars: Vec<Binding> = linked.dynamic_stars.get(&entry).cloned().unwrap_or_default();
        let exports = linked.live.exports.get(&entry).into_iter().flatten();
        let exports: Vec<(String, String)> =
            exports.map(|(name, binding)| (name.clone(), linked.text(binding))).collect();
        if exports.is_empty() && stars.is_empty() {
            return String::new();
        }
        self.helpers.add(RuntimeFunctions::DEFINE_MODULE);
        let mut text = "__defineModule(module.exports);\n".to_owned();
        text.push_str(&print::export_call("module.exports", &exports, "", &mut self.helpers));
        text
    }

    /// What follows the code of the modules.
    pub(super) fn tail(&mut self) -> String {
        let linked = self.linked;
        let Some(entry) = self.chunk.entry else { return String::new() };
        let name = |symbol| linked.name(SymbolRef::new(entry, symbol));
        match (linked.wraps[entry], self.options.format) {
            (Wrap::CommonJs, ModuleFormat::Esm) => self.cjs_exports(entry),
            (Wrap::CommonJs, ModuleFormat::CommonJs) => format!("module.exports = {}();\n", name(WRAPPER)),
            (Wrap::CommonJs, ModuleFormat::Iife) => format!("{}();\n", name(WRAPPER)),
            (Wrap::Esm, ModuleFormat::CommonJs) if self.has_required_export(entry) => {
                format!("module.exports = {};\n", member(name(NAMESPACE), REQUIRED_EXPORT))
            }
            (Wrap::Esm, ModuleFormat::CommonJs) => {
                self.helpers.add(RuntimeFunctions::TO_COMMON_JS);
                format!("module.exports = __toCommonJS({});\n", name(NAMESPACE))
            }
            (_, ModuleFormat::Esm) => self.export_clause(),
            (Wrap::None, ModuleFormat::CommonJs) => self.star_calls() + &self.required_export(entry),
            (_, ModuleFormat::Iife) => String::new(),
        }
    }

    /// `module.exports` as the default export, and its members that are known as named ones.
    fn cjs_exports(&self, entry: ModuleIndex) -> String {
        let linked = self.linked;
        let wrapper = linked.name(SymbolRef::new(entry, WRAPPER));
        let names = cjs_export_names(&linked.modules, entry);
        if names.is_empty() {
            return format!("export default {wrapper}();\n");
        }
        let (object, mut clauses) = ("__export_default", vec!["__export_default as default".to_owned()]);
        let mut text = format!("var {object} = {wrapper}();\n");
        for (index, exported) in names.iter().enumerate() {
            let local = format!("__export_{index}");
            let _ = writeln!(text, "var {local} = {};", member(object, exported));
            clauses.push(format!("{local} as {}", export_name(exported)));
        }
        let _ = writeln!(text, "export {{\n  {}\n}};", clauses.join(",\n  "));
        text
    }

    /// Never evaluated: Node finds in such a text the names that an ES module can import.
    pub(super) fn name_annotation(&self) -> String {
        let linked = self.linked;
        let is_seen =
            self.options.format == ModuleFormat::CommonJs && self.options.target != BuildTarget::Browser;
        let Some(entry) = self.chunk.entry.filter(|&entry| is_seen && !self.has_required_export(entry))
        else {
            return String::new();
        };
        let exports = linked.live.exports.get(&entry).into_iter().flatten();
        let names = match linked.wraps[entry] {
            Wrap::CommonJs => cjs_export_names(&linked.modules, entry),
            Wrap::Esm | Wrap::None => exports.map(|(name, _)| name.as_str()).collect(),
        };
        // Node always has these.
        let names = names.into_iter().filter(|name| !matches!(*name, "default" | "__esModule"));
        // What Node cannot read ends the list.
        let (plain, other): (Vec<&str>, Vec<&str>) = names.partition(|name| names::is_identifier(name));
        let mut members: Vec<String> = plain.into_iter().map(str::to_owned).collect();
        for binding in linked.dynamic_stars.get(&entry).into_iter().flatten() {
            if let Binding::Symbol(symbol) = binding
                && let Some(external) = symbol.external()
            {
                let mut required = "...require(".to_owned();
                json::quote_into(&mut required, &linked.externals[external].specifier);
                members.push(required + ")");
            }
        }
        members.extend(other.into_iter().map(|name| format!("{}: null", print::property_key(name))));
        match (members.is_empty(), self.options.minify.whitespace) {
            (true, _) => String::new(),
            (false, true) => format!("0&&(module.exports={{{}}});\n", members.join(",")),
            (false, false) => format!("0 && (module.exports = {{\n  {}\n}});\n", members.join(",\n  ")),
        }
    }

    fn has_required_export(&self, entry: ModuleIndex) -> bool {
        self.linked.modules[entry].exports.contains_key(REQUIRED_EXPORT)
    }

    fn required_export(&self, entry: ModuleIndex) -> String {
        let mut exports = self.linked.live.exports.get(&entry).into_iter().flatten();
        let required = exports.find(|(name, _)| name == REQUIRED_EXPORT);
        required.map_or_else(String::new, |(_, binding)| {
            format!("module.exports = {};\n", self.linked.text(binding))
        })
    }

    fn star_calls(&mut self) -> String {
        let linked = self.linked;
        let mut text = String::new();
        for binding in self.chunk.entry.iter().flat_map(|entry| linked.dynamic_stars.get(entry)).flatten() {
            self.helpers.add(RuntimeFunctions::RE_EXPORT);
            let _ = writeln!(text, "__reExport(module.exports, {});", linked.text(binding));
        }
        text
    }

    fn export_clause(&mut self) -> String {
        let linked = self.linked;
        let Some(entry) = self.chunk.entry else { return String::new() };
        let is_wrapped = linked.wraps[entry] == Wrap::Esm;
        let namespace = linked.name(SymbolRef::new(entry, NAMESPACE));
        let exports = linked.live.exports.get(&entry).into_iter().flatten();
        let (mut text, mut clauses) = (String::new(), Vec::new());
        for (index, (name, binding)) in exports.enumerate() {
            match plain_name(linked, binding).filter(|_| !is_wrapped) {
                Some(local) if local == name => clauses.push(local.to_owned()),
                Some(local) => clauses.push(format!("{local} as {}", export_name(name))),
                None => {
                    let local = format!("__export_{index}");
                    let value = match is_wrapped {
                        true => member(namespace, name),
                        false => linked.text(binding),
                    };
                    let _ = writeln!(text, "var {local} = {value};");
                    clauses.push(format!("{local} as {}", export_name(name)));
                }
            }
        }
        if linked.exports_object(entry) {
            clauses.push(format!("{namespace} as {EXPORTED_OBJECT}"));
        }
        let clauses = unique(clauses.into_iter());
        if !clauses.is_empty() {
            let _ = writeln!(text, "export {{\n  {}\n}};", clauses.join(",\n  "));
        }
        text
    }
}

/// Names that a CommonJS module exports, through `module.exports = require('…')`; none if they are
/// not known.
fn cjs_export_names(modules: &[Module], entry: ModuleIndex) -> BTreeSet<&str> {
    let mut module = entry;
    // A chain that is longer than this is a cycle.
    for _ in 0..modules.len() {
        let Some(known) = &modules[module].common_js else { break };
        let Some(record) = known.redirect else {
            let names = known.names.iter().map(String::as_str);
            return names.filter(|name| !matches!(*name, "default" | "__esModule")).collect();
        };
        let Some(RecordTarget::Module(target)) =
            modules[module].records.get(record).map(|record| &record.target)
        else {
            break;
        };
        module = *target;
    }
    BTreeSet::new()
}
