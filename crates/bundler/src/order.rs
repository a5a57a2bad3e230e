//! Order of modules in a chunk: that of their evaluation, depth first. In: entry points. Out: where
//! each module is defined, and where wrapped ones are evaluated.

use std::collections::HashSet;

use crate::link::Linked;
use crate::module::{ModuleIndex, RecordKind, RecordTarget};
use crate::symbols::{INTEROP, INTEROP_NODE, SymbolRef};
use crate::wrap::Wrap;

/// A piece of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// The code of a module, or its wrapper.
    Define(ModuleIndex),
    /// The call of a wrapper.
    Evaluate(ModuleIndex),
}

/// All items from the entry points on.
pub(crate) fn items(linked: &Linked, entries: &[ModuleIndex]) -> Vec<Item> {
    let mut walk =
        OrderWalk { linked, visited: HashSet::new(), evaluated: HashSet::new(), items: Vec::new() };
    for &entry in entries {
        walk.visit(entry);
        if linked.wraps[entry] == Wrap::Esm {
            walk.evaluate(entry);
        }
    }
    walk.items
}

struct OrderWalk<'l> {
    linked: &'l Linked,
    visited: HashSet<ModuleIndex>,
    evaluated: HashSet<ModuleIndex>,
    items: Vec<Item>,
}

/// A module whose records are visited.
struct Frame {
    module: ModuleIndex,
    record: usize,
}

impl OrderWalk<'_> {
    /// Without recursion: chains of imports may be long.
    fn visit(&mut self, root: ModuleIndex) {
        let linked = self.linked;
        if !self.visited.insert(root) {
            return;
        }
        let mut stack = vec![Frame { module: root, record: 0 }];
        while let Some(frame) = stack.last_mut() {
            let (module, at) = (frame.module, frame.record);
            let Some(record) = linked.modules[module].records.get(at) else {
                self.items.push(Item::Define(module));
                stack.pop();
                continue;
            };
            let RecordTarget::Module(target) = record.target else {
                frame.record += 1;
                continue;
            };
            if self.visited.insert(target) {
                stack.push(Frame { module: target, record: 0 });
                continue;
            }
            frame.record += 1;
            if record.kind == RecordKind::Statement && self.is_evaluated_by(module, target) {
                self.evaluate(target);
            }
        }
    }

    /// Whether the import statement of a module that is not wrapped evaluates a wrapped one.
    fn is_evaluated_by(&self, module: ModuleIndex, target: ModuleIndex) -> bool {
        let linked = self.linked;
        if linked.wraps[module] != Wrap::None
            || linked.wraps[target] == Wrap::None
            || !linked.live.modules[target]
        {
            return false;
        }
        let is_used = |symbol| linked.is_live(SymbolRef::new(target, symbol));
        linked.live.modules[module] && linked.modules[target].side_effects
            || is_used(INTEROP)
            || is_used(INTEROP_NODE)
            || linked.wraps[target] == Wrap::Esm
    }

    fn evaluate(&mut self, module: ModuleIndex) {
        if self.evaluated.insert(module) {
            self.items.push(Item::Evaluate(module));
        }
    }
}
