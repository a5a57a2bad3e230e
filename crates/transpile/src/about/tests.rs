//! What V8 says, by the text at the engine's place, which `▲` marks.

use super::{Evaluated, Pattern, Wrong, about, evaluated, patterns_on_line, shown, shown_of_new};
use crate::{Language, Place};

fn said(marked: &str, wrong: Wrong) -> Option<String> {
    let (before, behind) = marked.split_once('▲').expect("a place is marked");
    let line = before.rsplit('\n').next().unwrap_or(before);
    let column = u32::try_from(line.encode_utf16().count()).expect("it is short");
    let place = Place { line: u32::try_from(before.matches('\n').count()).expect("it is short"), column };
    about(&format!("{before}{behind}"), Language::JavaScript, place, wrong)
}

fn check(marked: &str, wrong: Wrong, words: &str) {
    assert_eq!(said(marked, wrong).as_deref(), Some(words), "{marked}");
}

#[test]
fn variables_that_are_read_too_soon_are_named() {
    let check = |marked, name| {
        check(marked, Wrong::Uninitialized, &format!("Cannot access '{name}' before initialization"))
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
fn variables_that_the_text_leaves_open_are_not_named() {
    for marked in ["const f = () => { ▲if (a) b; c; let b, c; };", "▲let x = 1; x;"] {
        assert_eq!(said(marked, Wrong::Uninitialized), None, "{marked}");
    }
}

#[test]
fn constants_are_told_from_properties() {
    let constant = "Assignment to constant variable.";
    check("▲const c = 1; c = 2;", Wrong::ReadOnly, constant);
    check("const c = 1; function f() { c =▲ 2 }", Wrong::ReadOnly, constant);
    check("for (const i = 0; ▲i < 1; i++) ;", Wrong::ReadOnly, constant);
    for marked in [
        "'use strict'; const o = Object.freeze({}); o.▲a = 1;",
        "▲let c = 1; c = 2;",
        "const c = 1; c = 2; o.▲a = 1;",
    ] {
        assert_eq!(said(marked, Wrong::ReadOnly), None, "{marked}");
    }
}

#[test]
fn what_cannot_be_taken_apart_is_named() {
    let check = |marked, words| check(marked, Wrong::Destructured, words);
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
        assert_eq!(said(marked, Wrong::Destructured), None, "{marked}");
    }
}

#[test]
fn what_has_no_iterator_is_named() {
    let none = Wrong::Iterated(None);
    check("for (const x ▲of o.p) ;", none, "o.p is not iterable");
    check("for (const x ▲of f()) ;", none, "f is not a function or its return value is not iterable");
    check("const ▲[a] = o;", none, "o is not iterable");
    check("const [a] = o▲;", Wrong::Iterated(Some("undefined")), "o is not iterable");
    let nothing = "undefined is not iterable (cannot read property Symbol(Symbol.iterator))";
    check("((▲[a]) => a)()", Wrong::Iterated(Some("undefined")), nothing);
    check("let o; ▲[...o]", Wrong::Spread { is_nothing: false }, "o is not iterable");
    check("[...o▲]", Wrong::Spread { is_nothing: true }, "o is not iterable");
    check(
        "f(...o▲)",
        Wrong::Spread { is_nothing: true },
        "o is not iterable (cannot read property undefined or null)",
    );
    assert_eq!(said("f(...o▲)", Wrong::Spread { is_nothing: false }), None);
}

#[test]
fn what_is_called_is_shown_as_v8_shows_it() {
    let check = |text, words: &str| assert_eq!(shown(text).as_deref(), Some(words), "{text}");
    check("(a || b)", "(a || b)");
    check("(() => 1)()", "(intermediate value)(...)");
    check("new A().b", "(intermediate value).b");
    check("require('a').b", "require(...).b");
    check("[].a", "[].a");
    check("({}).a", "{}.a");
    check("'a'", "\"a\"");
    check("(void 0)", "(void 0)");
    assert_eq!(shown_of_new("new (a())()").as_deref(), Some("a(...)"));
    assert_eq!(shown("a?.b.c"), None);
}

#[test]
fn what_was_evaluated_is_read_from_its_text() {
    assert_eq!(evaluated("JSON.parse('a)').b"), Some(Evaluated::Read(Some("b".to_owned()))));
    assert_eq!(evaluated("a[b]"), Some(Evaluated::Read(None)));
    assert_eq!(evaluated("a[b] = 1"), Some(Evaluated::Written(None)));
    assert_eq!(evaluated("delete a.b"), Some(Evaluated::Deleted));
    assert_eq!(evaluated("a(b)"), Some(Evaluated::Called));
    assert_eq!(evaluated("a b"), None);
}

#[test]
fn properties_that_stay_as_they_are_are_named() {
    check("o▲.a = 1;", Wrong::ReadOnly, "Cannot assign to read only property 'a' of object 'o'");
    check("o.p▲[key]++;", Wrong::ReadOnly, "Cannot assign to read only property '[key]' of object 'o.p'");
    check("Math▲.PI = 1;", Wrong::ReadOnly, "Cannot assign to read only property 'PI' of object '#<Object>'");
    check("g =▲ 1;", Wrong::ReadOnly, "Cannot assign to read only property 'g'");
    check("o▲.a = 1;", Wrong::Added, "Cannot add property a, object is not extensible");
    check("delete o.a▲;", Wrong::Deleted, "Cannot delete property 'a' of o");
    check("Object.defineProperty▲(o, 'a', {});", Wrong::Redefined, "Cannot redefine property: a");
    check(
        "Object.defineProperty▲(o, 1, {});",
        Wrong::Added,
        "Cannot define property 1, object is not extensible",
    );
}

#[test]
fn regular_expressions_are_found() {
    check("new RegExp▲('a(', 'u')", Wrong::Pattern, "/a(/u");
    check("RegExp▲(`(`)", Wrong::Pattern, "/(/");
    check("'a'.matchAll▲('*')", Wrong::Pattern, "/*/g");
    check("RegExp▲('(', 'yvi')", Wrong::Pattern, "/(/ivy");
    assert_eq!(said("new RegExp▲(a)", Wrong::Pattern), None);
    assert_eq!(said("new RegExp▲('\\ud800(')", Wrong::Pattern), None);
    check("new RegExp▲(a, 'gg')", Wrong::PatternFlags, "Invalid flags supplied to RegExp constructor 'gg'");
    let text = "/0/;\nlet é = [/(/u, a / b / c,\t/[/]/g];\n/1/";
    let pattern = |pattern: &str, flags: &str, column| Pattern {
        pattern: pattern.to_owned(),
        flags: flags.to_owned(),
        column,
    };
    assert_eq!(
        patterns_on_line(text, Language::JavaScript, 1),
        [pattern("(", "u", 9), pattern("[/]", "g", 26)],
    );
    assert_eq!(patterns_on_line(text, Language::JavaScript, 3), []);
}
