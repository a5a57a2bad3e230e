//! Modules that chunks would evaluate too early. An entry point's chunk is evaluated after all that
//! it imports, so a module that moved to a common chunk runs before those that the program runs
//! first. In: linked modules in chunks. Out: modules that must be wrapped, so that their importer
//! evaluates them at its place.

use rustc_hash::FxHashSet;

use crate::link::Linked;
use crate::module::{ModuleIndex, ModuleKind};
use crate::order::{self, Item, ItemOwner, OrderedItem};
use crate::references;
use crate::wrap::Wrap;

/// An evaluation, and the module at whose place it happens.
#[derive(Clone, Copy, Debug)]
struct Evaluation {
    module: ModuleIndex,
    place: Option<ModuleIndex>,
}

/// `wraps`: how modules are wrapped without regard to chunks.
pub(crate) fn early_modules(linked: &Linked, wraps: &[Wrap]) -> Vec<ModuleIndex> {
    let sensitive = sensitive(linked);
    let mut early = FxHashSet::default();
    for (index, &entry) in linked.entries.iter().enumerate() {
        let chunk = linked.entry_chunks[index];
        if linked.chunks[chunk].imports.is_empty() {
            continue;
        }
        let items = order::items(linked, wraps, &[entry]);
        let mut program = Evaluations::new(linked, wraps, &sensitive);
        items.iter().for_each(|ordered| program.item(ordered));
        let mut actual = Evaluations::new(linked, &linked.wraps, &sensitive);
        actual.chunk(chunk, &mut vec![false; linked.chunks.len()]);
        early.extend(compare(linked, &program.found, &actual.found));
    }
    let mut early: Vec<ModuleIndex> = early.into_iter().collect();
    early.sort_unstable();
    early
}

/// Modules whose evaluation can be observed.
fn sensitive(linked: &Linked) -> Vec<bool> {
    let is_sensitive = |index: ModuleIndex| {
        let parts = linked.modules[index].parts.iter().zip(&linked.live.parts[index]);
        linked.wraps[index] == Wrap::CommonJs
            || parts.into_iter().any(|(part, live)| *live && part.has_side_effects)
    };
    (0..linked.modules.len()).map(is_sensitive).collect()
}

/// The places of evaluations that come before one that the program makes earlier.
fn compare(linked: &Linked, program: &[Evaluation], actual: &[Evaluation]) -> Vec<ModuleIndex> {
    let mut position = vec![usize::MAX; linked.modules.len()];
    for (at, evaluation) in program.iter().enumerate() {
        position[evaluation.module] = at;
    }
    let mut first_later = usize::MAX;
    let mut early = Vec::new();
    for evaluation in actual.iter().rev() {
        let at = position[evaluation.module];
        if at == usize::MAX {
            continue;
        }
        if at > first_later
            && let Some(place) = evaluation.place.filter(|&place| can_wrap(linked, place))
        {
            early.push(place);
        }
        first_later = first_later.min(at);
    }
    early
}

fn can_wrap(linked: &Linked, module: ModuleIndex) -> bool {
    linked.wraps[module] == Wrap::None && linked.modules[module].kind == ModuleKind::Esm
}

struct Evaluations<'l> {
    linked: &'l Linked,
    wraps: &'l [Wrap],
    sensitive: &'l [bool],
    done: Vec<bool>,
    found: Vec<Evaluation>,
}

impl<'l> Evaluations<'l> {
    fn new(linked: &'l Linked, wraps: &'l [Wrap], sensitive: &'l [bool]) -> Evaluations<'l> {
        Evaluations { linked, wraps, sensitive, done: vec![false; linked.modules.len()], found: Vec::new() }
    }

    /// All that loading a chunk evaluates.
    fn chunk(&mut self, chunk: usize, visited: &mut [bool]) {
        if std::mem::replace(&mut visited[chunk], true) {
            return;
        }
        let linked = self.linked;
        for import in &linked.chunks[chunk].imports {
            self.chunk(import.chunk, visited);
        }
        linked.chunks[chunk].items.iter().for_each(|ordered| self.item(ordered));
    }

    fn item(&mut self, ordered: &OrderedItem) {
        let place = match ordered.owner {
            ItemOwner::Module(module) => Some(module),
            ItemOwner::Entry(_) => None,
        };
        match ordered.item {
            Item::Define(module) if self.wraps[module] == Wrap::None => self.add(module, place),
            Item::Define(_) => {}
            Item::Evaluate(module) => self.wrapped(module, place),
        }
    }

    /// A wrapped module, and the wrapped ones that it imports.
    fn wrapped(&mut self, root: ModuleIndex, place: Option<ModuleIndex>) {
        if self.wraps[root] != Wrap::Esm || self.done[root] {
            self.add(root, place);
            return;
        }
        self.done[root] = true;
        let mut stack = vec![(root, references::evaluated_by(self.linked, root).into_iter())];
        while let Some((module, targets)) = stack.last_mut() {
            match targets.next() {
                Some(target) if self.wraps[target] == Wrap::Esm => {
                    if !std::mem::replace(&mut self.done[target], true) {
                        stack.push((target, references::evaluated_by(self.linked, target).into_iter()));
                    }
                }
                Some(target) => self.add(target, place),
                None => {
                    if self.sensitive[*module] {
                        self.found.push(Evaluation { module: *module, place });
                    }
                    stack.pop();
                }
            }
        }
    }

    fn add(&mut self, module: ModuleIndex, place: Option<ModuleIndex>) {
        if !std::mem::replace(&mut self.done[module], true) && self.sensitive[module] {
            self.found.push(Evaluation { module, place });
        }
    }
}
