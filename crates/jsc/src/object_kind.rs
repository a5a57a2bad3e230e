//! Internal kind of an object, and the internal fields of proxies, promises and iterators (unstable
//! ABI; the public API has no function for them). In: the layout of values, and probe objects that
//! are made at the first query. Out: the kind, by the type of the object's cell; and its internal
//! fields, which follow the header. If a probe does not match, or two kinds share a type, there is
//! no answer, and JavaScript uses the language's own means.
//!
//! The numbers of types differ between releases. Each is probed: it belongs to a kind if objects of
//! that kind have it, and no others (WebKit's `JSType.h`, `JSInternalFieldObjectImpl.h`,
//! `ProxyObject.h`, `JSPromise.h`, `JSMapIterator.h`).

use crate::layout::{INTEGER_TAG, Layout};
use crate::object::Object;
use crate::scope::Scope;
use crate::symbols::RawValue;
use crate::value::Value;

/// Offset of the internal fields.
const FIELDS_OFFSET: usize = 16;
/// Fields of an iterator: entry, iterated object, storage, iteration kind.
const ITERATOR_FIELDS: usize = 4;
/// In the first field of a promise.
const STATE_MASK: u64 = 3;

/// Lists of probe objects, in the order of [`Kind`] from `Other` on, without `Unsure`; the last
/// lists are for internal fields.
const PROBES: &str = include_str!("object_kind/probes.js");

/// The internal kind of an object.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    Other,
    /// The type is shared by several kinds, or unknown.
    Ambiguous,
    Proxy,
    Map,
    Set,
    WeakMap,
    WeakSet,
    MapIterator,
    SetIterator,
    Promise,
    Date,
    RegExp,
    Error,
    Buffer,
    DataView,
    TypedArray,
    Arguments,
    Number,
    String,
    Boolean,
    Symbol,
    BigInt,
    Generator,
    WeakRef,
}

use ObjectKind as Kind;

const KINDS: [Kind; 23] = [
    Kind::Other,
    Kind::Proxy,
    Kind::Map,
    Kind::Set,
    Kind::WeakMap,
    Kind::WeakSet,
    Kind::MapIterator,
    Kind::SetIterator,
    Kind::Promise,
    Kind::Date,
    Kind::RegExp,
    Kind::Error,
    Kind::Buffer,
    Kind::DataView,
    Kind::TypedArray,
    Kind::Arguments,
    Kind::Number,
    Kind::String,
    Kind::Boolean,
    Kind::Symbol,
    Kind::BigInt,
    Kind::Generator,
    Kind::WeakRef,
];

/// The result of the probes.
pub(crate) struct Kinds {
    by_type: [Kind; 256],
    is_proxy_known: bool,
    is_promise_known: bool,
    is_structure_known: bool,
    iterators: Option<Iterators>,
}

/// Iterators: indices of the fields of collection and iteration kind, and the values of the latter
/// for keys, values and entries.
struct Iterators {
    collection: usize,
    iteration: usize,
    iterations: [u64; 3],
}

/// The state of a promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromiseState {
    Pending,
    Fulfilled,
    Rejected,
}

impl Scope {
    /// The kind of an object; `None` if the ABI is not available.
    pub fn object_kind(&self, object: Object<'_>) -> Option<ObjectKind> {
        let (kinds, layout) = self.kinds()?;
        Some(kinds.of(layout, object.value()))
    }

    /// Target and handler of a proxy, both null if it was revoked.
    pub fn proxy_parts(&self, object: Object<'_>) -> Option<(Value<'_>, Value<'_>)> {
        let (kinds, layout) = self.kinds()?;
        if !kinds.is_proxy_known || kinds.of(layout, object.value()) != Kind::Proxy {
            return None;
        }
        let handler = self.retain(field(object, 1));
        Some(match handler.kind(self) {
            crate::Kind::Object => (self.retain(field(object, 0)), handler),
            _ => (self.null(), self.null()),
        })
    }

    /// The state of a promise and its value or reason; undefined while it is pending.
    pub fn promise_parts(&self, object: Object<'_>) -> Option<(PromiseState, Value<'_>)> {
        let (kinds, layout) = self.kinds()?;
        if !kinds.is_promise_known || kinds.of(layout, object.value()) != Kind::Promise {
            return None;
        }
        let state = state(object)?;
        Some(match state {
            PromiseState::Pending => (state, self.undefined()),
            _ => (state, self.retain(field(object, 1))),
        })
    }

    /// The collection of a `Map` or `Set` iterator, and whether it iterates keys (0), values (1) or
    /// entries (2).
    pub fn iterator_parts(&self, object: Object<'_>) -> Option<(Value<'_>, usize)> {
        let (kinds, layout) = self.kinds()?;
        let iterators = kinds.iterators.as_ref()?;
        if !matches!(kinds.of(layout, object.value()), Kind::MapIterator | Kind::SetIterator) {
            return None;
        }
        let collection = field(object, iterators.collection);
        let iteration = iterators
            .iterations
            .iter()
            .position(|iteration| *iteration == word(object, iterators.iteration))?;
        // An iterator that has ended may have released its collection.
        let is_retained = layout
            .cell_type(collection)
            .is_some_and(|number| matches!(kinds.by_type[usize::from(number)], Kind::Map | Kind::Set));
        is_retained.then(|| (self.retain(collection), iteration))
    }

    /// Whether two such iterators are at the same position of the same collection.
    pub fn is_same_iterator_position(&self, one: Object<'_>, other: Object<'_>) -> bool {
        let (Some(_), Some(_)) = (self.iterator_parts(one), self.iterator_parts(other)) else { return false };
        (0..ITERATOR_FIELDS).all(|index| word(one, index) == word(other, index))
    }

    /// Whether two objects have the same structure: the same prototype and the same own property
    /// names, except for indices. `None` if the ABI is not available.
    pub fn has_same_structure(&self, one: Object<'_>, other: Object<'_>) -> Option<bool> {
        let (kinds, layout) = self.kinds()?;
        kinds.is_structure_known.then(|| has_same_structure(layout, one, other))
    }

    fn kinds(&self) -> Option<(&Kinds, &Layout)> {
        let layout = self.shared().layout()?;
        let kinds = self.shared().kinds.get_or_init(|| Kinds::probe(self, layout));
        Some((kinds.as_ref()?, layout))
    }
}

impl Kinds {
    fn probe(scope: &Scope, layout: &Layout) -> Option<Kinds> {
        let lists = scope.evaluate_static(PROBES, "node:internal/probes").ok()?.as_object(scope)?;
        let list = |index: usize| lists.element(scope, u32::try_from(index).ok()?).ok()?.as_object(scope);
        let mut by_type = [None; 256];
        for (index, kind) in KINDS.into_iter().enumerate() {
            for probe in elements(scope, list(index)?)? {
                let found = &mut by_type[usize::from(layout.cell_type(probe.value().raw())?)];
                *found = Some(if found.is_none_or(|found| found == kind) { kind } else { Kind::Ambiguous });
            }
        }
        let by_type = by_type.map(|kind| kind.unwrap_or(Kind::Ambiguous));
        let fields = |index| elements(scope, list(KINDS.len() + index)?);
        Some(Kinds {
            is_proxy_known: verify_proxy(scope, &fields(0)?),
            is_promise_known: verify_promise(&fields(1)?).unwrap_or(false),
            is_structure_known: verify_structure(layout, &fields(3)?),
            iterators: probe_iterators(&fields(2)?),
            by_type,
        })
    }

    fn of(&self, layout: &Layout, value: Value<'_>) -> Kind {
        layout.cell_type(value.raw()).map_or(Kind::Other, |number| self.by_type[usize::from(number)])
    }
}

fn elements<'s>(scope: &'s Scope, list: Object<'_>) -> Option<Vec<Object<'s>>> {
    let count = list.property(scope, "length").ok()?.to_number(scope).ok()? as u32;
    (0..count).map(|index| list.element(scope, index).ok()?.as_object(scope)).collect()
}

/// Probes: a proxy, its target, its handler; and a revoked one.
fn verify_proxy(scope: &Scope, probes: &[Object<'_>]) -> bool {
    let [proxy, target, handler, revoked] = probes else { return false };
    field(*proxy, 0) == target.raw()
        && field(*proxy, 1) == handler.raw()
        && field(*revoked, 1) == scope.null().raw()
}

/// Probes: a pending promise, a fulfilled one, a rejected one, and the value of the last two.
fn verify_promise(probes: &[Object<'_>]) -> Option<bool> {
    let [pending, fulfilled, rejected, value] = probes else { return None };
    let states = [state(*pending)?, state(*fulfilled)?, state(*rejected)?];
    let is_valid = states == [PromiseState::Pending, PromiseState::Fulfilled, PromiseState::Rejected];
    Some(is_valid && [fulfilled, rejected].into_iter().all(|promise| field(*promise, 1) == value.raw()))
}

/// Probes: two objects of one structure, and one with another property.
fn verify_structure(layout: &Layout, probes: &[Object<'_>]) -> bool {
    let [one, same, other] = probes else { return false };
    has_same_structure(layout, *one, *same) && !has_same_structure(layout, *one, *other)
}

fn has_same_structure(layout: &Layout, one: Object<'_>, other: Object<'_>) -> bool {
    let structure = |object: Object<'_>| layout.structure_id(object.value().raw());
    structure(one).is_some() && structure(one) == structure(other)
}

/// Probes: a map, its iterators of keys, values, entries; a set and its two iterators.
fn probe_iterators(probes: &[Object<'_>]) -> Option<Iterators> {
    let [map, keys, values, entries, set, set_values, set_entries] = probes else { return None };
    let collection = (0..ITERATOR_FIELDS).find(|index| field(*keys, *index) == map.raw())?;
    let iteration = (0..ITERATOR_FIELDS).find(|index| {
        let words = [keys, values, entries].map(|iterator| word(*iterator, *index));
        words[0] != words[1] && words[1] != words[2] && words[0] != words[2]
    })?;
    let iterations = [keys, values, entries].map(|iterator| word(*iterator, iteration));
    let is_valid = [values, entries].into_iter().all(|iterator| field(*iterator, collection) == map.raw())
        && [set_values, set_entries].into_iter().all(|iterator| field(*iterator, collection) == set.raw())
        && word(*set_values, iteration) == iterations[1]
        && word(*set_entries, iteration) == iterations[2];
    is_valid.then_some(Iterators { collection, iteration, iterations })
}

fn state(promise: Object<'_>) -> Option<PromiseState> {
    let flags = word(promise, 0);
    if flags & INTEGER_TAG != INTEGER_TAG {
        return None;
    }
    match flags & STATE_MASK {
        0 => Some(PromiseState::Pending),
        1 => Some(PromiseState::Fulfilled),
        2 => Some(PromiseState::Rejected),
        _ => None,
    }
}

fn word(object: Object<'_>, index: usize) -> u64 {
    field(object, index).addr() as u64
}

/// An internal field of an object whose type has internal fields.
fn field(object: Object<'_>, index: usize) -> RawValue {
    // SAFETY: an object, rooted by a scope. The caller checked that its type is one of the probes,
    // which have values there; a probe itself is larger than what is read of it, in the releases
    // whose source was reviewed, which alone have a layout.
    unsafe { *object.raw().cast_const().cast::<u8>().add(FIELDS_OFFSET).cast::<RawValue>().add(index) }
}
