//! Dictionaries: objects whose properties are added, removed and redefined without another
//! structure. In: an object. Out: whether it is one. Used in releases whose source was reviewed,
//! where structures of known objects match the expected layout.
//!
//! The engine makes an object with very many properties a dictionary, and then it has a structure
//! of its own. The lowest two bits of a word of the structure tell so (`Structure::m_bitField`,
//! `DictionaryKind`). A dictionary that is cacheable gets another structure when attributes of a
//! property change, so that code that has cached a property is still right.

use crate::engine::engine;
use crate::scope::Scope;
use crate::string::fast::peek;
use crate::structures::{CONFIGURATION, base_of, structure_at};
use crate::value::Value;

const KIND_BITS: u32 = 3;
/// Where the word may be: in front of the first pointer, whose bits differ from start to start.
const NUMBER_BYTES: usize = 32;
/// `UncachedDictionaryKind`.
const UNCACHEABLE: u32 = 2;

/// Whether an object is a dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DictionaryKind {
    None,
    /// It gets another structure when a property is removed or redefined.
    Cacheable,
    Uncacheable,
}

/// Base address of structures, and the offset of the word.
#[derive(Clone, Copy, Debug)]
pub struct Dictionaries {
    base: u64,
    offset: usize,
}

/// Objects that are none, and some that are: with more properties than structures are made for.
const SAMPLES: &str = "[
    [{}, { a: 1, b: 2 }, [], () => {}, class { a = 1 }, Object.create(null)],
    [300, 500, 700].map((count) => {
        const object = {};
        for (let index = 0; index < count; index++) object[`key${index}`] = index;
        return object;
    }),
]";

impl Dictionaries {
    /// `None`: not exactly one word of the structures matches what the samples are.
    pub fn probe(scope: &Scope) -> Option<Dictionaries> {
        let configuration = engine().find(CONFIGURATION);
        if configuration.is_null() || !engine().uses_unstable_abi() {
            return None;
        }
        let samples = scope.evaluate_static(SAMPLES, "dictionaries.js").ok()?.as_object(scope)?;
        let first = Dictionaries::samples(scope, samples, 0)?;
        let base = base_of(scope, first[0].raw(), configuration.addr())?;
        let mut found = (0..NUMBER_BYTES).step_by(4).filter_map(|offset| {
            let dictionaries = Dictionaries { base, offset };
            let is_as_expected = [(0, false), (1, true)].iter().all(|(row, expected)| {
                let objects = Dictionaries::samples(scope, samples, *row).unwrap_or_default();
                !objects.is_empty()
                    && objects.iter().all(|object| dictionaries.peek(scope, *object) == Some(*expected))
            });
            is_as_expected.then_some(dictionaries)
        });
        let only = found.next()?;
        found.next().is_none().then_some(only)
    }

    fn samples<'s>(scope: &'s Scope, samples: crate::Object<'s>, row: u32) -> Option<Vec<Value<'s>>> {
        let objects = samples.element(scope, row).ok()?.as_object(scope)?;
        let count = objects.property(scope, "length").ok()?.to_number(scope).ok()? as u32;
        (0..count).map(|index| objects.element(scope, index).ok()).collect()
    }

    /// Whether the object is a dictionary, before the layout is known.
    fn peek(self, scope: &Scope, object: Value<'_>) -> Option<bool> {
        let id = object.structure_id(scope)?;
        let word: [u8; 4] = peek(structure_at(self.base, id).wrapping_add(self.offset))?;
        Some(u32::from_ne_bytes(word) & KIND_BITS != 0)
    }

    /// Whether a value is a dictionary; `None`: it is no object.
    pub fn kind(self, scope: &Scope, object: Value<'_>) -> Option<DictionaryKind> {
        Some(match self.bits(object.structure_id(scope)?) {
            0 => DictionaryKind::None,
            UNCACHEABLE => DictionaryKind::Uncacheable,
            _ => DictionaryKind::Cacheable,
        })
    }

    /// The structure of the scope's global object, which programs know as a proxy of it. It is
    /// another one once a property has been removed or has other attributes; not when one was
    /// added or has another value. `None`: it tells nothing.
    pub fn of_global(self, scope: &Scope) -> Option<u32> {
        // A context is its global object.
        let id = Value::from_raw(scope.context().cast()).structure_id(scope)?;
        (self.bits(id) != UNCACHEABLE).then_some(id)
    }

    fn bits(self, id: u32) -> u32 {
        // SAFETY: a structure lives as long as its object, which a scope roots; `probe` verified
        // the base address and the offset.
        let word = unsafe { *structure_at(self.base, id).add(self.offset).cast::<u32>() };
        word & KIND_BITS
    }
}

#[cfg(test)]
mod tests;
