//! Changes of objects that the words of their properties show.

use super::{PropertyLayout, PropertyWords};
use crate::engine::{Engine, Options};
use crate::object::Object;
use crate::scope::Scope;
use crate::value::Value;
use crate::vm::Vm;

/// An object and the values of its data properties.
const TAKE: &str = "(object) => {
    const all = Object.values(Object.getOwnPropertyDescriptors(object)).concat(
        Object.getOwnPropertySymbols(object).map((key) => Object.getOwnPropertyDescriptor(object, key)));
    const data = all.filter((own) => 'value' in own).map((own) => own.value);
    return [data, all.length - data.length];
}";

fn list<'s>(scope: &'s Scope, object: Object<'s>) -> Vec<Value<'s>> {
    let count = object.property(scope, "length").unwrap().to_number(scope).unwrap() as u32;
    (0..count).map(|index| object.element(scope, index).unwrap()).collect()
}

fn take(scope: &Scope, object: Object<'_>) -> Option<PropertyWords> {
    let function = scope.evaluate(TAKE, "sample.js", 1).unwrap().as_function(scope).unwrap();
    let found = function.call(scope, &[object.value()]).unwrap().as_object(scope).unwrap();
    let values = list(scope, found.element(scope, 0).unwrap().as_object(scope).unwrap());
    let accessors = found.element(scope, 1).unwrap().to_number(scope).unwrap() as usize;
    let layout = PropertyLayout::probe(scope).expect("this engine's source was reviewed");
    PropertyWords::take(scope, layout, object, &values, accessors)
}

/// Runs a change of `o`. Out: whether the words of `o` were the same after it.
fn are_same_after(source: &str, change: &str) -> bool {
    let vm = Vm::new(Engine::load(&Options::default()).unwrap());
    vm.turn(|scope| {
        let object = scope.evaluate(&format!("globalThis.o = ({source})"), "sample.js", 1).unwrap();
        let object = object.as_object(scope).unwrap();
        let words = take(scope, object).unwrap_or_else(|| panic!("the words of {source} are found"));
        assert!(words.are_same(scope, object), "{source}");
        scope.evaluate(change, "change.js", 1).unwrap();
        words.are_same(scope, object)
    })
}

#[test]
fn a_change_of_a_value_is_seen() {
    for source in [
        "{ a: 1, f() {} }",
        "{ a: 1, b: 2, c: 3, d: 4, e: 5, f() {} }",
        "(() => { class A { f() {} get a() {} static {} } for (const key of 'bcdeghijkl') A.prototype[key] = () => {}; return A.prototype })()",
        "Object.assign(Reflect, { a: 1, f() {} })",
        "Object.assign(Date.prototype, { a: 1, f() {} })",
        "Object.assign(Map, { a: 1, f() {} })",
    ] {
        assert!(are_same_after(source, "o.f; o.a"), "{source}");
        assert!(!are_same_after(source, "o.f = () => {}"), "{source}");
        assert!(!are_same_after(source, "const { f } = o; delete o.f; o.g = f"), "{source}");
        assert!(
            !are_same_after(source, "Object.defineProperty(o, 'a', { get() {}, configurable: true })"),
            "{source}"
        );
        assert!(!are_same_after(source, "Object.setPrototypeOf(o, { y: 1 })"), "{source}");
    }
}

#[test]
fn a_change_of_an_accessor_is_seen() {
    let source = "{ get a() { return 1; }, set a(value) {}, f() {} }";
    assert!(are_same_after(source, "o.a; o.a = 2"));
    assert!(!are_same_after(source, "Object.defineProperty(o, 'a', { get() { return 2; } })"));
    assert!(!are_same_after(source, "Object.defineProperty(o, 'a', { set() {} })"));
}

#[test]
fn values_that_are_in_no_word_are_named() {
    let vm = Vm::new(Engine::load(&Options::default()).unwrap());
    vm.turn(|scope| {
        for (source, missing) in [
            ("[1, 2, 3]", 4),
            ("new String('text')", 5),
            ("/a/", 1),
            ("Array.prototype", 1),
            ("({ a: 1 })", 0),
        ] {
            let object = scope.evaluate(source, "sample.js", 1).unwrap().as_object(scope).unwrap();
            let words = take(scope, object).expect("its words are found");
            assert_eq!(words.missing().len(), missing, "{source}");
        }
    });
}

#[test]
fn an_object_of_the_engine_has_words_of_private_names_too() {
    for (source, change) in [
        ("Promise", "o.resolve = () => {}"),
        ("Map.prototype", "Object.defineProperty(o, 'size', { get() {} })"),
        ("Array", "o.of = 1"),
        ("RegExp", "Object.defineProperty(o, '$1', { value: 1, configurable: true })"),
        ("String.prototype", "o.at = 1"),
        ("class A { static #a = 1; static b() {} }", "o.b = 1"),
    ] {
        assert!(are_same_after(source, "o.b; Object.keys(o)"), "{source}");
        assert!(!are_same_after(source, change), "{source}: {change}");
        assert!(!are_same_after(source, "o.other = 1"), "{source}");
    }
}

/// An object with so many properties that it is a dictionary.
const DICTIONARY: &str = "(() => {
    const object = {};
    for (let index = 0; index < 100; index++) {
        Object.defineProperty(object, `key${index}`, { value: index, writable: true, configurable: true });
    }
    return object;
})()";

#[test]
fn a_change_of_a_dictionary_is_seen() {
    assert!(are_same_after(DICTIONARY, "o.key7; for (const key in o) o[key]"));
    for change in [
        "o.key7 = 8",
        "o.key99 = {}",
        "o.other = 1",
        "Object.defineProperty(o, 'other', { get() {} })",
        "Object.defineProperty(o, 'key7', { enumerable: true })",
        "Object.defineProperty(o, 'key7', { writable: false })",
        "Object.defineProperty(o, 'key7', { get() {} })",
        "delete o.key7",
        "delete o.key99; o.key99 = 99",
        "Object.setPrototypeOf(o, null)",
        "Object.preventExtensions(o)",
        "Object.freeze(o)",
    ] {
        assert!(!are_same_after(DICTIONARY, change), "{change}");
    }
}

#[test]
fn a_change_of_the_global_object_is_seen() {
    for (change, is_seen) in [
        ("Array; globalThis.Map; Object.keys(globalThis)", false),
        ("const a = 1", false),
        ("Array = 1", true),
        ("globalThis.other = 1", true),
        ("(0, eval)('var other = 1')", true),
        ("delete globalThis.Map", true),
        ("Object.defineProperty(globalThis, 'Map', { get() {} })", true),
    ] {
        let vm = Vm::new(Engine::load(&Options::default()).unwrap());
        vm.turn(|scope| {
            // The engine makes them when they are first read.
            scope.evaluate("Object.getOwnPropertyDescriptors(globalThis)", "sample.js", 1).unwrap();
            let layout = PropertyLayout::probe(scope).expect("this engine's source was reviewed");
            let words = PropertyWords::take_global(scope, layout, &[], 0).expect("they are found");
            scope.evaluate(change, "change.js", 1).unwrap();
            assert_eq!(words.are_same_of_global(scope), !is_seen, "{change}");
        });
    }
}
