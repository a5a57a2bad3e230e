//! Types, conversions, properties, calls, contexts.

use crate::support::{text_of, vm};
use rusk_jsc::{JsString, Kind, Scope, Value};

#[test]
fn every_type_is_reported() {
    vm().turn(|scope| {
        let check = |source: &str, kind: Kind| {
            let value = scope.evaluate(source, "test.js", 1).expect("it is an expression");
            assert_eq!(value.kind(scope), kind, "{source}");
        };
        check("undefined", Kind::Undefined);
        check("null", Kind::Null);
        check("false", Kind::Boolean);
        check("0.5", Kind::Number);
        check("'a'", Kind::String);
        check("Symbol('a')", Kind::Symbol);
        check("1n", Kind::BigInt);
        check("({})", Kind::Object);
        check("(() => 0)", Kind::Object);
    });
}

#[test]
fn values_made_by_rust_equal_those_of_scripts() {
    vm().turn(|scope| {
        let made: [(&str, Value<'_>); 6] = [
            ("undefined", scope.undefined()),
            ("null", scope.null()),
            ("true", scope.boolean(true)),
            ("-0.25", scope.number(-0.25)),
            ("'caf\u{e9}'", scope.string("caf\u{e9}")),
            ("''", scope.string("")),
        ];
        for (source, value) in made {
            let expected = scope.evaluate(source, "test.js", 1).expect("it is an expression");
            assert!(value.is_same(expected, scope), "{source}");
        }
        assert!(scope.number(1.0).is_truthy(scope) && !scope.string("").is_truthy(scope));
        assert!(scope.undefined().is_undefined(scope));
    });
}

#[test]
fn numbers_and_strings_are_converted_as_the_language_does() {
    vm().turn(|scope| {
        let number = |source: &str| {
            let value = scope.evaluate(source, "test.js", 1).expect("it is an expression");
            value.to_number(scope).map_err(|thrown| thrown.message(scope))
        };
        assert_eq!(number("'0x10'"), Ok(16.0));
        assert_eq!(number("({ valueOf: () => 7 })"), Ok(7.0));
        assert_eq!(number("({ valueOf() { throw new TypeError('no') } })"), Err("TypeError: no".to_owned()));
        assert_eq!(number("2n"), Ok(2.0));
        assert!(number("Symbol()").is_err());
        assert_eq!(text_of(scope, "[1, [2, null], 'x']"), "1,2,,x");
        assert!(text_of(scope, "Symbol('x')").starts_with("thrown: TypeError"));
    });
}

#[test]
fn properties_are_read_written_listed_and_deleted() {
    vm().turn(|scope| {
        let object = scope.evaluate("({ a: 1, get b() { return this.a + 1 } })", "test.js", 1);
        let object = object.expect("it is an expression").as_object(scope).expect("it is an object");
        let name = JsString::new(scope, "a");
        object.set_property(scope, &name, scope.number(41.0)).expect("it is writable");
        let sum = object.property(scope, "b").and_then(|value| value.to_number(scope)).expect("a number");
        assert_eq!(sum.to_bits(), 42.0_f64.to_bits());
        assert_eq!(object.property_names(scope), ["a", "b"]);
        assert!(
            object.has_property(scope, "toString")
                && object.property(scope, "c").expect("none").is_undefined(scope)
        );
        assert!(object.delete_property(scope, &name).expect("it is configurable"));
        assert_eq!(object.property_names(scope), ["b"]);
        let array = scope.array(&[scope.string("x"), scope.null()]).expect("it is made");
        assert!(array.value().is_array(scope));
        assert_eq!(
            array.element(scope, 0).expect("it is there").to_rust_string(scope).expect("a string"),
            "x"
        );
    });
}

#[test]
fn functions_are_called_and_constructed() {
    vm().turn(|scope| {
        let function = |source: &str| {
            let value = scope.evaluate(source, "test.js", 1).expect("it is an expression");
            value.as_function(scope).expect("it is a function")
        };
        let add = function("(function (a, b) { 'use strict'; return `${this}:${a + b}` })");
        let three = [scope.number(1.0), scope.number(2.0)];
        // The C API has no undefined `this`; without one it is the global object.
        assert!(
            add.call(scope, &three)
                .expect("it returns")
                .to_rust_string(scope)
                .expect("a string")
                .ends_with(":3")
        );
        let array = scope.array(&[scope.number(9.0)]).expect("it is made");
        assert_eq!(
            add.call_on(scope, array, &three).expect("returns").to_rust_string(scope).expect("a string"),
            "9:3"
        );
        let date = function("Map").construct(scope, &[]).expect("it is constructed");
        assert!(date.is_instance(scope, function("Map")).expect("no handler throws"));
        assert!(!date.is_instance(scope, function("Set")).expect("no handler throws"));
        assert!(function("(() => 0)").construct(scope, &[]).is_err());
        assert!(scope.number(1.0).as_function(scope).is_none());
    });
}

#[test]
fn builtin_scripts_run_in_place() {
    vm().turn(|scope| {
        let run = |source: &'static str| {
            let result = scope.evaluate_static(source, "builtin:x");
            result.and_then(|value| value.to_rust_string(scope)).map_err(|thrown| thrown.message(scope))
        };
        assert_eq!(run("(() => 'plain')()"), Ok("plain".to_owned()));
        assert_eq!(run("'caf\u{e9}'"), Ok("caf\u{e9}".to_owned()));
        assert!(run("let = =").expect_err("it does not parse").starts_with("SyntaxError"));
        assert_eq!(run("throw 7"), Err("7".to_owned()));
    });
}

#[test]
fn a_context_may_have_another_prototype() {
    let vm = vm();
    let context = vm.context();
    let replaced = "Object.setPrototypeOf(globalThis, { given: 7 }); given + (globalThis.Array === Array)";
    let text = |scope: &Scope| match scope.evaluate(replaced, "test.js", 1) {
        Ok(value) => value.to_rust_string(scope).expect("a string"),
        Err(thrown) => thrown.message(scope),
    };
    assert!(vm.turn_in_context(&context, text).contains("immutable prototype"));
    assert!(
        vm.turn(|scope| scope.make_global_prototype_mutable(&context)),
        "the engine is one that is known"
    );
    assert_eq!(vm.turn_in_context(&context, text), "8");
    assert!(vm.turn(text).contains("immutable prototype"), "that of the first one stays");
    vm.turn_in_context(&context, |scope| {
        scope.collect(rusk_jsc::Gc::Now);
        let grown = "for (let index = 0; index < 200; index++) globalThis['name' + index] = index; Object.setPrototypeOf(globalThis, null); name199";
        assert_eq!(scope.evaluate(grown, "test.js", 1).expect("it runs").to_number(scope).expect("a number"), 199.0);
    });
}

#[test]
fn contexts_share_a_heap_and_nothing_else() {
    let vm = vm();
    let other = vm.context();
    vm.turn(|scope| text_of(scope, "globalThis.here = 1; Array.prototype.mark = 1"));
    vm.turn_in_context(&other, |scope| {
        assert_eq!(text_of(scope, "`${typeof here} ${[].mark}`"), "undefined undefined");
        text_of(scope, "globalThis.there = 1");
    });
    assert_eq!(vm.turn(|scope| text_of(scope, "typeof there")), "undefined");
    drop(other);
    assert_eq!(vm.turn(|scope| text_of(scope, "here")), "1");
}

#[test]
fn a_scope_holds_more_values_than_its_stack_has_room_for() {
    let vm = vm();
    vm.turn(|scope| {
        let strings: Vec<String> = (0..1000).map(|number| format!("text number {number}")).collect();
        let values: Vec<Value<'_>> = strings.iter().map(|text| scope.string(text)).collect();
        vm.collect(rusk_jsc::Gc::Now);
        for (value, text) in values.iter().zip(&strings) {
            assert_eq!(value.to_rust_string(scope).expect("a string"), *text);
        }
        assert!(scope.memory_statistics().protected > 900);
    });
    assert!(vm.turn(|scope| scope.memory_statistics().protected) < 100);
}

#[test]
fn messages_of_the_engines_errors_are_rewritten_before_they_are_read() {
    let vm = vm();
    vm.turn(|scope| {
        let translate = "globalThis.seen = []; (error, words, isMessage) => { seen.push(`${words} ${isMessage}`); if (words !== undefined) error.message = words; \
             Object.defineProperty(error, 'stack', { configurable: true, get: () => 'ours' }); }";
        let translate = scope.evaluate(translate, "test.js", 1).expect("it runs").as_function(scope);
        let reword = |message: &str| message.strip_prefix("Can't find variable: ").map(|name| format!("no {name}"));
        assert!(scope.set_stack_translator(translate.expect("it is a function"), reword), "the engine is one that is known");
        let asked = |code: &str| text_of(scope, &format!("seen = []; try {{ absent }} catch (error) {{ {code} + ', ' + seen }}"));
        assert_eq!(asked("error.message"), "no absent, no absent true");
        assert_eq!(asked("error.stack + error.message"), "oursno absent, no absent undefined");
        assert_eq!(asked("String(error)"), "ReferenceError: no absent, no absent true");
        assert_eq!(asked("Object.getOwnPropertyDescriptor(error, 'message').value"), "no absent, no absent true");
        assert_eq!(text_of(scope, "seen = []; try { null.x } catch (error) { typeof error.message + seen }"), "string");
        // Compiled code with inline caches.
        let often = "let same = 0; for (let index = 0; index < 20000; index++) { try { absent } catch (error) { same += error.message === 'no absent' } } same";
        assert_eq!(text_of(scope, often), "20000");
    });
}

#[test]
fn stacks_of_the_engines_errors_are_translated_before_they_are_read() {
    let vm = vm();
    let other = vm.context();
    vm.turn(|scope| {
        let translate = "globalThis.seen = []; (error) => { seen.push(error.stack); if (error.message === 'no') throw 1; \
             Object.defineProperty(error, 'stack', { configurable: true, get: () => 'ours' }); }";
        let translate = scope.evaluate(translate, "test.js", 1).expect("it runs").as_function(scope);
        let translate = translate.expect("it is a function");
        assert!(scope.set_stack_translator(translate, |_| None), "the engine is one that is known");
        assert!(!scope.set_stack_translator(translate, |_| None), "the first one stays");
        let made = "var error; try { (function named() { null.property })() } catch (thrown) { error = thrown }";
        assert_eq!(text_of(scope, &format!("{made} `${{seen.length}} ${{error.stack}} ${{error.stack}} ${{seen.length}}`")), "0 ours ours 1");
        assert!(text_of(scope, "seen[0]").starts_with("named@test.js:1:"));
        // However the property is read.
        assert_eq!(text_of(scope, &format!("{made} typeof Object.getOwnPropertyDescriptor(error, 'stack').get")), "function");
        assert_eq!(text_of(scope, &format!("{made} Object.keys(error); ({{ ...error }}); Reflect.get(error, 'st' + 'ack')")), "ours");
        assert_eq!(text_of(scope, &format!("{made} error.stack = 'mine'; error.stack")), "ours");
        assert_eq!(text_of(scope, &format!("{made} error.stack = 7; error.stack")), "7");
        // An error that cannot be translated stays as it is, and so do other properties.
        assert!(text_of(scope, "new Error('no').stack").contains("test.js"));
        assert_eq!(text_of(scope, "({ stack: 'a@b' }).stack + new Error('yes').message"), "a@byes");
        // Compiled code with inline caches.
        let often = "let same = 0; for (let index = 0; index < 20000; index++) { try { null[index] } catch (error) { same += error.stack === 'ours' } } same";
        assert_eq!(text_of(scope, often), "20000");
    });
    // A context of the same VM.
    vm.turn_in_context(&other, |scope| {
        assert_eq!(text_of(scope, "try { null.x } catch (error) { error.stack }"), "ours")
    });
}
