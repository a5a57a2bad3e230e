//! Verdicts about one signature, which node's `crypto.sign` made.

use super::*;
use crate::version_document::RegistrySignature;

const KEY: &str = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEtLhHjyhItjmT5Vv0JswSlXGK3/ht/l9RuR7n4fF5803MD1AblvkOnhdBxNWBgFTn20O2lwZKX3wYZhh3tj1RnQ==";
const INTEGRITY: &str =
    "sha512-pKvURIxJVi2CgRXROh/M6pJ/UrTVRZKX+LQ+QtqJI4vBNibkPcs43bCCSIkn7JBPtCBXRDmD6IWFF51QVRr+Yg==";
const SIGNATURE: &str =
    "MEQCIE4oQACIuGMe9KbDi6RbrI9Q+08xyeOx9pdSmAPGEuZcAiAckJpNSQoNz4pQNgqn/+HnLjnSqlJrNGMmtQWvQsk1gg==";
const LABEL: &str = "@s/left@1.0.0";
const EXPIRES_S: u64 = 1_738_108_800;

fn keys() -> RegistryKeys {
    let text = format!(
        r#"{{"keys":[{{"keyid":"SHA256:now","key":"{KEY}","expires":null}},
            {{"keyid":"SHA256:old","key":"{KEY}","expires":"2025-01-29T00:00:00.000Z"}}]}}"#
    );
    RegistryKeys::parse(&text).expect("keys")
}

fn document(key_id: &str, signature: &str) -> VersionDocument {
    VersionDocument {
        integrity: Some(INTEGRITY.to_owned()),
        signatures: vec![RegistrySignature { key_id: key_id.to_owned(), signature: signature.to_owned() }],
        ..VersionDocument::default()
    }
}

#[track_caller]
fn check(label: &str, document: &VersionDocument, published_s: Option<u64>, expected: Verdict) {
    assert_eq!(verify(label, document, None, &keys(), published_s), expected);
}

fn wrong() -> Verdict {
    Verdict::Invalid(InvalidSignature::Wrong("SHA256:now".to_owned()))
}

#[test]
fn a_signature_covers_name_version_and_digest() {
    let signed = document("SHA256:now", SIGNATURE);
    check(LABEL, &signed, None, Verdict::Verified);
    check("@s/left@1.0.1", &signed, None, wrong());
    check("@s/right@1.0.0", &signed, None, wrong());
    let other = VersionDocument { integrity: Some("sha512-AAAA".to_owned()), ..signed.clone() };
    check(LABEL, &other, None, wrong());
    let none = VersionDocument { integrity: None, ..signed };
    check(LABEL, &none, None, Verdict::Invalid(InvalidSignature::NoDigest));
}

#[test]
fn the_lockfile_has_the_signed_digest() {
    let signed = document("SHA256:now", SIGNATURE);
    let locked = Integrity::parse(INTEGRITY).unwrap();
    assert_eq!(verify(LABEL, &signed, Some(&locked), &keys(), None), Verdict::Verified);
    let other = Integrity::from_shasum(&"a".repeat(40)).unwrap();
    let verdict = verify(LABEL, &signed, Some(&other), &keys(), None);
    assert_eq!(verdict, Verdict::Invalid(InvalidSignature::OtherDigest));
}

#[test]
fn every_signature_must_be_valid() {
    let mut signed = document("SHA256:now", SIGNATURE);
    signed
        .signatures
        .push(RegistrySignature { key_id: "SHA256:x".to_owned(), signature: SIGNATURE.to_owned() });
    check(LABEL, &signed, None, Verdict::Invalid(InvalidSignature::UnknownKey("SHA256:x".to_owned())));
    check(LABEL, &VersionDocument { signatures: Vec::new(), ..signed }, None, Verdict::Missing);
    for broken in ["", "-", "AAAA", &SIGNATURE[4..], &SIGNATURE.replacen('M', "N", 1)] {
        check(LABEL, &document("SHA256:now", broken), None, wrong());
    }
}

#[test]
fn a_key_signs_until_it_expires() {
    let signed = document("SHA256:old", SIGNATURE);
    let expired = || Verdict::Invalid(InvalidSignature::ExpiredKey("SHA256:old".to_owned()));
    check(LABEL, &signed, Some(EXPIRES_S - 1), Verdict::Verified);
    check(LABEL, &signed, Some(EXPIRES_S), expired());
    check(LABEL, &signed, None, expired());
    assert_eq!(expires(&signed, &keys()), Some(EXPIRES_S));
    assert_eq!(expires(&document("SHA256:now", ""), &keys()), None);
}
