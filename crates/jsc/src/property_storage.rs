//! Property storage: how many words the own properties of an object take, part of the unstable
//! ABI. In: a structure. Out: the place of the last property. Used in releases whose source was
//! reviewed, where structures of known objects match the expected layout.
//!
//! A structure has the largest place in 16 bits (`Structure::m_maxOffset`). Places from 64 on are
//! those of the butterfly, the lower ones of the object itself (WebKit's `PropertyOffset.h`). A
//! dictionary that gets a property keeps its structure, which has another largest place then.

use crate::engine::engine;
use crate::scope::Scope;
use crate::string::fast::peek;
use crate::structures::{CONFIGURATION, STRUCTURE_BYTES, base_of, structure_at};
use crate::value::Value;

/// `firstOutOfLineOffset`.
const OUT_OF_LINE: u16 = 64;
/// `shortInvalidOffset`: there are no properties. One more means that the place is elsewhere.
const NONE: u16 = u16::MAX - 1;
/// `JSFinalObject::defaultInlineCapacity`.
const INLINE_CAPACITY: u16 = 6;

/// Numbers of properties of samples; the last one is a dictionary. That no property can be added
/// any more tells the place from that of the property that was added last.
const SAMPLES: &str = "[1, 2, 5, 6, 7, 8, 20, 40, 300].flatMap((count) => [0, 1].map((isFixed) => {
    const object = {};
    for (let index = 0; index < count; index++) object[`key${index}`] = index;
    return [count, isFixed ? Object.preventExtensions(object) : object];
}))";

/// Base address of structures, and the offset of the place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PropertyStorage {
    base: u64,
    offset: usize,
}

/// How many words an object has for its properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StorageSize {
    /// All in the object itself.
    Inline(usize),
    /// So many in the butterfly. The object itself has as many as fit.
    OutOfLine(usize),
}

impl PropertyStorage {
    /// `None`: not exactly one place of the structures matches what the samples have.
    pub fn probe(scope: &Scope) -> Option<PropertyStorage> {
        let configuration = engine().find(CONFIGURATION);
        if configuration.is_null() || !engine().uses_unstable_abi() {
            return None;
        }
        let samples = scope.evaluate_static(SAMPLES, "property_storage.js").ok()?.as_object(scope)?;
        let length = samples.property(scope, "length").ok()?.to_number(scope).ok()? as u32;
        let pair = |index| {
            let pair = samples.element(scope, index).ok()?.as_object(scope)?;
            Some((pair.element(scope, 0).ok()?.to_number(scope).ok()? as u16, pair.element(scope, 1).ok()?))
        };
        let samples: Vec<(u16, Value<'_>)> = (0..length).map(pair).collect::<Option<_>>()?;
        let base = base_of(scope, samples.first()?.1.raw(), configuration.addr())?;
        let mut found = (0..STRUCTURE_BYTES - 1).step_by(2).filter_map(|offset| {
            let storage = PropertyStorage { base, offset };
            let is_as_expected = |(count, sample): &(u16, Value<'_>)| {
                let expected = match count.checked_sub(INLINE_CAPACITY) {
                    None | Some(0) => count - 1,
                    Some(others) => OUT_OF_LINE + others - 1,
                };
                storage.peek(scope, *sample) == Some(expected)
            };
            samples.iter().all(is_as_expected).then_some(storage)
        });
        let only = found.next()?;
        found.next().is_none().then_some(only)
    }

    /// The largest place, before the layout is known.
    fn peek(self, scope: &Scope, object: Value<'_>) -> Option<u16> {
        let id = object.structure_id(scope)?;
        let bytes: [u8; 2] = peek(structure_at(self.base, id).wrapping_add(self.offset))?;
        Some(u16::from_ne_bytes(bytes))
    }

    /// The size by the structure of an object that lives; `None`: it is not known.
    pub fn size(self, structure: u32) -> Option<StorageSize> {
        // SAFETY: a structure lives as long as its object; `probe` verified the base address and
        // the offset.
        let place = unsafe { *structure_at(self.base, structure).add(self.offset).cast::<u16>() };
        match place {
            NONE => Some(StorageSize::Inline(0)),
            place if place > NONE => None,
            place if place >= OUT_OF_LINE => Some(StorageSize::OutOfLine((place - OUT_OF_LINE + 1).into())),
            place => Some(StorageSize::Inline(usize::from(place) + 1)),
        }
    }
}
