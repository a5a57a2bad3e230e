//! What an edit of pnpm-workspace.yaml changes, and what it refuses.

use super::set_catalog_entry;

fn check(text: &str, catalog: &str, name: &str, expected: &str) {
    let edited = set_catalog_entry(text, catalog, name, "^1.0.0").expect(text);
    assert_eq!(edited, expected, "{text}");
    assert_eq!(set_catalog_entry(&edited, catalog, name, "^1.0.0").expect(text), expected, "a second time");
}

#[test]
fn an_entry_goes_where_its_name_sorts() {
    check("catalog:\n  a: 1\n  z: 2\n", "", "m", "catalog:\n  a: 1\n  m: ^1.0.0\n  z: 2\n");
    check(
        "packages:\n- x\n\ncatalog:\n    a: 1 # why\n\n# end\nx: y\n",
        "",
        "b",
        "packages:\n- x\n\ncatalog:\n    a: 1 # why\n    b: ^1.0.0\n\n# end\nx: y\n",
    );
    check("catalog:\n  '@a/b': 1\n", "", "@a/c", "catalog:\n  '@a/b': 1\n  '@a/c': ^1.0.0\n");
}

#[test]
fn an_entry_is_replaced() {
    check("catalog:\n  m: ^0.1.0 # old\n", "", "m", "catalog:\n  m: ^1.0.0 # old\n");
    check("catalog:\r\n  \"m\": '^0.1.0'\r\n", "", "m", "catalog:\r\n  m: ^1.0.0\r\n");
}

#[test]
fn a_full_version_needs_no_quotes() {
    for (literal, written) in
        [("1.2.3", "1.2.3"), ("~1.2.3", "~1.2.3"), ("1.2", "'1.2'"), ("~1.2", "'~1.2'"), ("1e3", "'1e3'")]
    {
        let edited = set_catalog_entry("catalog:\n  m: 1\n", "", "m", literal).expect(literal);
        assert_eq!(edited, format!("catalog:\n  m: {written}\n"));
    }
}

#[test]
fn a_new_catalog_goes_to_the_end() {
    check("packages:\n  - a\n", "", "m", "packages:\n  - a\ncatalog:\n  m: ^1.0.0\n");
    check("packages: [a]", "next", "m", "packages: [a]\ncatalogs:\n  next:\n    m: ^1.0.0\n");
    check(
        "catalogs:\n  old:\n    m: 1\nx: 1\n",
        "next",
        "m",
        "catalogs:\n  old:\n    m: 1\n  next:\n    m: ^1.0.0\nx: 1\n",
    );
    check("", "", "true", "catalog:\n  'true': ^1.0.0\n");
}

#[test]
fn what_is_not_written_as_lines_is_refused() {
    for text in ["catalog: { a: 1 }\n", "catalog: &x\n  a: 1\n", "catalog:\n- a\n", "catalog:\n\ta: 1\n"] {
        assert!(set_catalog_entry(text, "", "m", "^1.0.0").is_err(), "{text}");
    }
}

#[test]
fn ranges_are_quoted_where_yaml_needs_it() {
    for literal in
        [">=1 <2", "*", "npm:other@^1", "1.0", "1", "~1.2", "@x", "workspace:*", "a: b", "it's", "#1"]
    {
        let edited = set_catalog_entry("catalog:\n  z: 1\n", "", "m", literal);
        assert!(edited.is_ok(), "{literal}");
    }
}
