//! Property words: where an object has the values of its own properties, part of the unstable ABI.
//! In: an object, the values of its data properties. Out: a copy of all words of its property
//! storage, and whether they are the same later; that is a comparison of memory, where to read a
//! property takes a call of the engine. Used in releases whose source was reviewed, and for objects
//! whose words are where they are expected.
//!
//! The header of an object is followed by a pointer, the butterfly. Properties lie in front of the
//! word before it, the last one lowest; a plain object has the first ones after that pointer
//! instead. Objects with one structure have theirs at the same places, and an accessor has a cell,
//! which another one replaces when it is redefined (WebKit's `JSObject.h`, `Butterfly.h`,
//! `PropertyOffset.h`).
//!
//! Some objects of the engine have further words, those of private names. What is in no word has a
//! table of the class, and gets a word, so another structure, when it is redefined; or it is found
//! by a method of the class, as the length of an array: the caller compares such values. Absent:
//! elements.

use crate::layout::Layout;
use crate::object::Object;
use crate::property_storage::{PropertyStorage, StorageSize};
use crate::root::Root;
use crate::scope::Scope;
use crate::string::fast::{peek, peek_into};
use crate::value::Value;

const BUTTERFLY_OFFSET: usize = 8;
const INLINE_OFFSET: usize = 16;
const WORD_BYTES: usize = 8;
/// Between the butterfly's address and its first property.
const INDEXING_HEADER_BYTES: usize = 8;

/// How the cells of accessors are known, which have the same structure, and how many words there
/// are.
#[derive(Clone, Copy, Debug)]
pub struct PropertyLayout {
    accessor_structure: u32,
    storage: PropertyStorage,
}

/// The words of an object's own properties at one time.
pub struct PropertyWords {
    structure: u32,
    storage: PropertyStorage,
    size: StorageSize,
    inline: Vec<u64>,
    /// The lowest address, so the last property, first.
    out_of_line: Vec<u64>,
    /// Cells that are no values: another one cannot get the address of a cell that lives.
    _cells: Vec<Root>,
    missing: Vec<usize>,
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
        let storage = PropertyStorage::probe(scope)?;
        (first == second && first != other).then_some(PropertyLayout { accessor_structure: first, storage })
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
    /// many other own properties there are. The object may be a dictionary that is cacheable.
    /// `None`: its words are not where they are expected.
    pub fn take(
        scope: &Scope,
        known: PropertyLayout,
        object: Object<'_>,
        values: &[Value<'_>],
        accessors: usize,
    ) -> Option<PropertyWords> {
        let layout = scope.shared().layout()?;
        let structure = object.value().structure_id(scope)?;
        let size = known.storage.size(structure)?;
        let is_plain = layout.is_plain(object.value());
        let (inline, out_of_line) = match size {
            StorageSize::Inline(count) if is_plain || count == 0 => (count, 0),
            // Only plain objects have properties there.
            StorageSize::Inline(_) => return None,
            StorageSize::OutOfLine(count) if is_plain => {
                ((values.len() + accessors).checked_sub(count)?, count)
            }
            StorageSize::OutOfLine(count) => (0, count),
        };
        let (inline, out_of_line) = read(object, inline, out_of_line)?;
        let (missing, others) = compare(inline.iter().chain(&out_of_line), values);
        // Each look at a cell is a system call.
        let others: Vec<_> = others.into_iter().map(|word| (word, structure_of(layout, word))).collect();
        let is_accessor = |(_, structure): &(u64, Option<u32>)| *structure == Some(known.accessor_structure);
        let is_whole = missing.is_empty() && others.len() == accessors && others.iter().all(is_accessor);
        if is_plain && !is_whole {
            return None;
        }
        let cells = others.into_iter().filter(|(_, structure)| structure.is_some());
        let root = |(word, _)| Root::new(scope, Value::from_raw(word as usize as *const _));
        let cells = cells.map(root).collect();
        Some(PropertyWords {
            structure,
            storage: known.storage,
            size,
            inline,
            out_of_line,
            _cells: cells,
            missing,
        })
    }

    /// The same for the scope's global object, which programs know as a proxy of it.
    pub fn take_global(
        scope: &Scope,
        known: PropertyLayout,
        values: &[Value<'_>],
        accessors: usize,
    ) -> Option<PropertyWords> {
        PropertyWords::take(scope, known, global(scope), values, accessors)
    }

    /// The indexes of values that are in no word.
    pub fn missing(&self) -> &[usize] {
        &self.missing
    }

    /// Whether the object has the structure that it had, and its properties the same values: the
    /// same words, so a number may be the same in another form.
    pub fn are_same(&self, scope: &Scope, object: Object<'_>) -> bool {
        let is_same_structure = object.value().structure_id(scope) == Some(self.structure)
            && self.storage.size(self.structure) == Some(self.size);
        if !is_same_structure {
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

    /// [`PropertyWords::are_same`] of the scope's global object.
    pub fn are_same_of_global(&self, scope: &Scope) -> bool {
        self.are_same(scope, global(scope))
    }
}

/// A context is its global object.
fn global(scope: &Scope) -> Object<'_> {
    Object::of_value(Value::from_raw(scope.context().cast()))
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

/// The indexes of values that are no word, and the words that are no value.
fn compare<'a>(words: impl Iterator<Item = &'a u64>, values: &[Value<'_>]) -> (Vec<usize>, Vec<u64>) {
    let mut words: Vec<u64> = words.copied().collect();
    let mut missing = Vec::new();
    for (index, value) in values.iter().enumerate() {
        let value = value.raw().addr() as u64;
        match words.iter().position(|word| *word == value) {
            Some(at) => _ = words.swap_remove(at),
            None => missing.push(index),
        }
    }
    (missing, words)
}

#[cfg(test)]
mod tests;
