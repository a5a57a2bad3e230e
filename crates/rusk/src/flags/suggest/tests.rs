//! Slips of the finger.

use super::*;

fn check(wanted: &str, near: Option<&str>) {
    assert_eq!(nearest(wanted, ["install", "add", "remove", "update", "ci"]), near, "{wanted}");
}

#[test]
fn one_slip_is_forgiven() {
    check("instal", Some("install"));
    check("isntall", Some("install"));
    check("innstall", Some("install"));
    check("insta11", Some("install"));
    check("ad", Some("add"));
    check("ic", Some("ci"));
}

#[test]
fn another_word_is_another_word() {
    check("frobnicate", None);
    check("x", None);
    check("", None);
    check(&"install".repeat(1000), None);
}
