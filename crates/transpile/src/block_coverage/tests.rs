//! Tests of `block_coverage`. That the ranges are V8's is shown by
//! `fixtures/programs/inspector/coverage.js`.

use super::*;

fn counted(source: &str) -> BlockCoverage {
    let counted = count_blocks(source, Language::Tsx, None, "c").expect("it parses");
    parse::parse(&Allocator::default(), &counted.source, Language::Tsx, None).expect("the output parses");
    counted
}

#[track_caller]
fn check(source: &str, expected: &str) {
    let counted = counted(source);
    assert_eq!(counted.source, expected, "{source}");
    let added: u32 = counted.insertions.iter().map(|(_, length)| length).sum();
    assert_eq!(source.len() + added as usize, expected.len());
}

#[test]
fn counters_are_where_control_flow_divides() {
    check("if (a) b()\nelse { c() }\nd()", "c[0]++;if (a) {c[2]++;b()}\nelse {c[3]++; c() };c[1]++;\nd()");
    check("for (;;) x(); y()", "c[0]++;for (;;) {c[2]++;x();};c[1]++; y()");
    check("a ? b : c || d", "c[0]++;a ? (c[1]++,b) : (c[2]++,c || (c[3]++,d))");
    check("try { a() } catch { b() }", "c[0]++;try { a() } catch {c[1]++; b() }");
    check("switch (a) { case 1: default: b() }", "c[0]++;switch (a) { case 1:c[1]++; default: c[2]++;b() }");
}

#[test]
fn functions_and_what_suspends_them() {
    check(
        "'use strict'; const f = async () => { await g() }",
        "'use strict';;c[0]++; const f = async () => {c[1]++; c.after(2,await g()) }",
    );
    check("x = () => ({})", "c[0]++;x = () => (c[1]++,({}))");
    check("a?.b?.[k]?.(1)", "c[0]++;a?.[(c[1]++,\"b\")]?.[(c[2]++,k)]?.(...(c[3]++,[]),1)");
}

#[test]
fn types_are_not_counted() {
    let counted = counted("declare function f(): void; class A { private static m(x?: number): void {} }");
    let names: Vec<&str> = counted.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["", "m"]);
    assert_eq!(counted.functions[1].start, 53, "after the modifiers");
}

#[test]
fn offsets_are_those_of_javascript() {
    let counted = counted("'é😀'; function f() { if (a) { b() } c() }");
    let function = &counted.functions[1];
    assert_eq!((function.start, function.blocks[1].start), (7, 29));
}

#[test]
fn ranges_tell_what_ran_less_often() {
    let counted = counted("function f(a) { if (a) { b() } else { c() } }");
    let ranges = |counts: &[u32]| {
        let functions = function_coverage(&counted.functions, counts);
        let all = functions.iter().map(|function| {
            function.ranges.iter().map(|range| (range.start, range.end, range.count)).collect()
        });
        all.collect::<Vec<Vec<_>>>()
    };
    assert_eq!(ranges(&[1, 2, 0, 2]), [vec![(0, 45, 1)], vec![(0, 45, 2), (23, 30, 0)]]);
    assert_eq!(ranges(&[1, 0, 0, 0]), [vec![(0, 45, 1)], vec![(0, 45, 0)]]);
    assert_eq!(ranges(&[0, 0, 0, 0]), Vec::<Vec<_>>::new());
}
