//! What the code of a module refers to outside of it. In: a linked module. Out: symbols of other
//! modules. Two uses: which modules a chunk needs, and what chunks import from each other.

use crate::link::Linked;
use crate::module::{ModuleIndex, RecordKind, RecordTarget};
use crate::order;
use crate::symbols::{Binding, INTEROP, INTEROP_NODE, LOADER, LOADER_NODE, NAMESPACE, SymbolRef, WRAPPER};
use crate::wrap::Wrap;

/// Symbols that the printed code of a module refers to.
pub(crate) fn references(linked: &Linked, module: ModuleIndex, visit: &mut impl FnMut(SymbolRef)) {
    let own = &linked.modules[module];
    let is_whole = linked.wraps[module] != Wrap::None;
    for (index, part) in own.parts.iter().enumerate() {
        if !is_whole && !linked.live.parts[module][index] {
            continue;
        }
        for symbol in &part.uses {
            if let Some(binding) = linked.bindings[module].get(symbol) {
                visit_binding(binding, visit);
            }
        }
        for member in &part.members {
            let known = linked.members[module].get(member);
            if let Some(binding) = known.or_else(|| linked.bindings[module].get(&member.0)) {
                visit_binding(binding, visit);
            }
        }
        for &record in &part.records {
            visit_record(linked, module, record, visit);
        }
    }
    if linked.is_live(SymbolRef::new(module, NAMESPACE)) {
        exports(linked, module, visit);
    }
    if is_whole && linked.live.modules[module] {
        for target in evaluated_by(linked, module) {
            evaluation(linked, target, visit);
        }
    }
}

/// Symbols that the exports of a module stand for.
pub(crate) fn exports(linked: &Linked, module: ModuleIndex, visit: &mut impl FnMut(SymbolRef)) {
    for (_, binding) in linked.live.exports.get(&module).into_iter().flatten() {
        visit_binding(binding, visit);
    }
    for binding in linked.dynamic_stars.get(&module).into_iter().flatten() {
        visit_binding(binding, visit);
    }
}

/// What the evaluation of a wrapped module refers to.
pub(crate) fn evaluation(linked: &Linked, module: ModuleIndex, visit: &mut impl FnMut(SymbolRef)) {
    match linked.wraps[module] {
        Wrap::None => {}
        Wrap::Esm => visit(SymbolRef::new(module, WRAPPER)),
        Wrap::CommonJs => {
            let mut is_interop = false;
            for (symbol, loader) in [(INTEROP, LOADER), (INTEROP_NODE, LOADER_NODE)] {
                if linked.is_live(SymbolRef::new(module, symbol)) {
                    visit(SymbolRef::new(module, loader));
                    is_interop = true;
                }
            }
            if !is_interop {
                visit(SymbolRef::new(module, WRAPPER));
            }
        }
    }
}

/// The modules that a wrapped module evaluates first, in order.
pub(crate) fn evaluated_by(linked: &Linked, module: ModuleIndex) -> Vec<ModuleIndex> {
    let mut found: Vec<ModuleIndex> = Vec::new();
    let mut interops = order::interops(linked, module);
    let mut add = |target: ModuleIndex| {
        if !found.contains(&target) {
            found.push(target);
        }
    };
    for (index, record) in linked.modules[module].records.iter().enumerate() {
        if let (RecordKind::Statement, RecordTarget::Module(target)) = (record.kind, &record.target)
            && linked.live.modules[*target]
        {
            add(*target);
        }
        interops.extract_if(.., |interop| interop.record == index).for_each(|one| add(one.module));
    }
    interops.into_iter().for_each(|one| add(one.module));
    found.retain(|&target| linked.wraps[target] != Wrap::None);
    found
}

fn visit_binding(binding: &Binding, visit: &mut impl FnMut(SymbolRef)) {
    match binding {
        Binding::Symbol(symbol) | Binding::Member(symbol, _) => visit(*symbol),
        Binding::Constant(_) | Binding::Undefined => {}
    }
}

/// A `require` call, or a dynamic import of a module that is in the same bundle.
fn visit_record(linked: &Linked, module: ModuleIndex, record: usize, visit: &mut impl FnMut(SymbolRef)) {
    let record = &linked.modules[module].records[record];
    let RecordTarget::Module(target) = record.target else { return };
    if record.kind == RecordKind::Statement || linked.is_split(record) {
        return;
    }
    if linked.wraps[target] != Wrap::None {
        visit(SymbolRef::new(target, WRAPPER));
    }
    if linked.wraps[target] != Wrap::CommonJs {
        visit(SymbolRef::new(target, NAMESPACE));
    }
}
