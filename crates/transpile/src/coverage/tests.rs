//! Tests of `coverage`.

use super::*;

fn check(source: &str, expected: &str) {
    let instrumented = instrument(source, Language::Tsx, "c").expect("it parses");
    assert_eq!(instrumented.source, expected, "{source}");
    for point in 0..instrumented.points.len() {
        assert!(expected.contains(&format!("c[{point}]++")), "counter {point} of {source}");
    }
    parse::parse(&Allocator::default(), expected, Language::Tsx, None).expect("the output parses");
}

#[test]
fn statements_are_counted() {
    check("a();\nlet b = 1\nc()", "c[0]++;a();\nc[1]++;let b = 1\nc[2]++;c()");
    check(
        "import 'x'; type T = 1; declare const q: T; function f(): void;\nf()",
        "import 'x'; type T = 1; declare const q: T; function f(): void;\nc[0]++;f()",
    );
    check("l: for (const a of b) { x() }", "c[0]++;l: for (const a of b) { c[1]++;x() }");
    check("export default 1", "c[0]++;export default 1");
}

#[test]
fn namespaces_are_counted() {
    check(
        "export namespace A.B { export function f() { a() } namespace T { type U = 1 } const x = 1 }",
        "export namespace A.B { export function f() {c[0]++; c[1]++;a() } namespace T { type U = 1 } c[2]++;const x = 1 }",
    );
    check(
        "declare namespace D { const x: 1; function f(): void }",
        "declare namespace D { const x: 1; function f(): void }",
    );
}

#[test]
fn functions_are_counted_after_their_directives() {
    check("function f() { 'use strict'; a() }", "function f() { 'use strict';;c[0]++; c[1]++;a() }");
    check("const f = x => x", "c[0]++;const f = x => (c[1]++,c[2]++,x)");
    check("class A { m() {} }", "c[0]++;class A { m() {c[1]++;} }");
    check("const f = () => () => 1", "c[0]++;const f = () => (c[1]++,c[2]++,() => (c[3]++,c[4]++,1))");
    let points =
        instrument("const f = x => x;\nclass A { m() {} }", Language::TypeScript, "c").unwrap().points;
    let names: Vec<&str> = points
        .iter()
        .filter_map(|point| match point {
            CoveragePoint::Function { name, .. } => Some(name.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(names, ["f", "m"]);
}

#[test]
fn branches_are_counted() {
    check("if (a) b()", "c[0]++;if (a) {c[1]++;c[2]++;b()}else{c[3]++}");
    check(
        "if (a) { b() } else if (c) d(); else { e() }",
        "c[0]++;if (a) {c[1]++; c[2]++;b() } else {c[3]++;c[4]++;if (c) {c[5]++;c[6]++;d();} else {c[7]++; c[8]++;e() }}",
    );
    check("x = a ? b : c", "c[0]++;x = a ? (c[1]++,b) : (c[2]++,c)");
    check("a && b && c", "c[0]++;(c[1]++,a) && (c[2]++,b) && (c[3]++,c)");
    check(
        "switch (a) { case 1: case 2: b(); break; default: c() }",
        "c[0]++;switch (a) { case 1: case 2: c[1]++;c[2]++;b(); c[3]++;break; default: c[4]++;c[5]++;c() }",
    );
    check("if (a) f = () => 1", "c[0]++;if (a) {c[1]++;c[2]++;f = () => (c[3]++,c[4]++,1)}else{c[5]++}");
}

#[test]
fn comments_leave_code_out() {
    check("/* istanbul ignore next */\na();\nb()", "/* istanbul ignore next */\na();\nc[0]++;b()");
    check("/* v8 ignore file */ a()", "/* v8 ignore file */ a()");
}

#[test]
fn lines_begin_at_one() {
    let points = instrument("\na()\n\nb()", Language::JavaScript, "c").unwrap().points;
    assert_eq!(points, [CoveragePoint::Statement { line: 2 }, CoveragePoint::Statement { line: 4 }]);
}
