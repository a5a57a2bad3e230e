//! Object kinds and internal slots: `internalBinding('types')`. In: an object. Out: the number of
//! its kind, the internal values of proxies, promises and iterators. Without the engine's unstable
//! ABI the binding is empty, and js/internal/util/types.js probes by methods.

use rusk_jsc::{Call, Exception, Object, ObjectKind, Outcome, PromiseState, Scope};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add_fast, object};

/// The kinds by number, with their names in JavaScript.
const KINDS: [(ObjectKind, &str); 24] = [
    (ObjectKind::Other, "other"),
    (ObjectKind::Ambiguous, "unsure"),
    (ObjectKind::Proxy, "proxy"),
    (ObjectKind::Map, "map"),
    (ObjectKind::Set, "set"),
    (ObjectKind::WeakMap, "weakmap"),
    (ObjectKind::WeakSet, "weakset"),
    (ObjectKind::MapIterator, "mapiterator"),
    (ObjectKind::SetIterator, "setiterator"),
    (ObjectKind::Promise, "promise"),
    (ObjectKind::Date, "date"),
    (ObjectKind::RegExp, "regexp"),
    (ObjectKind::Error, "error"),
    (ObjectKind::Buffer, "buffer"),
    (ObjectKind::DataView, "dataview"),
    (ObjectKind::TypedArray, "typedarray"),
    (ObjectKind::Arguments, "arguments"),
    (ObjectKind::Number, "number"),
    (ObjectKind::String, "string"),
    (ObjectKind::Boolean, "boolean"),
    (ObjectKind::Symbol, "symbol"),
    (ObjectKind::BigInt, "bigint"),
    (ObjectKind::Generator, "generator"),
    (ObjectKind::WeakRef, "weakref"),
];

/// `kindOf` returns a kind's number, so that is its index.
const _: () = {
    let mut index = 0;
    while index < KINDS.len() {
        assert!(KINDS[index].0 as usize == index);
        index += 1;
    }
};

rusk_runtime::extension!("util", [("types", make)]);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    if scope.object_kind(binding).is_none() {
        return Ok(binding);
    }
    let kinds = KINDS.map(|(_, name)| scope.string(name));
    binding.set_property(scope, "kinds", scope.array(&kinds)?.value())?;
    add_fast(scope, binding, "kindOf", |scope, call| {
        let kind = first(scope, call).and_then(|object| scope.object_kind(object));
        Ok(scope.number(kind.map_or(0.0, |kind| f64::from(kind as u8))))
    })?;
    add_fast(scope, binding, "getProxyDetails", |scope, call| {
        let parts = first(scope, call).and_then(|object| scope.proxy_parts(object));
        list(scope, parts.map(|(target, handler)| [target, handler]))
    })?;
    add_fast(scope, binding, "getPromiseDetails", |scope, call| {
        let parts = first(scope, call).and_then(|object| scope.promise_parts(object));
        let number = |state| match state {
            PromiseState::Pending => 0.0,
            PromiseState::Fulfilled => 1.0,
            PromiseState::Rejected => 2.0,
        };
        list(scope, parts.map(|(state, value)| [scope.number(number(state)), value]))
    })?;
    add_fast(scope, binding, "getIteratorDetails", |scope, call| {
        let details = first(scope, call).and_then(|object| scope.iterator_parts(object));
        list(scope, details.map(|(collection, kind)| [collection, scope.number(kind as f64)]))
    })?;
    add_fast(scope, binding, "hasSameStructure", |scope, call| {
        let other = call.argument(scope, 1).as_object(scope);
        let is_same =
            first(scope, call).zip(other).and_then(|(one, other)| scope.has_same_structure(one, other));
        Ok(scope.boolean(is_same.unwrap_or(false)))
    })?;
    add_fast(scope, binding, "isSameIteratorPosition", |scope, call| {
        let other = call.argument(scope, 1).as_object(scope);
        let is_same = first(scope, call)
            .zip(other)
            .is_some_and(|(one, other)| scope.is_same_iterator_position(one, other));
        Ok(scope.boolean(is_same))
    })?;
    Ok(binding)
}

fn first<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Object<'s>> {
    call.argument(scope, 0).as_object(scope)
}

fn list<'s>(scope: &'s Scope, parts: Option<[rusk_jsc::Value<'s>; 2]>) -> Outcome<'s> {
    match parts {
        Some(parts) => scope.array(&parts).map(Object::value),
        None => Ok(scope.undefined()),
    }
}
