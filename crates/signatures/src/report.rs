//! Report of `rusk audit signatures`. In: packages with their verdicts. Out: text, or npm's JSON
//! with rusk's own codes. Absent: colours.

use rusk_base::problem::printable;
use rusk_npm::json::text::{array, line, object, optional, string};

use crate::verdict::{InvalidSignature, Verdict};
use crate::version_document::VersionDocument;

/// A package whose registry has keys.
pub struct Audited {
    pub name: String,
    pub version: String,
    pub registry: String,
    pub document: VersionDocument,
    pub verdict: Verdict,
}

/// Ends in a line break.
pub fn text(audited: &[Audited]) -> String {
    let count = |is_meant: &dyn Fn(&&Audited) -> bool| audited.iter().filter(is_meant).count();
    let verified = count(&|one| one.verdict == Verdict::Verified);
    let attested = count(&|one| one.document.has_attestations);
    let packages = |count: usize| format!("{count} {}", if count == 1 { "package" } else { "packages" });
    let mut text = format!("audited {}\n", packages(audited.len()));
    if verified > 0 {
        let (verb, noun) = if verified == 1 { ("has a", "signature") } else { ("have", "signatures") };
        text.push_str(&format!("\n{} {verb} verified registry {noun}\n", packages(verified)));
    }
    if attested > 0 {
        let verb = if attested == 1 { "has" } else { "have" };
        text.push_str(&format!("\n{} {verb} attestations, which rusk does not verify\n", packages(attested)));
    }
    let missing: Vec<&Audited> = audited.iter().filter(|one| one.verdict == Verdict::Missing).collect();
    if !missing.is_empty() {
        let verb = if missing.len() == 1 { "has" } else { "have" };
        text.push_str(&format!(
            "\n{} {verb} no registry signature, but the registry has signing keys:\n",
            packages(missing.len())
        ));
        missing.iter().for_each(|one| text.push_str(&row(one, "")));
    }
    let invalid: Vec<(&Audited, &InvalidSignature)> = audited.iter().filter_map(invalid).collect();
    if !invalid.is_empty() {
        let verb = if invalid.len() == 1 { "has an" } else { "have" };
        let noun = if invalid.len() == 1 { "signature" } else { "signatures" };
        text.push_str(&format!("\n{} {verb} invalid registry {noun}:\n", packages(invalid.len())));
        for (one, reason) in invalid {
            text.push_str(&row(one, &format!(": {}", reason_text(reason))));
        }
    }
    text
}

fn row(audited: &Audited, reason: &str) -> String {
    format!(
        "  {}\n",
        printable(&format!("{}@{} ({}){reason}", audited.name, audited.version, audited.registry))
    )
}

fn invalid(audited: &Audited) -> Option<(&Audited, &InvalidSignature)> {
    match &audited.verdict {
        Verdict::Invalid(reason) => Some((audited, reason)),
        Verdict::Verified | Verdict::Missing => None,
    }
}

pub fn reason_text(reason: &InvalidSignature) -> String {
    match reason {
        InvalidSignature::UnknownKey(key) => format!("the registry has no key {key}"),
        InvalidSignature::ExpiredKey(key) => format!("it was not published before the key {key} expired"),
        InvalidSignature::Wrong(key) => format!("the signature with the key {key} is wrong"),
        InvalidSignature::OtherDigest => "the lockfile has another integrity than the registry".to_owned(),
        InvalidSignature::NoDigest => "the registry has no integrity of it".to_owned(),
    }
}

/// One line.
pub fn json(audited: &[Audited]) -> String {
    let members = |one: &Audited| {
        vec![
            ("name", string(&one.name)),
            ("version", string(&one.version)),
            ("registry", string(&one.registry)),
            ("integrity", optional(one.document.integrity.as_deref())),
            ("resolved", optional(one.document.tarball.as_deref())),
        ]
    };
    let missing = audited.iter().filter(|one| one.verdict == Verdict::Missing);
    let missing: Vec<String> = missing.map(|one| object(&members(one))).collect();
    let invalid = audited.iter().filter_map(invalid).map(|(one, reason)| {
        let (code, key) = match reason {
            InvalidSignature::UnknownKey(key) => ("unknown-key", Some(key)),
            InvalidSignature::ExpiredKey(key) => ("expired-key", Some(key)),
            InvalidSignature::Wrong(key) => ("wrong-signature", Some(key)),
            InvalidSignature::OtherDigest => ("other-integrity", None),
            InvalidSignature::NoDigest => ("no-integrity", None),
        };
        let mut members = members(one);
        members.insert(0, ("code", string(code)));
        members.push(("keyid", optional(key.map(String::as_str))));
        object(&members)
    });
    let attested = audited.iter().filter(|one| one.document.has_attestations).count();
    line(&[
        ("invalid", array(invalid)),
        ("missing", array(missing.into_iter())),
        ("audited", audited.len().to_string()),
        ("unverifiedAttestations", attested.to_string()),
    ])
}
