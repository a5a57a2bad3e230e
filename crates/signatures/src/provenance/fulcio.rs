//! Sigstore's authority: a certificate that binds a key to the identity of a CI job. The job proves
//! that it has the key by signing the subject of its token.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use rusk_base::Result;
use rusk_npm::json::text::object;
use rusk_npm::json::{self, Dialect, Node, Value};

use super::key::EphemeralKey;
use super::{Services, problem, strings};

const SUBJECT: &str = "the certificate for the provenance statement";
const PEM_LINE: usize = 64;
const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
const END: &str = "-----END CERTIFICATE-----";

/// A certificate in both of its forms.
pub struct Certificate {
    pub pem: String,
    pub der: Vec<u8>,
}

pub fn certify(services: &Services, identity: &str, key: &EphemeralKey) -> Result<Certificate> {
    let challenge = challenge(identity).ok_or_else(problem::unreadable_identity)?;
    let proof = key.sign(challenge.as_bytes())?;
    let public_key = key.public_key();
    let key_members = strings(&[("algorithm", "ECDSA"), ("content", &pem("PUBLIC KEY", &public_key))]);
    let request = object(&[
        ("credentials", object(&strings(&[("oidcIdentityToken", identity)]))),
        (
            "publicKeyRequest",
            object(&[
                ("publicKey", object(&key_members)),
                ("proofOfPossession", json::text::string(&STANDARD.encode(proof))),
            ]),
        ),
    ]);
    let response = services.post(format!("{}/api/v2/signingCert", services.fulcio), request, SUBJECT)?;
    certificate_in(&response.body)
        .filter(|certificate| contains(&certificate.der, &public_key))
        .ok_or_else(|| problem::unreadable_answer(SUBJECT))
}

/// What the job signs to prove that it has the key: the e-mail address of a person, if the issuer
/// has verified it, else the subject.
fn challenge(identity: &str) -> Option<String> {
    match claim(identity, "email") {
        Some(email) => (claim(identity, "email_verified")? == "true").then_some(email),
        None => claim(identity, "sub"),
    }
}

/// A claim of a JSON web token, a text or a truth value. The token is not verified: Fulcio
/// and the registry do that.
pub fn claim(token: &str, name: &str) -> Option<String> {
    let payload = URL_SAFE_NO_PAD.decode(token.split('.').nth(1)?.trim_end_matches('=')).ok()?;
    let payload = String::from_utf8(payload).ok()?;
    match &json::parse(&payload, Dialect::Strict).ok()?.find(name)?.value {
        Value::String(text) if !text.is_empty() => Some(text.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        _ => None,
    }
}

/// The first certificate of the chain: the one of our key.
fn certificate_in(body: &[u8]) -> Option<Certificate> {
    let text = std::str::from_utf8(body).ok()?;
    let root = json::parse(text, Dialect::Strict).ok()?;
    let kinds = ["signedCertificateEmbeddedSct", "signedCertificateDetachedSct"];
    let signed = kinds.into_iter().find_map(|kind| root.find(kind))?;
    let chain = signed.find("chain")?.find("certificates")?.elements();
    let pem = chain.first().and_then(Node::as_str)?;
    let base64 = pem.trim().strip_prefix(BEGIN)?.strip_suffix(END)?;
    let base64: String = base64.split_ascii_whitespace().collect();
    Some(Certificate { der: STANDARD.decode(base64).ok()?, pem: pem.to_owned() })
}

fn pem(label: &str, der: &[u8]) -> String {
    let base64 = STANDARD.encode(der);
    let lines = base64.as_bytes().chunks(PEM_LINE).map(String::from_utf8_lossy);
    let body: String = lines.map(|line| line.into_owned() + "\n").collect();
    format!("-----BEGIN {label}-----\n{body}-----END {label}-----\n")
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
