//! Addresses in the forms that differ most between readers.

use super::parse;

#[track_caller]
fn check(input: &str, base: Option<&str>, expected: Option<&str>) {
    let base = base.map(|base| parse(base, None).expect("a base is one"));
    let found = parse(input, base.as_ref()).map(|address| address.write().0);
    assert_eq!(found.as_deref(), expected, "{input}");
    // What was written is read as the same.
    if let Some(found) = found {
        assert_eq!(parse(&found, None).map(|address| address.write().0), Some(found));
    }
}

#[test]
fn addresses_are_read_as_the_standard_says() {
    for (input, expected) in [
        ("http://user:p@ss@HOST:80/a/./b/../c?q#f", Some("http://user:p%40ss@host/a/c?q#f")),
        (" http:\\\\h\\p\t\n", Some("http://h/p")),
        ("file:////foo", Some("file:////foo")),
        ("file://localhost/C|/..", Some("file:///C:/")),
        ("file://h/C:/a/../..", Some("file://h/C:/")),
        ("non-spec:/.//p", Some("non-spec:/.//p")),
        ("mailto:a b #x", Some("mailto:a b%20#x")),
        ("http://a:b@/", None),
        ("http://h:65536", None),
        ("http://h:0", Some("http://h:0/")),
        ("http://0x7f.1/", Some("http://127.0.0.1/")),
        ("http://[::1", None),
        ("x://\u{e9}/^", Some("x://%C3%A9/%5E")),
        ("x", None),
    ] {
        check(input, None, expected);
    }
    for (input, base, expected) in [
        ("?q", "http://a/b/c?d#e", "http://a/b/c?q"),
        ("#q", "mailto:a", "mailto:a#q"),
        ("..", "file://x/C:/", "file://x/C:/"),
        ("C|/", "file://host/dir/file", "file://host/C:/"),
        ("//x", "http://a/b", "http://x/"),
        ("/x", "http://u@a:9/b?q", "http://u@a:9/x"),
        ("", "http://a/b?q#f", "http://a/b?q"),
        ("http:x", "http://a/b/", "http://a/b/x"),
    ] {
        check(input, Some(base), Some(expected));
    }
}

#[test]
fn a_part_is_set_as_the_standard_says() {
    for (href, part, value, expected) in [
        ("http://h/", "protocol", "https", Some("https://h/")),
        ("http://h/", "protocol", "x", Some("http://h/")),
        ("http://h:443/", "protocol", "https", Some("https://h/")),
        ("http://h/", "port", "99x", Some("http://h:99/")),
        ("http://h/", "port", "x", None),
        ("http://h:1/", "port", "", Some("http://h/")),
        ("http://h/", "host", "a:8", Some("http://a:8/")),
        ("http://h/", "hostname", "a:8", None),
        ("http://h/", "host", "", Some("http://h/")),
        ("http://h:1/", "host", "a:x", Some("http://a:1/")),
        ("http://h/a", "pathname", "b?#", Some("http://h/b%3F%23")),
        ("http://h/?a", "search", "", Some("http://h/")),
        ("http://h/", "search", "??b", Some("http://h/??b")),
        ("http://h/#a", "hash", "#", Some("http://h/#")),
        ("mailto:a", "pathname", "b", None),
        ("file:///a", "username", "u", None),
        ("http://h/", "username", "\u{e9}:", Some("http://%C3%A9%3A@h/")),
    ] {
        let found = parse(href, None).expect("it is one").with(part, value).map(|address| address.write().0);
        assert_eq!(found.as_deref(), expected, "{href} {part} {value}");
    }
}

#[test]
fn parts_lie_where_it_says() {
    let address = parse("https://u:p@h:1/a?b#c", None).expect("it is one");
    assert_eq!(address.write().1, [6, 8, 9, 11, 12, 13, 15, 17, 19]);
    let opaque = parse("a:b?c", None).expect("it is one");
    assert_eq!(opaque.write().1, [2, 2, 2, 2, 2, 2, 2, 3, 5]);
}
