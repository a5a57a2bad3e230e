//! Slips of the finger.

use super::*;
use crate::flags::parse::parse;

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

#[test]
fn what_is_translated_is_foreign_here_and_known_there() {
    for (foreign, ours) in FOREIGN {
        assert_eq!(
            parse(["i".into(), format!("--{foreign}").into()]).expect_err(foreign).code(),
            "unknown-flag"
        );
        let value = if *ours == "--cwd" { "=folder" } else { "" };
        assert!(parse(["i".into(), format!("{ours}{value}").into()]).is_ok(), "{ours}");
    }
}
