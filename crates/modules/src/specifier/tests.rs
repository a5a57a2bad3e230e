//! Specifier syntax of both algorithms.

use super::*;

fn import(specifier: &str) -> Option<(&str, String)> {
    parse_for_import(specifier).map(|bare| (bare.name, bare.subpath()))
}

fn require(specifier: &str) -> Option<(&str, String)> {
    parse_for_require(specifier).map(|bare| (bare.name, bare.subpath()))
}

#[test]
fn a_name_ends_at_its_slash() {
    for parse in [import, require] {
        assert_eq!(parse("left"), Some(("left", ".".to_owned())));
        assert_eq!(parse("left/"), Some(("left", "./".to_owned())));
        assert_eq!(parse("left/a/b.js"), Some(("left", "./a/b.js".to_owned())));
        assert_eq!(parse("@scope/box"), Some(("@scope/box", ".".to_owned())));
        assert_eq!(parse("@scope/box/a"), Some(("@scope/box", "./a".to_owned())));
        assert_eq!(parse("%6ceft"), None);
        assert_eq!(parse("a\\b"), None);
        assert_eq!(parse(".left"), None);
    }
}

#[test]
fn a_scope_alone_is_a_name_for_require_alone() {
    assert_eq!(import("@scope"), None);
    assert_eq!(require("@scope"), Some(("@scope", ".".to_owned())));
    assert_eq!(require("@scope/.x"), Some(("@scope", "./.x".to_owned())));
    assert_eq!(require("@/x"), Some(("@", "./x".to_owned())));
}

#[test]
fn paths_are_distinguished_from_names() {
    for path in [".", "..", "./a", "../a"] {
        assert!(is_relative(path) && is_relative_for_require(path), "{path}");
    }
    for name in ["a", ".a", "", "#a"] {
        assert!(!is_relative(name) && !is_relative_for_require(name), "{name}");
    }
    assert!(is_relative_for_require("..a") && !is_relative("..a"));
    for directory in ["a/", "a/.", "a/..", ".", ".."] {
        assert!(names_directory(directory), "{directory}");
    }
    assert!(!names_directory("a") && !names_directory("") && !names_directory("a."));
}
