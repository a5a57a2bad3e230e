//! Tests of wildcards.

use super::*;

fn check(pattern: &str, matching: &[&str], others: &[&str]) {
    for name in matching {
        assert!(matches(pattern, name), "{pattern} {name}");
    }
    for name in others {
        assert!(!matches(pattern, name), "{pattern} {name}");
    }
}

#[test]
fn stars_match_any_characters() {
    check("build", &["build"], &["builds", "rebuild", ""]);
    check("*", &["a", "@scope/a", ""], &[]);
    check("build:*", &["build:js", "build:css:min", "build:"], &["build", "prebuild:js"]);
    check("@scope/*", &["@scope/a"], &["@scopes/a", "a"]);
    check("*core*", &["core", "@vue/core-dom"], &["cor"]);
    check("a*b*c", &["abc", "a-b-b-c"], &["acb", "ab"]);
    check("a*a", &["aa", "aba"], &["a"]);
}
