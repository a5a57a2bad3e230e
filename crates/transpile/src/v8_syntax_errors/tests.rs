//! Messages for common mistakes.

use super::{MESSAGES, token};
use crate::options::{Language, Options};
use crate::script::SourceKind;
use crate::transpile::transpile_parsed;

/// The message, its column and its width.
#[track_caller]
fn check_in(kind: SourceKind, source: &str, message: &str, column: u32, width: u32) {
    let options = Options::new(Language::JavaScript, Some(kind));
    let errors = transpile_parsed(source, "a.js", &options).map(|_| ()).expect_err("it does not parse");
    let first = errors.first();
    assert_eq!((&*first.message, first.position.column, first.width), (message, column, width), "{source}");
}

#[track_caller]
fn check(source: &str, message: &str, column: u32, width: u32) {
    check_in(SourceKind::Module, source, message, column, width);
}

#[test]
fn the_table_is_in_order() {
    assert!(MESSAGES.is_sorted_by_key(|row| row.0));
}

#[test]
fn unexpected_tokens_are_named() {
    check("({ a: 1 b: 2 })", "Unexpected identifier 'b'", 8, 1);
    check("x y", "Unexpected identifier 'y'", 2, 1);
    check("x /* y */ y", "Unexpected identifier 'y'", 10, 1);
    check("var a = 5 'b'", "Unexpected string", 10, 3);
    check("var y == 2", "Unexpected token '=='", 6, 2);
    check("[1 2]", "Unexpected number", 3, 1);
    check("if (x { }", "Unexpected token '{'", 6, 1);
    check("a = { b: 1;\n}", "Unexpected token ';'", 10, 1);
    check("var class = 1", "Unexpected token 'class'", 4, 5);
    check("while (x y) {}", "Unexpected identifier 'y'", 9, 1);
    check("function f(a b) {}", "Unexpected identifier 'b'", 13, 1);
    check("class { }", "Unexpected token '{'", 6, 1);
    check("(a)\n=> 1", "Unexpected token '=>'", 0, 2);
}

#[test]
fn parameters_have_different_names() {
    let message = "Duplicate parameter name not allowed in this context";
    check("function f(a, b, a) {}", message, 17, 1);
    check("(a, [{ b: a }]) => 1", message, 10, 1);
    check("function f(a, ...a) {}", message, 17, 1);
    check("function f(a) { let a }", "Identifier 'a' has already been declared", 20, 1);
    check("f((b = () => { let a; let a }) => 1)", "Identifier 'a' has already been declared", 26, 1);
}

#[test]
fn reexports_have_names() {
    check("export { a } from;", "Unexpected token ';'", 17, 1);
    check("export {} /* from */ from\nb", "Unexpected identifier 'b'", 0, 1);
}

#[test]
fn unexpected_ends_are_reported_at_the_end() {
    check("function f() { return 1", "Unexpected end of input", 23, 1);
    check("[1, 2", "Unexpected end of input", 5, 1);
    check("a = `b", "Unexpected end of input", 6, 1);
    check("a = 'b", "Invalid or unexpected token", 4, 2);
    check("/* a", "Invalid or unexpected token", 0, 4);
    check("/a", "Invalid regular expression: missing /", 0, 2);
}

#[test]
fn unclosed_calls_have_their_own_message() {
    check("f(1 2)", "missing ) after argument list", 2, 1);
    check("f(g(1) 2)", "missing ) after argument list", 5, 1);
    check("new F('a' b)", "missing ) after argument list", 6, 3);
    check("log('a'\nlog('b')", "missing ) after argument list", 4, 3);
    check("(1 2)", "Unexpected number", 3, 1);
}

#[test]
fn redeclarations_are_reported_at_the_second_one() {
    check("let a; let a", "Identifier 'a' has already been declared", 11, 1);
    check("class A { #a; #a }", "Identifier '#a' has already been declared", 14, 2);
    check("a: a: 1", "Label 'a' has already been declared", 3, 1);
    check("class A { constructor() {} constructor() {} }", "A class may only have one constructor", 27, 11);
}

#[test]
fn assignment_targets_have_different_messages() {
    check("1 = 2", "Invalid left-hand side in assignment", 0, 1);
    check("++1", "Invalid left-hand side expression in prefix operation", 2, 1);
    check("1++", "Invalid left-hand side expression in postfix operation", 0, 1);
    check("for (1 of []) {}", "Invalid left-hand side in for-loop", 5, 1);
    check("[1] = b", "Invalid destructuring assignment target", 1, 1);
}

#[test]
fn errors_of_await_depend_on_the_kind_of_file() {
    let message = "await is only valid in async functions and the top level bodies of modules";
    check_in(SourceKind::CommonJs, "function f() { await y }", message, 15, 5);
    check("function f() { await y }", "Unexpected reserved word", 15, 5);
}

#[test]
fn a_token_ends_where_it_ends() {
    let cases = [
        ("'a\\'b' c", "'a\\'b'"),
        ("'a\nb'", "'a"),
        ("été+1", "été"),
        ("#a.b", "#a"),
        ("1.5e3+1", "1.5e3"),
        (".5)", ".5"),
        ("...a", "..."),
        (">>>=a", ">>>="),
        ("𠮷 a", "𠮷"),
        ("§", "§"),
        ("", ""),
    ];
    for (text, wanted) in cases {
        assert_eq!(token(text), wanted);
    }
}
