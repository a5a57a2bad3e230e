//! URLs and parameters of requests.

use super::*;

const ORIGIN: &str = "http://localhost:3000";

#[test]
fn the_url_of_a_request_is_its_host_and_target() {
    let check = |target: &str, host: Option<&str>, expected: &str| {
        assert_eq!(url_of(target.as_bytes(), host.map(str::as_bytes), ORIGIN), expected, "{target} {host:?}");
    };
    check("/a/b?c=d", Some("example.test"), "http://example.test/a/b?c=d");
    check("/", Some("Example.test:80"), "http://example.test/");
    check("/a/../b", Some("h"), "http://h/b");
    check("/%2e/x", Some("h"), "http://h/x");
    check("//evil.test/x", Some("h"), "http://h//evil.test/x");
    check("/x", None, "http://localhost:3000/x");
    check("/x", Some("a b"), "http://localhost:3000/x");
    check("http://other.test/x", Some("h"), "http://other.test/x");
    check("*", Some("h"), "http://localhost:3000/*");
}

#[test]
fn parameters_are_decoded() {
    for (text, expected) in [
        ("a", "a"),
        ("a%20b", "a b"),
        ("%C3%A9", "\u{e9}"),
        ("%ff", "\u{fffd}"),
        ("%", "%"),
        ("%4", "%4"),
        ("%+1", "%+1"),
    ] {
        assert_eq!(decode(text.as_bytes()), expected, "{text}");
    }
}
