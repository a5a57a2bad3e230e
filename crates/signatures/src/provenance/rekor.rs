//! Sigstore's transparency log: records an envelope with its certificate. In: both. Out: the entry
//! of the log, in the form that a bundle has.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rusk_base::Result;
use rusk_npm::json::text::{array, object, string};
use rusk_npm::json::{self, Dialect, Node, Value};

use super::bundle::Envelope;
use super::fulcio::Certificate;
use super::{Services, problem};

const SUBJECT: &str = "the entry of the transparency log";

/// An entry of the log.
pub struct LogEntry {
    /// A number in decimal digits.
    pub index: String,
    /// JSON, as a bundle has it.
    pub text: String,
}

pub fn record(services: &Services, envelope: &Envelope, certificate: &Certificate) -> Result<LogEntry> {
    let verifier = string(&STANDARD.encode(&certificate.pem));
    let content =
        object(&[("envelope", string(&envelope.text())), ("verifiers", array(std::iter::once(verifier)))]);
    let request = object(&[
        ("apiVersion", string("0.0.1")),
        ("kind", string("dsse")),
        ("spec", object(&[("proposedContent", content)])),
    ]);
    let response = services.post(format!("{}/api/v1/log/entries", services.rekor), request, SUBJECT)?;
    let text = std::str::from_utf8(&response.body).ok();
    let root = text.and_then(|text| json::parse(text, Dialect::Strict).ok());
    // An object with one member, whose key is the entry's name.
    let entry = root.as_ref().and_then(|root| root.members().first()).map(|member| &member.node);
    entry.and_then(LogEntry::read).ok_or_else(|| problem::unreadable_answer(SUBJECT))
}

impl LogEntry {
    fn read(entry: &Node<'_>) -> Option<LogEntry> {
        let body = entry.find("body")?.as_str()?;
        let recorded = String::from_utf8(STANDARD.decode(body).ok()?).ok()?;
        let recorded = json::parse(&recorded, Dialect::Strict).ok()?;
        let kind_member = |key: &str| Some(string(recorded.find(key)?.as_str()?));
        let index = digits(entry, "logIndex")?;
        let mut members = vec![
            ("logIndex", string(&index)),
            ("logId", object(&[("keyId", hex_as_base64(entry.find("logID")?)?)])),
            (
                "kindVersion",
                object(&[("kind", kind_member("kind")?), ("version", kind_member("apiVersion")?)]),
            ),
            ("integratedTime", string(&digits(entry, "integratedTime")?)),
        ];
        let verification = entry.find("verification");
        let find = |key: &str| verification.and_then(|verification| verification.find(key));
        if let Some(time) = find("signedEntryTimestamp").and_then(Node::as_str) {
            members.push(("inclusionPromise", object(&[("signedEntryTimestamp", string(time))])));
        }
        if let Some(proof) = find("inclusionProof") {
            members.push(("inclusionProof", inclusion_proof(proof)?));
        }
        members.push(("canonicalizedBody", string(body)));
        Some(LogEntry { index, text: object(&members) })
    }
}

fn inclusion_proof(proof: &Node<'_>) -> Option<String> {
    let hashes: Option<Vec<String>> = proof.find("hashes")?.elements().iter().map(hex_as_base64).collect();
    let checkpoint = string(proof.find("checkpoint")?.as_str()?);
    Some(object(&[
        ("logIndex", string(&digits(proof, "logIndex")?)),
        ("rootHash", hex_as_base64(proof.find("rootHash")?)?),
        ("treeSize", string(&digits(proof, "treeSize")?)),
        ("hashes", array(hashes?.into_iter())),
        ("checkpoint", object(&[("envelope", checkpoint)])),
    ]))
}

/// A number that is not negative and has no fraction.
fn digits(node: &Node<'_>, key: &str) -> Option<String> {
    match node.find(key)?.value {
        Value::Number(text) => text.parse::<u64>().ok().map(|number| number.to_string()),
        _ => None,
    }
}

/// Bytes in hexadecimal digits, as a JSON string in base64.
fn hex_as_base64(node: &Node<'_>) -> Option<String> {
    let digits = node.as_str()?.as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes: Option<Vec<u8>> = digits.chunks(2).map(byte).collect();
    (digits.len() % 2 == 0).then(|| bytes.map(|bytes| string(&STANDARD.encode(bytes))))?
}
