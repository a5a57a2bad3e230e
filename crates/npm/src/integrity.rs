//! Subresource integrity strings: which digest a tarball must have. Text in, bytes out.
//! Absent: hashing, which is the store's work.

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::fmt;

/// Longer strings are rejected; one with every algorithm has less than 350 bytes.
pub const INTEGRITY_BYTES_MAX: usize = 4 * 1024;

const DIGEST_BYTES_MAX: usize = 64;

/// Registries have served digests with and without their padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Algorithm {
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}

/// The strongest digest of an integrity string.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Integrity {
    algorithm: Algorithm,
    /// Zeros after the digest.
    bytes: [u8; DIGEST_BYTES_MAX],
}

impl Integrity {
    /// `None` when the digest has not the length of its algorithm.
    pub fn new(algorithm: Algorithm, digest: &[u8]) -> Option<Integrity> {
        if digest.len() != algorithm.digest_bytes() {
            return None;
        }
        let mut bytes = [0; DIGEST_BYTES_MAX];
        bytes[..digest.len()].copy_from_slice(digest);
        Some(Integrity { algorithm, bytes })
    }

    /// Parses `sha512-…`, or several separated by blanks; returns the first one of the strongest
    /// algorithm. Ignores unknown algorithms, also md5. An invalid digest of a known algorithm
    /// makes the string invalid, so that a weaker one does not replace it.
    pub fn parse(text: &str) -> Option<Integrity> {
        if text.len() > INTEGRITY_BYTES_MAX {
            return None;
        }
        let mut strongest: Option<Integrity> = None;
        for word in text.split_ascii_whitespace() {
            let (algorithm, rest) = word.split_once('-')?;
            let Some(algorithm) = Algorithm::parse(algorithm) else { continue };
            let digest = rest.split_once('?').map_or(rest, |(digest, _options)| digest);
            let integrity = Integrity::new(algorithm, &BASE64.decode(digest).ok()?)?;
            if strongest.is_none_or(|strongest| strongest.algorithm < algorithm) {
                strongest = Some(integrity);
            }
        }
        strongest
    }

    /// Parses `shasum` of old packuments: a sha1 in 40 hex digits.
    pub fn from_shasum(hex: &str) -> Option<Integrity> {
        let mut digest = Vec::with_capacity(Algorithm::Sha1.digest_bytes());
        if hex.len() != Algorithm::Sha1.digest_bytes() * 2 {
            return None;
        }
        for pair in hex.as_bytes().chunks_exact(2) {
            let [high, low] = [pair[0], pair[1]].map(|digit| char::from(digit).to_digit(16));
            digest.push(u8::try_from(high? * 16 + low?).expect("two hex digits are a byte"));
        }
        Integrity::new(Algorithm::Sha1, &digest)
    }

    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    pub fn digest(&self) -> &[u8] {
        &self.bytes[..self.algorithm.digest_bytes()]
    }
}

impl Algorithm {
    fn parse(text: &str) -> Option<Algorithm> {
        [Algorithm::Sha1, Algorithm::Sha256, Algorithm::Sha384, Algorithm::Sha512]
            .into_iter()
            .find(|algorithm| algorithm.as_str() == text)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Algorithm::Sha1 => "sha1",
            Algorithm::Sha256 => "sha256",
            Algorithm::Sha384 => "sha384",
            Algorithm::Sha512 => "sha512",
        }
    }

    pub fn digest_bytes(self) -> usize {
        match self {
            Algorithm::Sha1 => 20,
            Algorithm::Sha256 => 32,
            Algorithm::Sha384 => 48,
            Algorithm::Sha512 => 64,
        }
    }
}

impl fmt::Display for Integrity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.algorithm.as_str(), BASE64.encode(self.digest()))
    }
}

impl fmt::Debug for Integrity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests;
