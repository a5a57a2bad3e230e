//! Internal kinds and fields of objects.

use rusk_jsc::{Engine, ObjectKind, PromiseState, Scope};

use crate::support;

/// Whether this engine's layout is known; another one returns nothing, never something wrong.
fn is_layout_known() -> bool {
    Engine::load(&support::options()).expect("it is loaded").uses_unstable_abi()
}

fn check(source: &str, kind: ObjectKind) {
    support::vm().turn(|scope| {
        let object = scope.evaluate(source, "test.js", 1).ok().and_then(|value| value.as_object(scope));
        let found = scope.object_kind(object.expect("an object"));
        assert_eq!(found, is_layout_known().then_some(kind), "{source}");
    });
}

#[test]
fn a_kind_is_the_internal_class_of_an_object() {
    check("new Map", ObjectKind::Map);
    check("Object.setPrototypeOf(new Map, null)", ObjectKind::Map);
    check("Object.create(Map.prototype)", ObjectKind::Other);
    check("({ __proto__: Date.prototype })", ObjectKind::Other);
    check("new Proxy(new Map, {})", ObjectKind::Proxy);
    check("Promise.resolve()", ObjectKind::Promise);
    check("new Map().entries()", ObjectKind::MapIterator);
    check("new Float32Array(2)", ObjectKind::TypedArray);
    check("(function () { return arguments })()", ObjectKind::Arguments);
    check("new RangeError('a')", ObjectKind::Error);
    check("(class {})", ObjectKind::Other);
}

fn inside(source: &str, body: impl Fn(&Scope, rusk_jsc::Object<'_>)) {
    support::vm().turn(|scope| {
        let object = scope.evaluate(source, "test.js", 1).ok().and_then(|value| value.as_object(scope));
        let object = object.expect("an object");
        if is_layout_known() {
            body(scope, object);
        }
    });
}

#[test]
fn a_proxy_has_its_parts() {
    inside("globalThis.target = {}; new Proxy(target, { a: 1 })", |scope, proxy| {
        let (target, handler) = scope.proxy_parts(proxy).expect("it is a proxy");
        let global = scope.global().property(scope, "target").expect("it is there");
        assert!(target.is_same(global, scope));
        assert!(handler.as_object(scope).expect("an object").has_property(scope, "a"));
    });
    inside("const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); proxy", |scope, proxy| {
        let (target, handler) = scope.proxy_parts(proxy).expect("it is a proxy");
        assert_eq!([target.kind(scope), handler.kind(scope)], [rusk_jsc::Kind::Null; 2]);
    });
    inside("({})", |scope, object| assert!(scope.proxy_parts(object).is_none()));
}

#[test]
fn a_promise_has_its_state() {
    let check = |source: &str, state, text: &str| {
        inside(source, |scope, promise| {
            let (found, value) = scope.promise_parts(promise).expect("it is a promise");
            assert_eq!((found, value.to_rust_string(scope).ok().as_deref()), (state, Some(text)), "{source}");
        });
    };
    check("new Promise(() => {})", PromiseState::Pending, "undefined");
    check("Promise.resolve('a')", PromiseState::Fulfilled, "a");
    check("const p = Promise.reject(5); p.catch(() => {}); p", PromiseState::Rejected, "5");
}

#[test]
fn an_iterator_has_its_collection_and_its_position() {
    inside("globalThis.map = new Map([[1, 2], [3, 4]]); map.values()", |scope, iterator| {
        let (collection, way) = scope.iterator_parts(iterator).expect("it iterates");
        assert!(collection.is_same(scope.global().property(scope, "map").expect("there"), scope));
        assert_eq!(way, 1);
        let again = |source| scope.evaluate(source, "test.js", 1).ok()?.as_object(scope);
        assert!(scope.is_same_iterator_position(iterator, again("map.values()").expect("one")));
        assert!(!scope.is_same_iterator_position(
            iterator,
            again("{ const i = map.values(); i.next(); i }").expect("one")
        ));
    });
}

#[test]
fn a_structure_is_shared_by_objects_with_the_same_names() {
    let check = |source: &str, expected| {
        inside(source, |scope, list| {
            let part = |index| list.element(scope, index).ok()?.as_object(scope);
            let (one, other) = (part(0).expect("one"), part(1).expect("another"));
            assert_eq!(scope.has_same_structure(one, other), Some(expected), "{source}");
        });
    };
    check("[new Uint8Array(1), new Uint8Array(9)]", true);
    check("[new Uint8Array(1), Object.assign(new Uint8Array(1), { a: 1 })]", false);
    check("[new Uint8Array(1), new Int8Array(1)]", false);
    check("[new Uint8Array(1), Object.setPrototypeOf(new Uint8Array(1), null)]", false);
    check("const a = [1, 2], b = [3]; b.a = 1; [a, b]", false);
}
