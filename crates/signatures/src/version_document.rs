//! The registry's document of one version, as far as signatures are concerned. In: JSON. Out:
//! values.

use rusk_npm::json::{self, Dialect, Node};

/// Signatures of one version that are read; a registry has one for each of its keys.
const SIGNATURES_MAX: usize = 100;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VersionDocument {
    /// As the registry wrote it: the signature covers this text.
    pub integrity: Option<String>,
    pub tarball: Option<String>,
    pub signatures: Vec<RegistrySignature>,
    /// Provenance or a publish attestation.
    pub has_attestations: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistrySignature {
    pub key_id: String,
    /// DER in base64.
    pub signature: String,
}

impl VersionDocument {
    /// `None` for a text without `dist`.
    pub fn parse(text: &str) -> Option<VersionDocument> {
        let root = json::parse(text, Dialect::Strict).ok()?;
        let dist = root.find("dist").filter(|dist| dist.is_object())?;
        let string = |key: &str| dist.find(key).and_then(Node::as_str).map(str::to_owned);
        let signatures = dist.find("signatures").map(Node::elements).unwrap_or_default();
        let signature = |node: &Node<'_>| {
            let string = |key: &str| node.find(key).and_then(Node::as_str).unwrap_or_default().to_owned();
            RegistrySignature { key_id: string("keyid"), signature: string("sig") }
        };
        Some(VersionDocument {
            integrity: string("integrity"),
            tarball: string("tarball"),
            signatures: signatures.iter().take(SIGNATURES_MAX).map(signature).collect(),
            has_attestations: dist.find("attestations").is_some_and(Node::is_object),
        })
    }
}
