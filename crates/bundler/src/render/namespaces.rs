//! Objects of all exports of modules that are not wrapped.

use std::fmt::Write as _;

use super::{Renderer, RuntimeFunctions};
use crate::module::ModuleIndex;
use crate::order::Item;
use crate::print;
use crate::references;
use crate::symbols::{NAMESPACE, SymbolRef};
use crate::wrap::Wrap;
use rustc_hash::FxHashSet;

impl Renderer<'_> {
    /// Objects that modules use before the place of their own module, as in cycles.
    pub(super) fn push_early_namespaces(&mut self) {
        let linked = self.linked;
        let modules: Vec<ModuleIndex> = self
            .chunk
            .items
            .iter()
            .filter_map(|ordered| match ordered.item {
                Item::Define(module) => Some(module),
                Item::Evaluate(_) => None,
            })
            .collect();
        let has_object = |module: &ModuleIndex| {
            linked.wraps[*module] == Wrap::None && linked.is_live(SymbolRef::new(*module, NAMESPACE))
        };
        let mut later: FxHashSet<ModuleIndex> = modules.iter().copied().filter(has_object).collect();
        let mut early = Vec::new();
        for &module in &modules {
            if later.is_empty() {
                break;
            }
            references::references(linked, module, &mut |symbol: SymbolRef| {
                if symbol.symbol == NAMESPACE && symbol.module != module && later.remove(&symbol.module) {
                    early.push(symbol.module);
                }
            });
            later.remove(&module);
        }
        for &module in &early {
            let text = self.namespace_object(module);
            self.push_added(&text);
        }
        self.early_namespaces = early;
    }

    /// What stands at the place of a module.
    pub(super) fn namespace(&mut self, module: ModuleIndex) -> String {
        let linked = self.linked;
        let symbol = SymbolRef::new(module, NAMESPACE);
        if !linked.is_live(symbol) || linked.wraps[module] == Wrap::CommonJs {
            return String::new();
        }
        let mut text = match self.early_namespaces.contains(&module) {
            true => String::new(),
            false => self.namespace_object(module),
        };
        let name = linked.name(symbol);
        for binding in linked.dynamic_stars.get(&module).into_iter().flatten() {
            self.helpers.add(RuntimeFunctions::RE_EXPORT);
            let _ = writeln!(text, "__reExport({name}, {});", linked.text(binding));
        }
        text
    }

    fn namespace_object(&mut self, module: ModuleIndex) -> String {
        let linked = self.linked;
        let name = linked.name(SymbolRef::new(module, NAMESPACE));
        let exports = linked.live.exports.get(&module).into_iter().flatten();
        let exports: Vec<(String, String)> =
            exports.map(|(name, binding)| (name.clone(), linked.text(binding))).collect();
        let mut text = format!("var {name} = {{}};\n");
        text.push_str(&print::export_call(name, &exports, "", &mut self.helpers));
        text
    }
}
