//! Short names for the scope of a chunk: the more often a name is used, the shorter. In: what is to
//! be named, in the order of the code, and names that are taken. Out: a name for each.

use oxc::syntax::keyword::is_reserved_keyword;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::link::Linked;
use crate::module::{RecordKind, RecordTarget};
use crate::symbols::{Binding, NAMESPACE, SymbolRef, WRAPPER};

/// Characters of names, those first that code has most, so that it compresses well.
const FIRST: &[u8; 54] = b"etnroisaclufdhpmgbvyxwkjqzSCTEAOPMFDILRNBVGUHKWXJYQZ_$";
const LATER: &[u8; 64] = b"etnroisaclufdhpmgbvyxwkjqzSCTEAOPMFDILRNBVGUHKWXJYQZ_$0123456789";

/// Names that are left to parameters and variables of functions: those of all modules have the same
/// ones then, so that code compresses well.
const INNER: &str = "etnriaoscludfpmh";

/// How often the code of a bundle refers to each symbol, and to which from other modules.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    pub(crate) counts: FxHashMap<SymbolRef, u32>,
    pub(crate) outside: FxHashSet<SymbolRef>,
}

impl Uses {
    pub(crate) fn of(linked: &Linked) -> Uses {
        let mut uses = Uses::default();
        for index in (0..linked.modules.len()).filter(|&index| linked.is_printed(index)) {
            uses.add_module(linked, index);
        }
        for (&module, exports) in &linked.live.exports {
            for (_, binding) in exports {
                uses.add_binding(module, binding, 1);
                // The clause or the object of exports refers to it.
                uses.add_outside(binding);
            }
        }
        for symbol in linked.chunks.iter().flat_map(|chunk| &chunk.exports) {
            uses.outside.insert(*symbol);
        }
        uses
    }

    fn add_module(&mut self, linked: &Linked, index: usize) {
        let module = &linked.modules[index];
        for &(symbol, count) in &module.root_uses {
            match linked.bindings[index].get(&symbol) {
                Some(binding) => self.add_binding(index, binding, count),
                None => *self.counts.entry(SymbolRef::new(index, symbol)).or_default() += count,
            }
        }
        for binding in linked.members[index].values() {
            self.add_binding(index, binding, 1);
        }
        for record in module.records.iter().filter(|record| record.kind != RecordKind::Statement) {
            if let RecordTarget::Module(target) = record.target {
                for symbol in [WRAPPER, NAMESPACE] {
                    *self.counts.entry(SymbolRef::new(target, symbol)).or_default() += 1;
                }
            }
        }
    }

    fn add_binding(&mut self, user: usize, binding: &Binding, count: u32) {
        if let Binding::Symbol(symbol) | Binding::Member(symbol, _) = binding {
            *self.counts.entry(*symbol).or_default() += count;
            if symbol.module != user {
                self.outside.insert(*symbol);
            }
        }
    }

    fn add_outside(&mut self, binding: &Binding) {
        if let Binding::Symbol(symbol) = binding {
            self.outside.insert(*symbol);
        }
    }
}

/// Names for things with these counts of uses. Names of one length are given in the order of the
/// list, so that neighbours have similar ones.
pub(crate) fn assign(counts: &[u32], is_taken: impl Fn(&str) -> bool) -> Vec<String> {
    let mut by_count: Vec<usize> = (0..counts.len()).collect();
    by_count.sort_by_key(|&index| std::cmp::Reverse(counts[index]));
    let is_free = |name: &String| {
        !(is_reserved_keyword(name) || is_taken(name) || name.len() == 1 && INNER.contains(name.as_str()))
    };
    let mut free = (0u32..).map(name).filter(is_free);
    let mut names: Vec<String> = vec![String::new(); counts.len()];
    let generated: Vec<String> = free.by_ref().take(counts.len()).collect();
    let mut from = 0;
    for same in generated.chunk_by(|left, right| left.len() == right.len()) {
        let batch = &mut by_count[from..from + same.len()];
        batch.sort_unstable();
        for (&index, name) in batch.iter().zip(same) {
            names[index].clone_from(name);
        }
        from += same.len();
    }
    names
}

/// The shortest names come first.
fn name(number: u32) -> String {
    let (first, later) = (FIRST.len() as u32, LATER.len() as u32);
    let mut name = String::from(char::from(FIRST[(number % first) as usize]));
    let mut rest = number / first;
    while rest > 0 {
        rest -= 1;
        name.push(char::from(LATER[(rest % later) as usize]));
        rest /= later;
    }
    name
}

#[cfg(test)]
mod tests;
