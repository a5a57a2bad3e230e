//! Which integrity texts are taken, and which bytes they hold against.

use super::*;

const EMPTY_512: &str =
    "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==";
const EMPTY_384: &str = "sha384-OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb";
const EMPTY_256: &str = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
const EMPTY_1: &str = "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=";
const OTHER_256: &str = "sha256-AAAAQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

/// Whether a text holds for no bytes at all: the problem's code, or `ok`.
fn outcome(text: &str) -> &'static str {
    let verified = Integrity::parse(text).and_then(|integrity| integrity.verify(b"", &sha512(b"")));
    verified.map_or_else(|problem| problem.code(), |()| "ok")
}

#[test]
fn every_algorithm_is_checked() {
    for text in [EMPTY_512, EMPTY_384, EMPTY_256, EMPTY_1] {
        assert_eq!(outcome(text), "ok");
        let integrity = Integrity::parse(text).expect("parsed");
        let problem = integrity.verify(b"x", &sha512(b"x")).expect_err("other bytes");
        assert!(problem.message().ends_with(&format!("expected `{text}`")), "{problem}");
    }
}

#[test]
fn the_strongest_algorithm_decides() {
    for (texts, expected) in [
        (vec![EMPTY_512, "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA="], "ok"),
        (vec!["sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=", EMPTY_512], "ok"),
        (vec![OTHER_256, EMPTY_1], "integrity-differs"),
        (vec![OTHER_256, EMPTY_256], "ok"),
        (vec!["md5-AAAA", EMPTY_1], "ok"),
        (vec!["sha999-AAAA"], "integrity-malformed"),
    ] {
        assert_eq!(outcome(&texts.join(" ")), expected, "{texts:?}");
    }
    assert_eq!(outcome(&format!("{EMPTY_256}?option")), "ok");
}

#[test]
fn malformed_texts_are_refused() {
    for text in [
        "",
        "sha512",
        "sha512-",
        "sha512-AAAA",
        "sha1-****",
        "sha256-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c4=",
    ] {
        let expected = if text.len() > 40 { "integrity-differs" } else { "integrity-malformed" };
        assert_eq!(outcome(text), expected, "{text}");
    }
}

#[test]
fn a_shasum_is_forty_hex_digits() {
    let sha1 = Integrity::from_shasum("da39a3ee5e6b4b0d3255bfef95601890afd80709").expect("parsed");
    assert_eq!(sha1, Integrity::parse(EMPTY_1).expect("parsed"));
    for text in
        ["", "da39", "da39a3ee5e6b4b0d3255bfef95601890afd8070g", "éa39a3ee5e6b4b0d3255bfef95601890afd80709"]
    {
        assert!(Integrity::from_shasum(text).is_err(), "{text}");
    }
}
