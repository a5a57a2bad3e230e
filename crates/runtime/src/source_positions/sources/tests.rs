//! Each line with `|` where the engine reports the end of the name, and `^` where V8 reports the
//! call.

use super::{Source, call_start, is_call};

fn check(marked: &str, is_new: bool) {
    let line = marked.replace(['|', '^'], "");
    let end = marked.replace('^', "").find('|').expect("a mark");
    let wanted = marked.replace('|', "").find('^').expect("a mark");
    assert_eq!(call_start(&line, end), (wanted, is_new), "{marked}");
}

#[test]
fn calls_stand_at_their_names() {
    check("^foo|(1)", false);
    check("  assert.^equal|(1)", false);
    check("a.b.^c|()", false);
    check("a[0]|^(1)", false);
    check("a()| ^(1)", false);
    check("x = a.^b|", false);
    check("\u{e4}.^\u{f6}|()", false);
    check("{}|^", false);
}

#[test]
fn constructors_stand_at_new() {
    check("throw ^new Error|('a')", true);
    check("^new a.b.C|()", true);
    check("^super|(1)", true);
    check("renew ^a|()", false);
    check("x.new ^a|()", false);
}

#[test]
fn properties_stand_at_their_names() {
    check("null|.^x", false);
    check("a.b|[^c]", false);
}

#[test]
fn a_name_may_begin_there() {
    check("a.|^b()", false);
    check("throw ^new |Error()", true);
}

fn check_call(marked: &str, expected: bool) {
    let end = marked.find('|').expect("a mark");
    let line = marked.replace('|', "");
    assert_eq!(is_call(&line, end, false), expected, "{marked}");
}

#[test]
fn bodies_of_async_functions_are_no_calls() {
    check_call("f|()", true);
    check_call("a.|b()", true);
    check_call("f| (1)", true);
    check_call("async function f() {}| f()", false);
    check_call("async function f(){}|f()", false);
    check_call("  a|sync m() {", false);
    check_call("async () => {}|;", false);
    check_call("const f = |async (id: number) => {", false);
    check_call("const f = async (|id: number) => {", false);
    check_call("async function f<T>(a: T, |b: T) {", false);
    check_call("  async |find(id: number) {", false);
    check_call("async () => { |f(); }", true);
    check_call("async (a = |f()) => {}", true);
    check_call("async (x) => |f(x)", true);
    check_call("runasync |f(x)", true);
}

fn check_block(text: &str, column: u32, expected: bool) {
    assert_eq!(Source::new(text.to_owned()).ends_block_at(0, column), expected, "{text} {column}");
}

#[test]
fn a_block_ends_at_its_own_indentation() {
    check_block("x(async () => {\n  y();\n})", 1, true);
    check_block("x(async () => {\n  y();\n})", 2, false);
    check_block("  async m() {\n    if (a) {\n    }\n  }", 3, true);
    check_block("  async m() {\n    if (a) {\n    }\n  }", 5, false);
    check_block("x(async () => {", 1, false);
}
