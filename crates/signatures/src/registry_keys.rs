//! Public keys of a registry: the answer of `/-/npm/v1/keys`. In: JSON. Out: points of the curve
//! P-256, by key id. A key of another kind is passed over.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rusk_npm::json::{self, Dialect, Node};
use rusk_npm::packument::unix_seconds;

/// Keys that are read; a registry has a few.
const KEYS_MAX: usize = 1000;

/// DER of a SubjectPublicKeyInfo up to the point: id-ecPublicKey, the curve prime256v1, a bit
/// string of 65 bytes and the mark of an uncompressed point follows (RFC 5480).
pub(crate) const P256_PREFIX: [u8; 26] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
    0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];

/// The mark, and two coordinates of 32 bytes.
const POINT_BYTES: usize = 65;
const UNCOMPRESSED: u8 = 4;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegistryKeys {
    keys: Vec<RegistryKey>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RegistryKey {
    /// `SHA256:…`
    pub id: String,
    /// Uncompressed.
    pub point: [u8; POINT_BYTES],
    /// Seconds since 1970; versions published later are not signed with it.
    pub expires_s: Option<u64>,
}

impl RegistryKeys {
    /// `None` for a text without a list `keys`.
    pub fn parse(text: &str) -> Option<RegistryKeys> {
        let root = json::parse(text, Dialect::Strict).ok()?;
        let keys = root.find("keys").filter(|keys| keys.is_array())?.elements();
        Some(RegistryKeys { keys: keys.iter().take(KEYS_MAX).filter_map(RegistryKey::parse).collect() })
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(crate) fn find(&self, id: &str) -> Option<&RegistryKey> {
        self.keys.iter().find(|key| key.id == id)
    }
}

impl RegistryKey {
    fn parse(node: &Node<'_>) -> Option<RegistryKey> {
        let string = |key: &str| node.find(key).and_then(Node::as_str);
        if string("scheme").is_some_and(|scheme| scheme != "ecdsa-sha2-nistp256") {
            return None;
        }
        let expires_s = match node.find("expires").filter(|expires| expires.as_str().is_some()) {
            Some(expires) => Some(unix_seconds(expires.as_str()?)?),
            None => None,
        };
        let der = STANDARD.decode(string("key")?.trim()).ok()?;
        let point = der.strip_prefix(&P256_PREFIX)?;
        let point: [u8; POINT_BYTES] = point.try_into().ok()?;
        (point[0] == UNCOMPRESSED).then(|| RegistryKey {
            id: string("keyid").unwrap_or_default().to_owned(),
            point,
            expires_s,
        })
    }
}

#[cfg(test)]
mod tests;
