//! Hosts as users write them.

use super::*;

#[track_caller]
fn check(pattern: &str, includes: &[&str], others: &[&str]) {
    let pattern = HostPattern::parse(pattern).expect("a host");
    includes.iter().for_each(|name| assert!(pattern.includes(name), "{pattern:?} {name}"));
    others.iter().for_each(|name| assert!(!pattern.includes(name), "{pattern:?} {name}"));
}

#[test]
fn a_pattern_includes_names() {
    check("Example.test", &["example.test"], &["a.example.test", "example.test.evil", "xample.test", ""]);
    check(
        "*.example.test",
        &["a.example.test", "a.b.example.test"],
        &["example.test", ".example.test", "evilexample.test", "a.example.test.evil"],
    );
}

#[test]
fn a_pattern_may_have_a_port_or_be_an_address() {
    let port = |text| HostPattern::parse(text).expect("a host").port();
    assert_eq!(
        (port("a.test"), port("a.test:443"), port("[::1]:80"), port("::1")),
        (None, Some(443), Some(80), None)
    );
    let address =
        |text| HostPattern::parse(text).expect("a host").address().map(|address| address.to_string());
    assert_eq!(address("127.0.0.1:8080").as_deref(), Some("127.0.0.1"));
    assert_eq!(address("[::1]").as_deref(), Some("::1"));
    assert_eq!(address("a.test"), None);
}

#[test]
fn what_is_no_host_is_refused() {
    for wrong in [
        "",
        "*",
        "*.",
        "*.com",
        "a..b",
        ".a",
        "a.test:",
        "a.test:0",
        "a.test:99999",
        "a.test:x",
        "https://a.test",
        "a/b",
        "a.test/x",
        "[a.test]:1",
        "[::1",
        "[::1]x",
        "a b",
        "a.*.test",
        "é.test",
    ] {
        assert_eq!(HostPattern::parse(wrong), None, "{wrong}");
    }
}
