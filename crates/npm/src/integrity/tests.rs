//! Integrity strings as registries and lockfiles write them.

use super::*;

const SHA1: &str = "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=";
const SHA256: &str = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

fn sha512(fill: u8) -> String {
    Integrity::new(Algorithm::Sha512, &[fill; 64]).expect("64 bytes").to_string()
}

fn check(text: &str, wanted: Option<&str>) {
    assert_eq!(Integrity::parse(text).map(|integrity| integrity.to_string()).as_deref(), wanted, "{text}");
}

#[test]
fn the_strongest_digest_counts() {
    let strong = sha512(7);
    check(SHA1, Some(SHA1));
    check(&format!("{SHA1} {strong}  {SHA256}"), Some(&strong));
    check(&format!("{SHA256}\n{SHA1}"), Some(SHA256));
    check(&format!("{strong} {}", sha512(8)), Some(&strong));
}

#[test]
fn options_padding_and_unknown_algorithms_do_not_matter() {
    check(&format!("{SHA1}?foo?bar"), Some(SHA1));
    check(SHA1.trim_end_matches('='), Some(SHA1));
    check(&format!("md5-1B2M2Y8AsgTpgAmY7PhCfg== sha9-x {SHA1}"), Some(SHA1));
}

#[test]
fn damage_is_not_answered_with_a_weaker_digest() {
    check(&format!("sha512-AAAA {SHA1}"), None);
    check(&format!("sha512-!!!! {SHA1}"), None);
    for text in
        ["", " ", "sha1", "sha1-", "md5-1B2M2Y8AsgTpgAmY7PhCfg==", "SHA1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="]
    {
        check(text, None);
    }
    check(&format!("{SHA1} ").repeat(200), None);
}

#[test]
fn a_shasum_is_forty_hex_digits() {
    let shasum = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
    assert_eq!(Integrity::from_shasum(shasum), Integrity::parse(SHA1));
    assert_eq!(Integrity::from_shasum(&shasum.to_uppercase()), Integrity::parse(SHA1));
    for text in ["", "da39", &shasum[1..], &shasum.replace('d', "g"), &"é".repeat(20)] {
        assert_eq!(Integrity::from_shasum(text), None, "{text}");
    }
}

#[test]
fn the_digest_is_bytes() {
    let integrity = Integrity::parse(SHA1).expect("valid");
    assert_eq!(integrity.digest().len(), 20);
    assert_eq!(integrity.digest()[..4], [0xda, 0x39, 0xa3, 0xee]);
    assert_eq!(Integrity::new(Algorithm::Sha1, &[0; 64]), None);
}
