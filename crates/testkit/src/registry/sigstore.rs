//! Sigstore's services below `/-/test/sigstore`: the authority certifies a key whose owner has
//! signed the subject of an identity token, and the log records an envelope that such a key has
//! signed. A certificate here is the key and a name. A token with the subject `stranger` is
//! refused.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::signature::{ECDSA_P256_SHA256_ASN1, UnparsedPublicKey};
use rusk_npm::json::text::{object, string};
use rusk_npm::json::{self, Dialect, Node};
use sha2::{Digest, Sha512};

use super::http::{Answer, Request};

const AUTHORITY: &str = "/-/test/sigstore/api/v2/signingCert";
const LOG: &str = "/-/test/sigstore/api/v1/log/entries";
/// Bytes of an uncompressed point.
const POINT_BYTES: usize = 65;

/// The identity token of a job, for the audience of Sigstore.
pub fn identity(package: &str) -> String {
    let claims = object(&[("sub", string(&format!("job-of-{package}"))), ("aud", string("sigstore"))]);
    format!("e30.{}.signed", URL_SAFE_NO_PAD.encode(claims))
}

/// `None`: the request is not for these services.
pub fn answer(request: &Request) -> Option<Answer> {
    let body = String::from_utf8_lossy(&request.body);
    let root = json::parse(&body, Dialect::Strict).ok();
    let answered = match request.path.as_str() {
        AUTHORITY => root.as_ref().and_then(certify),
        LOG => root.as_ref().and_then(record),
        _ => return None,
    };
    let has_credentials = request.header("authorization").is_some();
    let refused = || Answer::json(400, r#"{"code":3,"message":"There was an error"}"#);
    Some(answered.filter(|_| !has_credentials).map_or_else(refused, |body| Answer::json(201, &body)))
}

fn text<'a>(node: &'a Node<'_>, path: &[&str]) -> Option<&'a str> {
    path.iter().try_fold(node, |node, key| node.find(key))?.as_str()
}

fn certify(request: &Node<'_>) -> Option<String> {
    let token = text(request, &["credentials", "oidcIdentityToken"])?;
    let claims = String::from_utf8(URL_SAFE_NO_PAD.decode(token.split('.').nth(1)?).ok()?).ok()?;
    let claims = json::parse(&claims, Dialect::Strict).ok()?;
    let subject = text(&claims, &["sub"]).filter(|subject| *subject != "stranger")?;
    let key = from_pem(text(request, &["publicKeyRequest", "publicKey", "content"])?)?;
    let proof = STANDARD.decode(text(request, &["publicKeyRequest", "proofOfPossession"])?).ok()?;
    verify(&key, subject.as_bytes(), &proof)?;
    let certificate = [b"certificate of ", subject.as_bytes(), b": ", &key].concat();
    let pem =
        format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", STANDARD.encode(certificate));
    let chain = object(&[("certificates", format!("[{},{}]", string(&pem), string("of the authority")))]);
    Some(object(&[("signedCertificateEmbeddedSct", object(&[("chain", chain)]))]))
}

fn record(request: &Node<'_>) -> Option<String> {
    let content = request.find("spec")?.find("proposedContent")?;
    let envelope = text(content, &["envelope"])?;
    let verifier = STANDARD.decode(content.find("verifiers")?.elements().first()?.as_str()?).ok()?;
    verify_envelope(
        &json::parse(envelope, Dialect::Strict).ok()?,
        &from_pem(std::str::from_utf8(&verifier).ok()?)?,
    )?;
    let recorded = object(&[("apiVersion", string("0.0.1")), ("kind", string("dsse"))]);
    let proof = object(&[
        ("checkpoint", string("log.test\n13\n")),
        ("hashes", format!("[{}]", string(&"0f".repeat(32)))),
        ("logIndex", "12".to_owned()),
        ("rootHash", string(&"f0".repeat(32))),
        ("treeSize", "13".to_owned()),
    ]);
    let verification = object(&[("inclusionProof", proof), ("signedEntryTimestamp", string("c2V0"))]);
    let entry = object(&[
        ("body", string(&STANDARD.encode(recorded))),
        ("integratedTime", "1790000000".to_owned()),
        ("logID", string(&"c0".repeat(32))),
        ("logIndex", "12".to_owned()),
        ("verification", verification),
    ]);
    Some(object(&[("24296fb24b8ad77a", entry)]))
}

/// What a registry checks of a publication that carries a bundle: the certificate's key has signed
/// a statement about this tarball, and the log has it.
pub fn is_about(bundle: &str, tarball: &[u8]) -> bool {
    let check = || {
        let root = json::parse(bundle, Dialect::Strict).ok()?;
        let certificate = STANDARD.decode(text(&root, &["verificationMaterial", "certificate", "rawBytes"])?);
        let envelope = root.find("dsseEnvelope")?;
        let statement = verify_envelope(envelope, &certificate.ok()?)?;
        let statement = json::parse(&statement, Dialect::Strict).ok()?;
        let digest = text(statement.find("subject")?.elements().first()?, &["digest", "sha512"])?.to_owned();
        let own: String = Sha512::digest(tarball).iter().map(|byte| format!("{byte:02x}")).collect();
        let entry = root.find("verificationMaterial")?.find("tlogEntries")?.elements().first()?;
        let is_recorded = text(entry, &["logIndex"])? == "12"
            && text(entry, &["logId", "keyId"])? == STANDARD.encode([0xc0; 32])
            && text(entry, &["inclusionProof", "rootHash"])? == STANDARD.encode([0xf0; 32]);
        (digest == own && is_recorded).then_some(())
    };
    check().is_some()
}

/// Returns the payload.
fn verify_envelope(envelope: &Node<'_>, certificate: &[u8]) -> Option<String> {
    let payload = String::from_utf8(STANDARD.decode(text(envelope, &["payload"])?).ok()?).ok()?;
    let kind = text(envelope, &["payloadType"])?;
    let signature = text(envelope.find("signatures")?.elements().first()?, &["sig"])?;
    let signed = format!("DSSEv1 {} {kind} {} {payload}", kind.len(), payload.len());
    verify(certificate, signed.as_bytes(), &STANDARD.decode(signature).ok()?)?;
    Some(payload)
}

/// `key` ends in a point.
fn verify(key: &[u8], message: &[u8], signature: &[u8]) -> Option<()> {
    let point = &key[key.len().checked_sub(POINT_BYTES)?..];
    UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point).verify(message, signature).ok()
}

fn from_pem(pem: &str) -> Option<Vec<u8>> {
    let base64: String = pem.lines().filter(|line| !line.starts_with("-----")).collect();
    STANDARD.decode(base64).ok()
}
