//! Signatures of the test registry. In: a message. Out: a signature by a key that is made at the
//! first use, and the keys as `/-/npm/v1/keys` shows them.

use std::sync::OnceLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};

/// How a version is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signature {
    None,
    Valid,
    /// Over another message.
    Wrong,
    /// By a key that expired on 2020-01-02.
    Old,
    /// By a key that the registry does not show.
    Unknown,
}

impl Signature {
    pub fn parse(text: &str) -> Signature {
        match text {
            "valid" => Signature::Valid,
            "wrong" => Signature::Wrong,
            "old" => Signature::Old,
            "unknown" => Signature::Unknown,
            other => panic!("`{other}` is no kind of signature"),
        }
    }

    /// The id of the key and the signature.
    pub fn over(self, message: &str) -> Option<(&'static str, String)> {
        let id = match self {
            Signature::None => return None,
            Signature::Valid | Signature::Wrong => "SHA256:current",
            Signature::Old => "SHA256:old",
            Signature::Unknown => "SHA256:unknown",
        };
        let signed = if self == Signature::Wrong { "another message" } else { message };
        Some((id, sign(signed.as_bytes())))
    }
}

/// A signature in base64, always as long: one of a hundred is shorter, and specs show the length of
/// documents.
fn sign(message: &[u8]) -> String {
    const DER_BYTES_MIN: usize = 70;
    let signatures =
        std::iter::repeat_with(|| key().sign(&SystemRandom::new(), message).expect("the key signs"));
    let mut usual = signatures.filter(|signature| signature.as_ref().len() >= DER_BYTES_MIN);
    STANDARD.encode(usual.next().expect("nearly all are"))
}

/// The answer of `/-/npm/v1/keys`. One key has two ids.
pub fn keys() -> String {
    const PREFIX: [u8; 26] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
        0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ];
    let der = [&PREFIX, key().public_key().as_ref()].concat();
    let shown = |id: &str, expires: &str| {
        format!(
            r#"{{"keyid":"{id}","expires":{expires},"keytype":"ecdsa-sha2-nistp256","scheme":"ecdsa-sha2-nistp256","key":"{}"}}"#,
            STANDARD.encode(&der)
        )
    };
    let old = shown("SHA256:old", "\"2020-01-02T00:00:00.000Z\"");
    format!(r#"{{"keys":[{},{old}]}}"#, shown("SHA256:current", "null"))
}

fn key() -> &'static EcdsaKeyPair {
    static KEY: OnceLock<EcdsaKeyPair> = OnceLock::new();
    KEY.get_or_init(|| {
        let random = SystemRandom::new();
        let bytes = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).expect("a key");
        EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, bytes.as_ref(), &random).expect("it is one")
    })
}
