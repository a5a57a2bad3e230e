//! Digest of a blob: `sha256:` and 64 hex digits, validated. Absent: other algorithms, which no
//! image uses.

use sha2::{Digest as _, Sha256};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digest(String);

impl Digest {
    pub fn parse(text: &str) -> Option<Digest> {
        let hex = text.strip_prefix("sha256:")?;
        let is_hex = hex.len() == 64 && hex.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_hex.then(|| Digest(hex.to_owned()))
    }

    pub fn of(bytes: &[u8]) -> Digest {
        let mut hash = Hash::default();
        hash.update(bytes);
        hash.finish()
    }

    /// Without the algorithm's prefix.
    pub fn hex(&self) -> &str {
        &self.0
    }
}

/// Incremental SHA-256.
#[derive(Default)]
pub struct Hash(Sha256);

impl Hash {
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}
