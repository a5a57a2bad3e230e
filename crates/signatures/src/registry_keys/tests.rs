//! Which keys are read.

use super::*;

/// A generated key, of no registry.
pub const KEY: &str = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEtLhHjyhItjmT5Vv0JswSlXGK3/ht/l9RuR7n4fF5803MD1AblvkOnhdBxNWBgFTn20O2lwZKX3wYZhh3tj1RnQ==";

#[track_caller]
fn check(members: &str, expected: usize) {
    let keys = RegistryKeys::parse(&format!(r#"{{"keys":[{{{members}}}]}}"#)).unwrap();
    assert_eq!(keys.keys.len(), expected, "{members}");
}

#[test]
fn keys_of_the_curve_are_read() {
    check(&format!(r#""keyid":"SHA256:a","key":"{KEY}","expires":null"#), 1);
    check(&format!(r#""keyid":"a","key":"{KEY}","scheme":"ecdsa-sha2-nistp256","keytype":"x""#), 1);
    let text = format!(r#"{{"keys":[{{"keyid":"a","key":"{KEY}","expires":"2025-01-29T00:00:00.000Z"}}]}}"#);
    let keys = RegistryKeys::parse(&text).unwrap();
    assert_eq!(keys.find("a").and_then(|key| key.expires_s), Some(1_738_108_800));
    assert_eq!(keys.find("b"), None);
}

#[test]
fn other_keys_are_passed_over() {
    check(&format!(r#""keyid":"a","key":"{KEY}","scheme":"ed25519""#), 0);
    check(r#""keyid":"a","key":"MFkw""#, 0);
    check(r#""keyid":"a","key":"-""#, 0);
    check(r#""keyid":"a""#, 0);
    check(&format!(r#""keyid":"a","key":"{KEY}","expires":"soon""#), 0);
    let compressed = KEY.replacen("QgAE", "QgAD", 1);
    assert_ne!(compressed, KEY);
    check(&format!(r#""keyid":"a","key":"{compressed}""#), 0);
}

#[test]
fn a_text_without_keys_is_none() {
    for text in ["", "[]", "{}", r#"{"keys":{}}"#, r#"{"error":"not found"}"#] {
        assert_eq!(RegistryKeys::parse(text), None, "{text}");
    }
}
