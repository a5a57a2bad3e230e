//! A signed statement: the envelope (DSSE), and the bundle of Sigstore around it. Also reads a
//! bundle that another program made.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rusk_base::Result;
use rusk_npm::json::text::{array, compact, object, string};
use rusk_npm::json::{self, Dialect, Node, Value};

use super::fulcio::Certificate;
use super::key::EphemeralKey;
use super::rekor::LogEntry;
use super::statement::Subject;
use super::{problem, strings};

const MEDIA_TYPE: &str = "application/vnd.dev.sigstore.bundle.v0.3+json";
const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

/// A statement and its signature.
pub struct Envelope {
    payload: String,
    signature: String,
}

impl Envelope {
    pub fn sign(statement: &str, key: &EphemeralKey) -> Result<Envelope> {
        // DSSE: what is signed has its type and its length in it.
        let signed = format!("DSSEv1 {} {PAYLOAD_TYPE} {} {statement}", PAYLOAD_TYPE.len(), statement.len());
        let signature = STANDARD.encode(key.sign(signed.as_bytes())?);
        Ok(Envelope { payload: STANDARD.encode(statement), signature })
    }

    /// JSON.
    pub fn text(&self) -> String {
        let signature = object(&strings(&[("sig", &self.signature)]));
        object(&[
            ("payload", string(&self.payload)),
            ("payloadType", string(PAYLOAD_TYPE)),
            ("signatures", array(std::iter::once(signature))),
        ])
    }
}

/// What a publication carries.
#[derive(Debug)]
pub struct Bundle {
    pub media_type: String,
    /// JSON.
    pub text: String,
    /// The entry in the transparency log, in decimal digits. A bundle from a file may have none.
    pub log_index: Option<String>,
}

impl Bundle {
    pub(super) fn new(envelope: &Envelope, certificate: &Certificate, entry: &LogEntry) -> Bundle {
        let raw_bytes = string(&STANDARD.encode(&certificate.der));
        let material = object(&[
            ("certificate", object(&[("rawBytes", raw_bytes)])),
            ("tlogEntries", array(std::iter::once(entry.text.clone()))),
            ("timestampVerificationData", object(&[])),
        ]);
        let text = object(&[
            ("mediaType", string(MEDIA_TYPE)),
            ("verificationMaterial", material),
            ("dsseEnvelope", envelope.text()),
        ]);
        Bundle { media_type: MEDIA_TYPE.to_owned(), text, log_index: Some(entry.index.clone()) }
    }

    /// Reads a bundle that another program made, and compares its statement with the package.
    /// `path` is for errors.
    pub fn read(path: &str, text: &str, subject: &Subject) -> Result<Bundle> {
        let invalid = |reason: &str| problem::invalid_file(path, reason);
        let root = json::parse(text, Dialect::Strict).map_err(|error| invalid(&error.to_string()))?;
        let media_type = root.find("mediaType").and_then(Node::as_str);
        let media_type = media_type.filter(|media_type| media_type.contains("sigstore.bundle"));
        let media_type = media_type.ok_or_else(|| invalid("it is no bundle of Sigstore"))?;
        let payload = root.find("dsseEnvelope").and_then(|envelope| envelope.find("payload")?.as_str());
        let statement = payload.and_then(|payload| STANDARD.decode(payload).ok());
        let statement = statement.and_then(|statement| String::from_utf8(statement).ok());
        let statement = statement.ok_or_else(|| invalid("it has no signed statement"))?;
        let statement =
            json::parse(&statement, Dialect::Strict).map_err(|_| invalid("its statement is no JSON"))?;
        match statement.find("subject").map(Node::elements) {
            Some([named]) => subject.compare(named).map_err(|reason| invalid(&reason))?,
            _ => return Err(invalid("its statement is not about one package")),
        }
        let entries = root.find("verificationMaterial").and_then(|material| material.find("tlogEntries"));
        let index = entries.and_then(|entries| entries.elements().first()?.find("logIndex"));
        let log_index = index.and_then(|index| match &index.value {
            Value::String(text) => Some(text.to_string()),
            Value::Number(text) => Some((*text).to_owned()),
            _ => None,
        });
        Ok(Bundle { media_type: media_type.to_owned(), text: compact(text), log_index })
    }
}
