//! Tests of glob patterns, hostile ones too.

use super::{Extent, Pattern};

fn matches(pattern: &str, path: &str) -> bool {
    Pattern::parse(pattern).matches(path, Extent::Whole)
}

#[test]
fn a_pattern_without_a_slash_matches_the_last_segment() {
    assert!(matches("*.js", "a/b/c.js"));
    assert!(matches("c.js", "a/b/C.JS"));
    assert!(!matches("a", "a/b"));
    assert!(matches("*", ".hidden"));
}

#[test]
fn a_pattern_with_a_slash_matches_from_the_directory_of_its_file() {
    assert!(matches("/lib", "/lib") && matches("/lib", "/lib/"));
    assert!(!matches("/lib", "/src/lib"));
    assert!(matches("src/*.js", "src/a.js"));
    assert!(!matches("src/*.js", "src/b/a.js"));
}

#[test]
fn a_globstar_matches_any_number_of_segments() {
    assert!(matches("a/**/z", "a/z") && matches("a/**/z", "a/b/c/z"));
    assert!(matches("a/**", "a/b/c") && matches("a/**", "a/") && !matches("a/**", "a"));
    assert!(matches("**/x/**", "a/x/b"));
}

#[test]
fn braces_classes_and_extended_globs_are_understood() {
    assert!(matches("/readme{,.*[^~$]}", "/README.md") && matches("/readme{,.*[^~$]}", "/readme"));
    assert!(!matches("/readme{,.*[^~$]}", "/readme.md~"));
    assert!(matches("[a-c].?s", "b.ts") && !matches("[!a-c].?s", "b.ts"));
    assert!(matches("+(ab|c)d", "ababcd") && !matches("+(ab|c)d", "d"));
    assert!(matches("!(a|b).js", "c.js") == matches("(a|b).js", "c.js"), "a leading ! negates the pattern");
    assert!(matches("x!(a|b).js", "xc.js") && !matches("x!(a|b).js", "xa.js"));
    assert!(matches("?(a)b", "b") && matches("*(a)b", "aab") && !matches("@(a)b", "aab"));
}

#[test]
fn a_prefix_is_a_parent_of_what_may_match() {
    let pattern = Pattern::parse("!src/**/a.js");
    assert!(pattern.is_negated);
    assert!(pattern.matches("src", Extent::Prefix) && pattern.matches("src/b/c", Extent::Prefix));
    assert!(!pattern.matches("lib", Extent::Prefix));
}

#[test]
fn a_hostile_pattern_ends_in_bounded_time() {
    let path = format!("{}b", "a/".repeat(100));
    assert!(!matches(&format!("{}c", "**/a/".repeat(300)), &path));
    assert!(!matches(&format!("{}b", "*a".repeat(1000)), &"a".repeat(250)));
    assert!(!matches(&"{a,b}".repeat(1000), "ab"));
    assert!(!matches(&"+(".repeat(500), "x"));
}
