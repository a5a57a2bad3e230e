//! Property words: where an object has the values of its own properties, part of the unstable ABI.
//! In: an object, the values of its data properties, the number of its accessors. Out: a copy of
//! these words, and whether they are the same later; that is a comparison of memory, where to read
//! a property takes a call of the engine. Used in releases whose source was reviewed, and for
//! objects whose words are where they are expected.
//!
//! The header of an object is followed by a pointer, the butterfly. Properties lie in front of the
//! word before it, the last one lowest; a plain object has the first ones after that pointer
//! instead. Objects with one structure have theirs at the same places, and an accessor has a cell,
//! which another one replaces when it is redefined (WebKit's `JSObject.h`, `Butterfly.h`,
//! `PropertyOffset.h`). Absent: dictionaries, elements.

use crate::layout::Layout;
use crate::object::Object;
use crate::root::Root;
use crate::scope::Scope;
use crate::string::fast::{peek, peek_into};
use crate::value::Value;

const BUTTERFLY_OFFSET: usize = 8;
const INLINE_OFFSET: usize = 16;
const WORD_BYTES: usize = 8;
/// Between the butterfly's address and its first property.
const INDEXING_HEADER_BYTES: usize = 8;
/// `JSFinalObject::maxInlineCapacity`.
const INLINE_CAPACITY_MAX: usize = 64;

/// How the cells of accessors are known: all have the same structure.
#[derive(Clone, Copy, Debug)]
pub struct PropertyLayout {
    accessor_structure: u32,
}

/// The words of an object's own properties at one time.
pub struct PropertyWords {
    structure: u32,
    inline: Vec<u64>,
    /// The lowest address, so the last property, first.
    out_of_line: Vec<u64>,
    /// Cells of accessors: another one cannot get the address of a cell that lives.
    _accessors: Vec<Root>,
}

impl PropertyLayout {
    /// `None`: an accessor is not where it is expected.
    pub fn probe(scope: &Scope) -> Option<PropertyLayout> {
        let layout = scope.shared().layout()?;
        let structure = |source| {
            let sample = scope.evaluate_static(source, "property_words.js").ok()?.as_object(scope)?;
            let (inline, _) = read(sample, 1, 0).filter(|_| layout.is_plain(sample.value()))?;
            structure_of(layout, inline[0])
        };
        let first = structure("({ get a() { return 1; } })")?;
        let second = structure("({ set b(value) {} })")?;
        let other = structure("({ c: {} })")?;
        (first == second && first != other).then_some(PropertyLayout { accessor_structure: first })
    }
}

/// The structure of a cell that may be none.
fn structure_of(layout: &Layout, word: u64) -> Option<u32> {
    let cell = word as usize as *const u8;
    if word == 0 || !layout.is_cell(cell.cast()) {
        return None;
    }
    peek(cell).map(u32::from_ne_bytes)
}

impl PropertyWords {
    /// `values`: those of all own data properties, which the caller keeps alive. `accessors`: how
    /// many other own properties there are. The object is no dictionary. `None`: its words are not
    /// where they are expected.
    pub fn take(
        scope: &Scope,
        known: PropertyLayout,
        object: Object<'_>,
        values: &[Value<'_>],
        accessors: usize,
    ) -> Option<PropertyWords> {
        let layout = scope.shared().layout()?;
        let count = values.len() + accessors;
        let capacity_max = if layout.is_plain(object.value()) { count.min(INLINE_CAPACITY_MAX) } else { 0 };
        let structure = object.value().structure_id(scope)?;
        (0..=capacity_max).rev().find_map(|capacity| {
            let (inline, out_of_line) = read(object, capacity, count - capacity)?;
            let cells = without(inline.iter().chain(&out_of_line), values)?;
            let is_accessor = |word: &u64| structure_of(layout, *word) == Some(known.accessor_structure);
            if !cells.iter().all(is_accessor) {
                return None;
            }
            let root = |word: u64| Root::new(scope, Value::from_raw(word as usize as *const _));
            let accessors = cells.into_iter().map(root).collect();
            Some(PropertyWords { structure, inline, out_of_line, _accessors: accessors })
        })
    }

    /// Whether the object has the structure that it had, and its properties the same values: the
    /// same words, so a number may be the same in another form.
    pub fn are_same(&self, scope: &Scope, object: Object<'_>) -> bool {
        if object.value().structure_id(scope) != Some(self.structure) {
            return false;
        }
        let cell = object.raw().cast::<u8>();
        // SAFETY: the object is alive and has the structure for which `take` found these words, so
        // it has as much storage of both kinds.
        unsafe {
            let inline = std::slice::from_raw_parts(cell.add(INLINE_OFFSET).cast::<u64>(), self.inline.len());
            inline == self.inline
                && (self.out_of_line.is_empty() || {
                    let butterfly = *cell.add(BUTTERFLY_OFFSET).cast::<*const u8>();
                    let first = first_out_of_line(butterfly, self.out_of_line.len());
                    std::slice::from_raw_parts(first.cast::<u64>(), self.out_of_line.len())
                        == self.out_of_line
                })
        }
    }
}

/// The words of so many properties, by a call that fails for addresses that cannot be read.
fn read(object: Object<'_>, inline: usize, out_of_line: usize) -> Option<(Vec<u64>, Vec<u64>)> {
    let cell = object.raw().cast_const().cast::<u8>();
    // SAFETY: an object, which a scope roots, of the verified layout.
    let butterfly = unsafe { *cell.add(BUTTERFLY_OFFSET).cast::<*const u8>() };
    if butterfly.is_null() && out_of_line > 0 {
        return None;
    }
    Some((
        words(cell.wrapping_add(INLINE_OFFSET), inline)?,
        words(first_out_of_line(butterfly, out_of_line), out_of_line)?,
    ))
}

fn first_out_of_line(butterfly: *const u8, count: usize) -> *const u8 {
    butterfly.wrapping_sub(INDEXING_HEADER_BYTES + count * WORD_BYTES)
}

fn words(address: *const u8, count: usize) -> Option<Vec<u64>> {
    let mut bytes = vec![0; count * WORD_BYTES];
    if count > 0 {
        peek_into(address, &mut bytes)?;
    }
    Some(crate::structures::words(&bytes).collect())
}

/// The words that are none of the values, which must all be there.
fn without<'a>(words: impl Iterator<Item = &'a u64>, values: &[Value<'_>]) -> Option<Vec<u64>> {
    let mut words: Vec<u64> = words.copied().collect();
    for value in values {
        let word = value.raw().addr() as u64;
        let at = words.iter().position(|other| *other == word)?;
        words.swap_remove(at);
    }
    Some(words)
}

#[cfg(test)]
mod tests;
