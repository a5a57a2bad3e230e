//! V8's messages by the source text; `▲` marks the engine's position.

use super::{
    EngineErrorKind, NullishUse, RegExpSource, nullish_use, print_callee, print_constructor, regexps_on_line,
    v8_message,
};
use crate::{Language, SourcePosition};

fn found_message(marked: &str, kind: EngineErrorKind) -> Option<String> {
    let (before, after) = marked.split_once('▲').expect("a position is marked");
    let line = before.rsplit('\n').next().unwrap_or(before);
    let column = u32::try_from(line.encode_utf16().count()).expect("it is short");
    let position =
        SourcePosition { line: u32::try_from(before.matches('\n').count()).expect("it is short"), column };
    v8_message(&format!("{before}{after}"), Language::JavaScript, position, kind)
}

fn check(marked: &str, kind: EngineErrorKind, message: &str) {
    assert_eq!(found_message(marked, kind).as_deref(), Some(message), "{marked}");
}

#[test]
fn variables_that_are_read_too_soon_are_named() {
    let check = |marked, name| {
        check(
            marked,
            EngineErrorKind::Uninitialized,
            &format!("Cannot access '{name}' before initialization"),
        )
    };
    check("▲x; let x = 1;", "x");
    check("▲f(); x; let x; function f() {}", "x");
    check("const f = () => 1; f▲(); x; let x;", "x");
    check("f(); let z = 1; function f() { return z▲ }", "z");
    check("f(); let z = 1; function f() { z =▲ 1 }", "z");
    check("const g = ▲() => { let a = a; };", "a");
    check("const g = ▲(a = b, b) => a;", "b");
    check("class A extends ▲A {}", "A");
    check("for (const w ▲of w) ;", "w");
    check("const é = '𝒜'; function f() { return z▲ } let z;", "z");
}

#[test]
fn ambiguous_variables_are_not_named() {
    for marked in ["const f = () => { ▲if (a) b; c; let b, c; };", "▲let x = 1; x;"] {
        assert_eq!(found_message(marked, EngineErrorKind::Uninitialized), None, "{marked}");
    }
}

#[test]
fn constants_and_properties_have_different_messages() {
    let constant = "Assignment to constant variable.";
    check("▲const c = 1; c = 2;", EngineErrorKind::ReadOnly, constant);
    check("const c = 1; function f() { c =▲ 2 }", EngineErrorKind::ReadOnly, constant);
    check("for (const i = 0; ▲i < 1; i++) ;", EngineErrorKind::ReadOnly, constant);
    for marked in [
        "'use strict'; const o = Object.freeze({}); o.▲a = 1;",
        "▲let c = 1; c = 2;",
        "const c = 1; c = 2; o.▲a = 1;",
    ] {
        assert_eq!(found_message(marked, EngineErrorKind::ReadOnly), None, "{marked}");
    }
}

#[test]
fn destructured_values_are_named() {
    let check = |marked, message| check(marked, EngineErrorKind::NotDestructurable, message);
    check("const { a } = b▲;", "Cannot destructure property 'a' of 'b' as it is undefined or null.");
    check(
        "const { a } = b▲.c();",
        "Cannot destructure property 'a' of 'b.c(...)' as it is undefined or null.",
    );
    check("const {} = b▲;", "Cannot destructure 'b' as it is undefined or null.");
    check("const { a = 1 } = b▲;", "Cannot read properties of undefined or null (reading 'a')");
    check("const { a } = null▲;", "Cannot destructure property 'a' of 'null' as it is null.");
    check("let a; ({ a } = b▲);", "Cannot destructure property 'a' of 'b' as it is undefined or null.");
    check(
        "const f = ▲(o) => { const { a } = o; return a; };",
        "Cannot destructure property 'a' of 'o' as it is undefined or null.",
    );
    check(
        "function f▲(o) { const { a } = o; g(); const { b } = o; }",
        "Cannot destructure property 'a' of 'o' as it is undefined or null.",
    );
    check(
        "function f(o) { g▲(); const { a } = o; }",
        "Cannot destructure property 'a' of 'o' as it is undefined or null.",
    );
    check(
        "(function ▲({ a }) {})();",
        "Cannot destructure property 'a' of a parameter as it is undefined or null.",
    );
    check(
        "({ a }) => { g▲(a); }",
        "Cannot destructure property 'a' of a parameter as it is undefined or null.",
    );
    check("(({ a }) => a▲)()", "Cannot destructure property 'a' of a parameter as it is undefined or null.");
    check(
        "(x, { a }) => ▲a + x",
        "Cannot destructure property 'a' of a parameter as it is undefined or null.",
    );
    for marked in [
        "({ a }) => { g▲(a); const { b } = a; }",
        "({ a }) => { g▲(a); for (const { b } of a); }",
        "({ a }) => { g▲(a); ({ b: a } = a); }",
        "({ a }, { b }) => g▲(a, b)",
        "const { a: { b } } = c▲;",
        "function f▲(o, p) { const { a } = o; const { b } = p; }",
        "(function ▲({ a }, o) { const { b } = o; })();",
        "function f(o) { g▲(); h(); const { a } = o; }",
    ] {
        assert_eq!(found_message(marked, EngineErrorKind::NotDestructurable), None, "{marked}");
    }
}

#[test]
fn non_iterable_values_are_named() {
    let none = EngineErrorKind::NotIterable(None);
    check("for (const x ▲of o.p) ;", none, "o.p is not iterable");
    check("for (const x ▲of f()) ;", none, "f is not a function or its return value is not iterable");
    check("for await (const x ▲of o.p) ;", none, "o.p is not async iterable");
    let call = "f is not a function or its return value is not async iterable";
    check("for await (const x ▲of f()) ;", none, call);
    check("const ▲[a] = o;", none, "o is not iterable");
    check("const [a] = o▲;", EngineErrorKind::NotIterable(Some("undefined")), "o is not iterable");
    let nothing = "undefined is not iterable (cannot read property Symbol(Symbol.iterator))";
    check("((▲[a]) => a)()", EngineErrorKind::NotIterable(Some("undefined")), nothing);
    check("let o; ▲[...o]", EngineErrorKind::NotSpreadable { is_nullish: false }, "o is not iterable");
    check("[...o▲]", EngineErrorKind::NotSpreadable { is_nullish: true }, "o is not iterable");
    check(
        "f(...o▲)",
        EngineErrorKind::NotSpreadable { is_nullish: true },
        "o is not iterable (cannot read property undefined or null)",
    );
    assert_eq!(found_message("f(...o▲)", EngineErrorKind::NotSpreadable { is_nullish: false }), None);
}

#[test]
fn called_values_are_named() {
    check("a.b▲`c`", EngineErrorKind::NotCallable, "a.b is not a function");
    check("a.b▲(c)", EngineErrorKind::NotCallable, "a.b is not a function");
}

#[test]
fn callees_are_printed_like_v8() {
    let check = |text, message: &str| assert_eq!(print_callee(text).as_deref(), Some(message), "{text}");
    check("(a || b)", "(a || b)");
    check("(() => 1)()", "(intermediate value)(...)");
    check("new A().b", "(intermediate value).b");
    check("require('a').b", "require(...).b");
    check("[].a", "[].a");
    check("({}).a", "{}.a");
    check("'a'", "\"a\"");
    check("(void 0)", "(void 0)");
    assert_eq!(print_constructor("new (a())()").as_deref(), Some("a(...)"));
    assert_eq!(print_callee("a?.b.c"), None);
}

#[test]
fn quoted_expressions_are_classified() {
    assert_eq!(nullish_use("JSON.parse('a)').b"), Some(NullishUse::Get(Some("b".to_owned()))));
    assert_eq!(nullish_use("a[b]"), Some(NullishUse::Get(None)));
    assert_eq!(nullish_use("a[b] = 1"), Some(NullishUse::Set(None)));
    assert_eq!(nullish_use("delete a.b"), Some(NullishUse::Delete));
    assert_eq!(nullish_use("a(b)"), Some(NullishUse::Call));
    assert_eq!(nullish_use("a b"), None);
}

#[test]
fn properties_that_cannot_change_are_named() {
    let read_only = |marked, property, object| {
        let message = format!("Cannot assign to read only property '{property}' of object '{object}'");
        check(marked, EngineErrorKind::ReadOnly, &message);
    };
    read_only("o▲.a = 1;", "a", "#<Object>");
    read_only("o.p▲[key]++;", "[key]", "#<Object>");
    read_only("o▲[0] = 1;", "0", "[object Array]");
    read_only("class A { b() { this▲.c = 1; } }", "c", "#<A>");
    let getter = "Cannot set property a of #<Object> which has only a getter";
    check("const o = { get a() { return 1; } }; o▲.a = 1;", EngineErrorKind::ReadOnly, getter);
    let getter = "Cannot set property a of #<B> which has only a getter";
    check("o▲.a = 1; class B { get a() { return 1; } }", EngineErrorKind::ReadOnly, getter);
    read_only("({ get a() { return 1; }, set a(b) {} }); o▲.a = 1;", "a", "#<Object>");
    check(
        "Math▲.PI = 1;",
        EngineErrorKind::ReadOnly,
        "Cannot assign to read only property 'PI' of object '#<Object>'",
    );
    check("g =▲ 1;", EngineErrorKind::ReadOnly, "Cannot assign to read only property 'g'");
    check("o▲.a = 1;", EngineErrorKind::NotExtensible, "Cannot add property a, object is not extensible");
    check("delete o.a▲;", EngineErrorKind::NotDeletable, "Cannot delete property 'a' of #<Object>");
    check(
        "Object.defineProperty▲(o, 'a', {});",
        EngineErrorKind::NotRedefinable,
        "Cannot redefine property: a",
    );
    check(
        "Object.defineProperty▲(o, 1, {});",
        EngineErrorKind::NotExtensible,
        "Cannot define property 1, object is not extensible",
    );
}

#[test]
fn regular_expressions_are_found() {
    check("new RegExp▲('a(', 'u')", EngineErrorKind::InvalidRegExp, "/a(/u");
    check("RegExp▲(`(`)", EngineErrorKind::InvalidRegExp, "/(/");
    check("'a'.matchAll▲('*')", EngineErrorKind::InvalidRegExp, "/*/g");
    check("RegExp▲('(', 'yvi')", EngineErrorKind::InvalidRegExp, "/(/ivy");
    assert_eq!(found_message("new RegExp▲(a)", EngineErrorKind::InvalidRegExp), None);
    assert_eq!(found_message("new RegExp▲('\\ud800(')", EngineErrorKind::InvalidRegExp), None);
    check(
        "new RegExp▲(a, 'gg')",
        EngineErrorKind::InvalidRegExpFlags,
        "Invalid flags supplied to RegExp constructor 'gg'",
    );
    let text = "/0/;\nlet é = [/(/u, a / b / c,\t/[/]/g];\n/1/";
    let pattern = |pattern: &str, flags: &str, column| RegExpSource {
        pattern: pattern.to_owned(),
        flags: flags.to_owned(),
        column,
    };
    assert_eq!(
        regexps_on_line(text, Language::JavaScript, 1),
        [pattern("(", "u", 9), pattern("[/]", "g", 26)],
    );
    assert_eq!(regexps_on_line(text, Language::JavaScript, 3), []);
}
