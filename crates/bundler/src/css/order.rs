//! Order of stylesheets in an output: that of the imports of the program, then of `@import`, where
//! the last mention of a file counts (<https://drafts.csswg.org/css-cascade/#at-import>). In:
//! linked modules. Out: pieces in order, each with its conditions.

use super::Condition;
use crate::link::Linked;
use crate::module::{Module, ModuleIndex, RecordTarget};
use rustc_hash::FxHashSet;

/// A piece of a stylesheet.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) content: PieceContent,
    /// The outermost one first.
    pub(crate) conditions: Vec<Condition>,
}

#[derive(Clone, Debug)]
pub(crate) enum PieceContent {
    File(ModuleIndex),
    /// `@import` of something that is not bundled.
    External(String),
    /// `@layer` names, which keep the order of layers.
    Layers(Vec<String>),
}

/// Stylesheets that an entry point imports, itself included, in order of evaluation.
pub(crate) fn roots(linked: &Linked, entry: ModuleIndex) -> Vec<ModuleIndex> {
    let mut visited = FxHashSet::from_iter([entry]);
    let mut roots = Vec::new();
    let mut stack = vec![(entry, 0)];
    while let Some(frame) = stack.last_mut() {
        let (module, at) = *frame;
        let Some(record) = linked.modules[module].records.get(at) else {
            if linked.modules[module].css.is_some() {
                roots.push(module);
            }
            stack.pop();
            continue;
        };
        frame.1 += 1;
        if let RecordTarget::Module(target) = record.target
            && linked.live.modules[target]
            && visited.insert(target)
        {
            stack.push((target, 0));
        }
    }
    roots
}

/// A file to visit, with the files that lead to it.
struct SheetVisit {
    module: ModuleIndex,
    conditions: Vec<Condition>,
    path: Vec<ModuleIndex>,
}

/// All pieces from the roots on. The walk goes backwards, so that the first visit is that of the
/// last mention.
pub(crate) fn pieces(modules: &[Module], roots: &[ModuleIndex]) -> Vec<Piece> {
    let visit = |&module| OrderStep::File(SheetVisit { module, conditions: Vec::new(), path: Vec::new() });
    let mut stack: Vec<OrderStep> = roots.iter().map(visit).collect();
    let mut seen: FxHashSet<(ModuleIndex, Vec<Condition>)> = FxHashSet::default();
    let mut pieces = Vec::new();
    while let Some(step) = stack.pop() {
        let visit = match step {
            OrderStep::Piece(piece) => {
                pieces.push(piece);
                continue;
            }
            OrderStep::File(visit) => visit,
        };
        if visit.path.contains(&visit.module) {
            continue;
        }
        let is_again = seen.contains(&(visit.module, Vec::new()));
        if is_again || !seen.insert((visit.module, visit.conditions.clone())) {
            pieces.extend(layer_of(&visit.conditions));
            continue;
        }
        let conditions = visit.conditions.clone();
        pieces.push(Piece { content: PieceContent::File(visit.module), conditions });
        add_imports(&modules[visit.module], &visit, &mut stack);
    }
    pieces.reverse();
    pieces
}

enum OrderStep {
    File(SheetVisit),
    Piece(Piece),
}

fn add_imports(module: &Module, visit: &SheetVisit, stack: &mut Vec<OrderStep>) {
    let Some(css) = &module.css else { return };
    for reference in &css.composed {
        if let Some(target) = reference.target {
            let path = visit.path.iter().copied().chain([visit.module]).collect();
            stack.push(OrderStep::File(SheetVisit {
                module: target,
                conditions: visit.conditions.clone(),
                path,
            }));
        }
    }
    for import in &css.imports {
        let mut conditions = visit.conditions.clone();
        if !import.layers_before.is_empty() {
            let content = PieceContent::Layers(import.layers_before.clone());
            stack.push(OrderStep::Piece(Piece { content, conditions: conditions.clone() }));
        }
        if !import.condition.is_empty() {
            conditions.push(import.condition.clone());
        }
        stack.push(match import.reference.target {
            Some(target) => {
                let path = visit.path.iter().copied().chain([visit.module]).collect();
                OrderStep::File(SheetVisit { module: target, conditions, path })
            }
            None => {
                let url = format!("{}{}", import.reference.specifier, import.reference.suffix);
                OrderStep::Piece(Piece { content: PieceContent::External(url), conditions })
            }
        });
    }
}

/// A mention that does not count still declares its layer.
fn layer_of(conditions: &[Condition]) -> Option<Piece> {
    let (last, outer) = conditions.split_last()?;
    let name = last.layer.clone().filter(|name| !name.is_empty())?;
    Some(Piece { content: PieceContent::Layers(vec![name]), conditions: outer.to_vec() })
}
