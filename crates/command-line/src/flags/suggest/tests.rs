//! Tests of suggestions for mistyped names.

use super::*;

fn check(name: &str, near: Option<&str>) {
    assert_eq!(nearest(name, ["install", "add", "remove", "update", "ci"]), near, "{name}");
}

#[test]
fn one_typo_is_corrected() {
    check("instal", Some("install"));
    check("isntall", Some("install"));
    check("innstall", Some("install"));
    check("insta11", Some("install"));
    check("ad", Some("add"));
    check("ic", Some("ci"));
}

#[test]
fn other_names_are_not_near() {
    check("frobnicate", None);
    check("x", None);
    check("", None);
    check(&"install".repeat(1000), None);
}
