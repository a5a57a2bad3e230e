//! Positions of top-level awaits.

use crate::options::Language;

use super::top_level_awaits;

fn check(source: &str, positions: &[(u32, u32)]) {
    assert_eq!(top_level_awaits(source, Language::JavaScript), positions, "{source}");
}

#[test]
fn declarations_in_functions_are_local() {
    check("export {};\nawait 1;\n", &[(2, 0)]);
    check(
        "const f = async () => await 1;\nasync function g() { for await (const a of b); }\nexport { f };",
        &[],
    );
    check("if (a) {\n  b = [await c,\r\n await d];\n}\nfor await (const e of f);", &[(2, 7), (3, 1), (5, 0)]);
    check("class A { async b() { await c; } static async #d() { await e; } }", &[]);
    check("await using a = b;", &[(1, 0)]);
    check("a;\n'\u{e4}\u{1f600}', await b;", &[(2, 7)]);
}

#[test]
fn source_that_does_not_parse_has_none_either() {
    check("await await await (", &[]);
}
