//! Whether a version is signed by its registry. In: its document, the registry's keys, what the
//! lockfile has. Out: a verdict; every signature must be valid, as in npm.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::signature::{ECDSA_P256_SHA256_ASN1, UnparsedPublicKey};
use rusk_npm::integrity::Integrity;

use crate::registry_keys::RegistryKeys;
use crate::version_document::VersionDocument;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Verified,
    /// The registry has keys, and signed nothing.
    Missing,
    Invalid(InvalidSignature),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidSignature {
    /// The registry has no such key, or one of an unknown kind.
    UnknownKey(String),
    /// Published after the key expired, or at an unknown time.
    ExpiredKey(String),
    /// The signature does not fit name, version, digest and key.
    Wrong(String),
    /// The lockfile has another digest than the registry.
    OtherDigest,
    /// The document has no digest that could be signed.
    NoDigest,
}

/// Whether the verdict depends on the publish time.
pub fn expires(document: &VersionDocument, keys: &RegistryKeys) -> Option<u64> {
    let of_signature = document.signatures.iter().filter_map(|one| keys.find(&one.key_id)?.expires_s);
    of_signature.min()
}

/// `locked`: the digest in the lockfile, which must be the signed one. `published_s`: seconds since
/// 1970.
pub fn verify(
    label: &str,
    document: &VersionDocument,
    locked: Option<&Integrity>,
    keys: &RegistryKeys,
    published_s: Option<u64>,
) -> Verdict {
    if document.signatures.is_empty() {
        return Verdict::Missing;
    }
    let Some(integrity) = &document.integrity else { return Verdict::Invalid(InvalidSignature::NoDigest) };
    let signed = Integrity::parse(integrity);
    if let Some(locked) = locked
        && signed.as_ref() != Some(locked)
    {
        return Verdict::Invalid(InvalidSignature::OtherDigest);
    }
    let message = format!("{label}:{integrity}");
    for one in &document.signatures {
        let invalid = |reason: fn(String) -> InvalidSignature| Verdict::Invalid(reason(one.key_id.clone()));
        let Some(key) = keys.find(&one.key_id) else { return invalid(InvalidSignature::UnknownKey) };
        let is_expired = key
            .expires_s
            .is_some_and(|expires_s| published_s.is_none_or(|published_s| published_s >= expires_s));
        if is_expired {
            return invalid(InvalidSignature::ExpiredKey);
        }
        let public_key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, &key.point);
        let signature = STANDARD.decode(&one.signature).unwrap_or_default();
        if public_key.verify(message.as_bytes(), &signature).is_err() {
            return invalid(InvalidSignature::Wrong);
        }
    }
    Verdict::Verified
}

#[cfg(test)]
mod tests;
