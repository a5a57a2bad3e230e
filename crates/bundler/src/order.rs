//! Order of evaluation: depth first, as ECMAScript evaluates modules. In: entry points. Out: items,
//! each either the place of a module, or a call of a wrapper that one of its importers makes.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::link::Linked;
use crate::module::{ImportRecord, ModuleIndex, ModuleKind, RecordKind, RecordTarget};
use crate::symbols::{Binding, INTEROP, INTEROP_NODE, NAMESPACE, SymbolRef};
use crate::wrap::Wrap;

/// A piece of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Item {
    /// The code of a module, or its wrapper.
    Define(ModuleIndex),
    /// The call of a wrapper.
    Evaluate(ModuleIndex),
}

/// An item, and the module at whose place it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrderedItem {
    pub(crate) item: Item,
    pub(crate) owner: ItemOwner,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ItemOwner {
    Module(ModuleIndex),
    /// The end of the chunk of this entry point.
    Entry(ModuleIndex),
}

/// All items from the entry points on. `wraps`: how modules are wrapped.
pub(crate) fn items(linked: &Linked, wraps: &[Wrap], entries: &[ModuleIndex]) -> Vec<OrderedItem> {
    let visited = vec![false; linked.modules.len()];
    let mut walk = OrderWalk {
        linked,
        wraps,
        visited,
        evaluated: FxHashSet::default(),
        items: Vec::new(),
        deferred: VecDeque::new(),
    };
    for &entry in entries {
        walk.visit(entry);
        if wraps[entry] == Wrap::Esm {
            walk.evaluate(entry, ItemOwner::Entry(entry));
        }
    }
    while let Some(module) = walk.deferred.pop_front() {
        walk.visit(module);
    }
    walk.items
}

struct OrderWalk<'l> {
    linked: &'l Linked,
    wraps: &'l [Wrap],
    visited: Vec<bool>,
    /// What was evaluated in which chunk.
    evaluated: FxHashSet<(Option<usize>, ModuleIndex)>,
    items: Vec<OrderedItem>,
    /// Modules of dynamic imports, which are visited last: what they import keeps its place.
    deferred: VecDeque<ModuleIndex>,
}

/// A module whose records are visited.
struct Frame {
    module: ModuleIndex,
    record: usize,
    interops: Vec<Interop>,
}

/// A CommonJS module that a module refers to, although it imports another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interop {
    /// The import by which it is reached.
    pub(crate) record: usize,
    pub(crate) module: ModuleIndex,
}

impl OrderWalk<'_> {
    /// Without recursion: chains of imports may be long.
    fn visit(&mut self, root: ModuleIndex) {
        let linked = self.linked;
        if std::mem::replace(&mut self.visited[root], true) {
            return;
        }
        let mut stack = vec![self.frame(root)];
        while let Some(frame) = stack.last_mut() {
            let (module, at) = (frame.module, frame.record);
            let Some(record) = linked.modules[module].records.get(at) else {
                for interop in std::mem::take(&mut frame.interops) {
                    self.evaluate(interop.module, ItemOwner::Module(module));
                }
                self.items.push(OrderedItem { item: Item::Define(module), owner: ItemOwner::Module(module) });
                stack.pop();
                continue;
            };
            let target = match record.target {
                RecordTarget::Module(target) if !self.is_evaluated_elsewhere(record, target) => target,
                _ => {
                    frame.record += 1;
                    continue;
                }
            };
            if record.kind == RecordKind::Dynamic && linked.defers_imports {
                self.deferred.push_back(target);
                frame.record += 1;
                continue;
            }
            if !std::mem::replace(&mut self.visited[target], true) {
                stack.push(self.frame(target));
                continue;
            }
            frame.record += 1;
            if record.kind == RecordKind::Statement && self.is_evaluated_by(module, target) {
                self.evaluate(target, ItemOwner::Module(module));
            }
            for interop in frame.interops.extract_if(.., |interop| interop.record == at) {
                self.evaluate(interop.module, ItemOwner::Module(module));
            }
        }
    }

    /// Whether a record says nothing of the order: a worker, a dynamic import of a chunk, or of a
    /// module that import statements evaluate.
    fn is_evaluated_elsewhere(&self, record: &ImportRecord, target: ModuleIndex) -> bool {
        let is_statement =
            self.wraps[target] == Wrap::None && self.linked.modules[target].kind != ModuleKind::Data;
        if record.kind == RecordKind::Worker {
            return true;
        }
        record.kind == RecordKind::Dynamic && (self.linked.is_split(record) || is_statement)
    }

    fn frame(&self, module: ModuleIndex) -> Frame {
        let is_wrapped = self.wraps[module] != Wrap::None;
        let interops = if is_wrapped { Vec::new() } else { interops(self.linked, module) };
        Frame { module, record: 0, interops }
    }

    /// Whether the import statement of a module that is not wrapped evaluates a wrapped one.
    fn is_evaluated_by(&self, module: ModuleIndex, target: ModuleIndex) -> bool {
        let linked = self.linked;
        if self.wraps[module] != Wrap::None
            || self.wraps[target] == Wrap::None
            || !linked.live.modules[target]
        {
            return false;
        }
        let is_used = |symbol| linked.is_live(SymbolRef::new(target, symbol));
        linked.live.modules[module] && linked.modules[target].side_effects
            || linked.live.statics.contains_key(&target)
            || is_used(INTEROP)
            || is_used(INTEROP_NODE)
            || self.wraps[target] == Wrap::Esm
    }

    fn evaluate(&mut self, module: ModuleIndex, owner: ItemOwner) {
        let chunk = self.linked.chunk_at(owner);
        if self.evaluated.insert((chunk, module)) {
            self.items.push(OrderedItem { item: Item::Evaluate(module), owner });
        }
    }
}

/// CommonJS modules that a module refers to through re-exports of others, which may not be in the
/// bundle.
pub(crate) fn interops(linked: &Linked, module: ModuleIndex) -> Vec<Interop> {
    let is_interop = |binding: &Binding| match binding {
        Binding::Symbol(symbol) | Binding::Member(symbol, _) => {
            symbol.is_interop() || symbol.is_static_member()
        }
        Binding::Constant(_) | Binding::Undefined => false,
    };
    let mut found: Vec<Interop> = Vec::new();
    let mut add = |record: usize, binding: &Binding| {
        let (Binding::Symbol(symbol) | Binding::Member(symbol, _)) = binding else { return };
        let interop = Interop { record, module: symbol.module };
        if is_interop(binding) && linked.is_live(*symbol) && !found.contains(&interop) {
            found.push(interop);
        }
    };
    let own = &linked.modules[module];
    for (symbol, binding) in &linked.bindings[module] {
        add(own.imports.get(symbol).map_or(usize::MAX, |import| import.record), binding);
    }
    for ((symbol, _), binding) in &linked.members[module] {
        add(own.imports.get(symbol).map_or(usize::MAX, |import| import.record), binding);
    }
    let has_namespace = linked.is_live(SymbolRef::new(module, NAMESPACE));
    if has_namespace || linked.entries.contains(&module) {
        for (name, binding) in linked.live.exports.get(&module).into_iter().flatten() {
            let record = match own.exports.get(name) {
                Some(crate::module::Export::From { record, .. }) => *record,
                _ => usize::MAX,
            };
            add(record, binding);
        }
    }
    found.sort_unstable_by_key(|interop| (interop.record, interop.module));
    found
}
