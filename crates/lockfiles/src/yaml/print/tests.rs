//! What is quoted, and the forms of maps, lists and strings.

use super::*;

#[track_caller]
fn check(value: Yaml, expected: &str) {
    let mut out = String::new();
    member_into(&mut out, "k", &value, 0);
    assert_eq!(out, expected);
    let documents = crate::yaml::parse(&out).expect(&out);
    let back = Yaml::of(documents[0].find("k").expect("the member"));
    let mut again = String::new();
    member_into(&mut again, "k", &back, 0);
    if !matches!(value, Yaml::Inline(_)) {
        assert_eq!(again, out);
    }
}

#[test]
fn a_text_is_quoted_where_it_would_be_something_else() {
    for text in ["1.2.3", "^1", "~1.2", "link:../a", "npm:a@^1", "a#b", "1.2.3(a@1.0.0)", "1.0.0 || 2"] {
        check(Yaml::text(text), &format!("k: {text}\n"));
    }
    let quoted = [
        "",
        "1",
        "1.0",
        "1e3",
        "0x1f",
        "true",
        "null",
        "~",
        "*",
        ">=4",
        "catalog:",
        "a: b",
        "a #b",
        "@s/a",
        "-1",
        "2001-12-14",
    ];
    for text in quoted {
        check(Yaml::text(text), &format!("k: '{text}'\n"));
    }
    check(Yaml::text("it's: "), "k: 'it''s: '\n");
    check(Yaml::text("a\u{7}"), "k: \"a\\u0007\"\n");
}

#[test]
fn maps_and_lists_are_blocks_or_on_one_line() {
    let list = || Yaml::strings(["a", "b, c"]);
    check(list(), "k:\n  - a\n  - 'b, c'\n");
    check(list().inline(), "k: [a, 'b, c']\n");
    check(Yaml::pairs([("@a", "1.0.0")]), "k:\n  '@a': 1.0.0\n");
    check(Yaml::pairs([("node", ">=4")]).inline(), "k: {node: '>=4'}\n");
    check(Yaml::Map(Vec::new()), "k: {}\n");
}

#[test]
fn lines_are_a_block() {
    check(Yaml::text("a\n\nb"), "k: |-\n  a\n\n  b\n");
    check(Yaml::text("a\nb\n"), "k: |\n  a\n  b\n");
}

#[test]
fn a_long_key_is_explicit() {
    let key = "a".repeat(2000);
    let mut out = String::new();
    member_into(&mut out, &key, &Yaml::pairs([("b", "c")]), 0);
    assert_eq!(out, format!("? {key}\n:\n  b: c\n"));
    assert!(crate::yaml::parse(&out).expect("YAML")[0].find(&key).is_some());
}
