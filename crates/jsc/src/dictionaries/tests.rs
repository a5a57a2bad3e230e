//! Objects that are dictionaries, and others.

use super::{Dictionaries, DictionaryKind};
use crate::engine::{Engine, Options};
use crate::vm::Vm;

#[test]
fn an_object_with_very_many_properties_is_a_dictionary() {
    let vm = Vm::new(Engine::load(&Options::default()).unwrap());
    vm.turn(|scope| {
        let dictionaries = Dictionaries::probe(scope).expect("this engine's source was reviewed");
        for source in
            ["({})", "({ a: 1 })", "Reflect", "Array.prototype.map", "new Map()", "function f() {}; f"]
        {
            let object = scope.evaluate(source, "sample.js", 1).unwrap();
            assert_eq!(dictionaries.kind(scope, object), Some(DictionaryKind::None), "{source}");
        }
        let many = "const o = {}; for (let i = 0; i < 1000; i++) o[`p${i}`] = i; ";
        for result in ["o", "delete o.p7, o", "Object.assign({ __proto__: null }, o)"] {
            let source = format!("(() => {{ {many} return {result} }})()");
            let object = scope.evaluate(&source, "sample.js", 1).unwrap();
            assert_ne!(dictionaries.kind(scope, object), Some(DictionaryKind::None), "{result}");
        }
    });
}

#[test]
fn the_structure_of_a_global_object_shows_changes_of_attributes() {
    let vm = Vm::new(Engine::load(&Options::default()).unwrap());
    vm.turn(|scope| {
        let dictionaries = Dictionaries::probe(scope).expect("this engine's source was reviewed");
        let many = "for (let i = 0; i < 300; i++) globalThis[`p${i}`] = i;";
        scope.evaluate(many, "sample.js", 1).unwrap();
        for change in [
            "Object.defineProperty(globalThis, 'p7', { enumerable: false })",
            "Object.defineProperty(globalThis, 'p8', { writable: false })",
            "Object.defineProperty(globalThis, 'p9', { configurable: false })",
            "Object.defineProperty(globalThis, 'p10', { get() {} })",
            "Object.defineProperty(globalThis, 'Array', { enumerable: true })",
            "delete globalThis.p11",
            "delete globalThis.Map",
            "Object.preventExtensions(globalThis)",
        ] {
            let before = dictionaries.of_global(scope);
            scope.evaluate(change, "change.js", 1).unwrap();
            let after = dictionaries.of_global(scope);
            assert!(before.is_none() || before != after, "{change}: {before:?} {after:?}");
        }
    });
}
