//! What is read quickly is what is read with care; and what most programs have is read quickly.

use super::*;
use crate::parser;

/// As the other way writes it.
fn carefully(text: &str, base: Option<&str>) -> Option<(String, [u32; OFFSET_COUNT])> {
    let base = base.map(|base| parser::parse(base, None).expect("a base is one"));
    parser::parse(text, base.as_ref()).map(|address| address.write())
}

#[track_caller]
fn check(text: &str, is_quick: bool) {
    let found = parse(text.as_bytes());
    assert_eq!(found.is_some(), is_quick, "{text}");
    let Some(found) = found else { return };
    let (href, offsets) = carefully(text, None).expect("it is one");
    assert_eq!((found.offsets, found.lacks_path), (offsets, href != text), "{text}");
}

#[test]
fn what_most_programs_have_is_read_quickly() {
    for text in [
        "https://example.test/a/b/c?x=1&y=2#h",
        "http://localhost:3000/",
        "http://127.0.0.1:8080/a.b/..c/.well-known/%20?#",
        "http://a.b-c.d1/?q",
        "file:///home/a/b.js",
        "file:////a",
        "ws://h//",
        "http://h",
        "wss://h?q",
        "https://h#f",
        "http://h:443/",
    ] {
        check(text, true);
    }
}

#[test]
fn what_may_change_is_left_to_the_other_way() {
    for text in [
        "",
        "http://",
        "http:///a",
        "HTTP://h/",
        "http://H/",
        "http://u@h/",
        "http://h:/",
        "http://h:80/",
        "http://h:080/",
        "http://h:65536/",
        "http://h:1:2/",
        "http://[::1]/",
        "http://1/",
        "http://127.1/",
        "http://127.0.0.256/",
        "http://127.0.0.01/",
        "http://a.0x7f/",
        "http://a.b./",
        "http://a..b/",
        "http://xn--a/",
        "http://a_b/",
        "http://h/./",
        "http://h/..",
        "http://h/%2E/",
        "http://h/.%2e",
        "http://h/a\\b",
        "http://h/a b",
        "http://h/\u{7f}",
        "http://h/?'",
        "http://h/#`",
        "http://h/ ",
        "http://h/a\tb",
        "file://h/a",
        "file://",
        "file:///C:/a",
        "file:///c|",
        "ftp://h/",
        "data:,x",
    ] {
        check(text, false);
    }
}

#[test]
fn what_is_seen_from_another_address_is_read_as_with_care() {
    for (base, text, is_quick) in [
        ("http://h:3000/a/b?c#d", "/x/y?z#w", true),
        ("http://h", "/", true),
        ("file:///a/b", "/c", true),
        ("file:///a/b", "/C:/c", false),
        ("file:///C:/b", "/c", false),
        ("http://h/", "//x", false),
        ("http://h/", "/\\x", false),
        ("http://h/", "/a/../b", false),
        ("http://h/", "", false),
        ("http://u@h/", "/x", false),
        ("http://h/a/b?c#d", "x", true),
        ("http://h/a/b?c#d", "./x?y#z", true),
        ("http://h/a/b?c#d", "?y#z", true),
        ("http://h/a/b?c#d", "#z", true),
        ("http://h/a/b/c", "../x", true),
        ("http://h/a//c", "../x", true),
        ("http://h/a/b/c", "../../../../x", true),
        ("http://h/a/b/c", ".././x", true),
        ("http://h/a/b/c", "./", true),
        ("http://h/a/b/c", ".//x", true),
        ("http://h/a/b", ".hidden", true),
        ("http://h/a/b", "./x:y", true),
        ("http://h/a/b", "https://o:8080/x?y", true),
        ("http://h/a/b", "https://o", true),
        ("https://h/a/b", "file:///x", true),
        ("file:///a/b.js", "./c.js", true),
        ("file:///a/b.js", "../../c.js", true),
        ("file:///a", ".//c", true),
        ("http://h", "x", false),
        ("http://h", "?x", false),
        ("http://h/a", "..", false),
        ("http://h/a", "x/../y", false),
        ("http://h/a", "x:y", false),
        ("http://h/a", "x|y", false),
        ("http://h/a", "a\\b", false),
        ("http://h/a", " x", false),
        ("http://h/a", "x ", false),
        ("http://h/a", "http:x", false),
        ("file:///a/b", "c|/d", false),
        ("file:///a/b", "../c|/d", false),
    ] {
        let found = parse_relative(base.as_bytes(), text.as_bytes());
        assert_eq!(found.is_some(), is_quick, "{base} {text}");
        assert!(found.is_none() || found == carefully(text, Some(base)), "{base} {text}");
    }
}

/// Strings of pieces that mean something, from each other.
#[test]
fn whatever_is_read_quickly_is_as_with_care() {
    const PIECES: [&str; 20] = [
        "a", "b.c", "/", "/", ".", "..", "./", "../", "?", "#", ":", "|", "C:", "%2e", "\\", "//", " ",
        "http:", "file:", "@",
    ];
    const BASES: [&str; 6] = [
        "http://h",
        "https://h:1/a/b?c#d",
        "http://h/a//",
        "file:///a/b/c",
        "file:///",
        "ws://127.0.0.1/..a/?",
    ];
    let mut quick = 0;
    for number in 0..PIECES.len().pow(4) {
        let digits = [1, 20, 400, 8_000].map(|place| number / place % PIECES.len());
        let text: String = digits.iter().map(|&digit| PIECES[digit]).collect();
        for base in BASES {
            let Some(found) = parse_relative(base.as_bytes(), text.as_bytes()) else { continue };
            assert_eq!(Some(found), carefully(&text, Some(base)), "{base} {text}");
            quick += 1;
        }
    }
    assert!(quick > 100_000, "{quick}");
}
