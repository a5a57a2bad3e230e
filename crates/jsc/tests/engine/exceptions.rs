//! Exceptions in both directions.

use crate::support::{text_of, vm};
use rusk_jsc::{ErrorKind, Exception, Position};

#[test]
fn an_exception_has_message_stack_and_position() {
    vm().turn(|scope| {
        let source = "function inner() {\n  throw new RangeError('too far');\n}\n\n  inner()";
        let exception = scope.evaluate(source, "file:///a.js", 10).expect_err("it throws");
        assert_eq!(exception.message(scope), "RangeError: too far");
        let position = exception.position(scope).expect("an error has a place");
        assert_eq!(position, Position { url: "file:///a.js".to_owned(), line: 11, column: Some(23) });
        let stack = exception.stack(scope).expect("an error has a stack");
        let lines: Vec<&str> = stack.lines().collect();
        assert!(lines[0].starts_with("inner@file:///a.js:11:"), "{stack}");
        assert!(lines[1].starts_with("global code@file:///a.js:14:"), "{stack}");
    });
}

#[test]
fn a_syntax_error_has_a_position() {
    vm().turn(|scope| {
        let exception =
            scope.evaluate("let a = 1;\nlet b = ;\n", "bad.js", 1).expect_err("it does not parse");
        assert!(exception.message(scope).starts_with("SyntaxError: "));
        let position = exception.position(scope).map(|position| (position.url, position.line));
        assert_eq!(position, Some(("bad.js".to_owned(), 2)));
    });
}

#[test]
fn anything_can_be_thrown() {
    vm().turn(|scope| {
        for (source, message) in [
            ("throw 42", "42"),
            ("throw undefined", "undefined"),
            ("throw null", "null"),
            ("throw 'a string'", "a string"),
            ("throw { toString() { return 'own' } }", "own"),
            ("throw { toString() { throw 1 } }", ""),
            ("throw Symbol('s')", ""),
        ] {
            let exception = scope.evaluate(source, "test.js", 1).expect_err("it throws");
            assert_eq!(exception.message(scope), message, "{source}");
            assert_eq!(exception.position(scope), None, "{source}");
            assert_eq!(exception.stack(scope), None, "{source}");
        }
        let exception =
            scope.evaluate("throw { get stack() { throw 1 } }", "test.js", 1).expect_err("it throws");
        assert_eq!(exception.stack(scope), None);
    });
}

#[test]
fn errors_of_ours_are_errors_of_the_language() {
    vm().turn(|scope| {
        let function = scope.function("fail", |scope, call| {
            let kind = match call.argument(scope, 0).to_rust_string(scope)?.as_str() {
                "type" => ErrorKind::Type,
                "range" => ErrorKind::Range,
                _ => ErrorKind::Error,
            };
            Err(Exception::new(scope, kind, "caf\u{e9}"))
        });
        scope.global().set_property(scope, "fail", function.value()).expect("it is set");
        // Changes of the globals by a program have no effect.
        text_of(scope, "const Was = TypeError; globalThis.TypeError = null; globalThis.RangeError = null");
        for (kind, class) in [("error", "Error"), ("type", "TypeError"), ("range", "RangeError")] {
            let source = format!(
                "try {{ fail('{kind}') }} catch (e) {{ e + String(e instanceof Error) + typeof e.stack }}"
            );
            assert_eq!(text_of(scope, &source), format!("{class}: caf\u{e9}truestring"));
        }
        assert_eq!(text_of(scope, "try { fail('type') } catch (e) { e instanceof Was }"), "true");
    });
}

#[test]
fn an_exception_passes_through_rust_as_the_value_it_was() {
    vm().turn(|scope| {
        let function = scope.function("through", |scope, call| {
            call.argument(scope, 0).as_function(scope).expect("it is one").call(scope, &[])
        });
        scope.global().set_property(scope, "through", function.value()).expect("it is set");
        let source = "const e = {}; let same; try { through(() => through(() => { throw e })) } catch (x) { same = x === e } same";
        assert_eq!(text_of(scope, source), "true");
    });
}

#[test]
fn a_stack_overflow_is_a_range_error() {
    vm().turn(|scope| {
        let function = scope.function("deep", |scope, call| {
            let callee = call.argument(scope, 0).as_function(scope).expect("it is one");
            callee.call(scope, &[callee.value()])
        });
        scope.global().set_property(scope, "deep", function.value()).expect("it is set");
        let text = text_of(scope, "(function f() { f() })()");
        assert!(text.starts_with("thrown: RangeError: Maximum call stack"), "{text}");
        let text = text_of(scope, "const f = () => deep(f); deep(f)");
        assert!(text.starts_with("thrown: RangeError: Maximum call stack"), "{text}");
    });
}
