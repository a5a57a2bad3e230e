//! Fuzz target of `rusk-signatures`: a registry's keys and the document of a version.

use rusk_signatures::{RegistryKeys, Verdict, VersionDocument, expires, verify};

/// Keys, a zero byte, a document.
pub const SEEDS: &[&str] = &[
    "{\"keys\":[{\"keyid\":\"a\",\"expires\":\"2025-01-29T00:00:00.000Z\",\"key\":\"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEtLhHjyhItjmT5Vv0JswSlXGK3/ht/l9RuR7n4fF5803MD1AblvkOnhdBxNWBgFTn20O2lwZKX3wYZhh3tj1RnQ==\"}]}\0{\"dist\":{\"integrity\":\"sha512-AA==\",\"signatures\":[{\"keyid\":\"a\",\"sig\":\"MEQCIE4o\"}],\"attestations\":{}}}",
];

/// No input has a valid signature.
pub fn signatures(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let (keys, document) = text.split_once('\0').unwrap_or((&text, &text));
    let keys = RegistryKeys::parse(keys).unwrap_or_default();
    let Some(document) = VersionDocument::parse(document) else { return };
    let published_s = expires(&document, &keys).map(|expires_s| expires_s.saturating_sub(1));
    let verdict = verify("left@1.0.0", &document, None, &keys, published_s);
    assert_ne!(verdict, Verdict::Verified);
}
