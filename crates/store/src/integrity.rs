//! Subresource integrity as npm uses it. In: text such as `sha512-…`, or several of those. Out: the strongest
//! one, to be held against bytes. Absent: md5 and other algorithms that prove nothing.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use rusk_base::Result;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};

use crate::problem;

/// The algorithms taken, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Algorithm {
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}

/// One hash that bytes must have, or any of several hashes of the same, strongest algorithm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Integrity {
    algorithm: Algorithm,
    hashes: Vec<Vec<u8>>,
}

impl Integrity {
    /// Reads hashes separated by blanks, options (`?…`) and unknown algorithms passed over.
    /// A problem when nothing is left or a known hash is malformed.
    pub fn parse(text: &str) -> Result<Integrity> {
        let mut strongest: Option<Integrity> = None;
        for word in text.split_ascii_whitespace() {
            let Some((name, encoded)) = word.split_once('-') else { continue };
            let Some(algorithm) = Algorithm::named(name) else { continue };
            let encoded = encoded.split('?').next().unwrap_or_default();
            let hash = BASE64.decode(encoded).ok().filter(|hash| hash.len() == algorithm.hash_bytes());
            let hash = hash.ok_or_else(|| problem::integrity_malformed(text))?;
            match &mut strongest {
                Some(found) if found.algorithm > algorithm => {}
                Some(found) if found.algorithm == algorithm => found.hashes.push(hash),
                _ => strongest = Some(Integrity { algorithm, hashes: vec![hash] }),
            }
        }
        strongest.ok_or_else(|| problem::integrity_malformed(text))
    }

    /// From a packument's `shasum`: 40 hex digits of SHA-1.
    pub fn from_shasum(hex: &str) -> Result<Integrity> {
        let malformed = || problem::integrity_malformed(hex);
        let digits = hex.as_bytes();
        if digits.len() != 40 {
            return Err(malformed());
        }
        let nibble = |digit: u8| char::from(digit).to_digit(16).ok_or_else(malformed);
        let byte = |pair: &[u8]| Ok((nibble(pair[0])? * 16 + nibble(pair[1])?) as u8);
        let hash = digits.chunks(2).map(byte).collect::<Result<Vec<u8>>>()?;
        Ok(Integrity { algorithm: Algorithm::Sha1, hashes: vec![hash] })
    }

    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// A problem unless the bytes have the hash. `sha512` is what the bytes are already known to have.
    pub fn verify(&self, bytes: &[u8], sha512: &[u8; 64]) -> Result<()> {
        let found = match self.algorithm {
            Algorithm::Sha512 => sha512.to_vec(),
            Algorithm::Sha384 => Sha384::digest(bytes).to_vec(),
            Algorithm::Sha256 => Sha256::digest(bytes).to_vec(),
            Algorithm::Sha1 => Sha1::digest(bytes).to_vec(),
        };
        if self.hashes.contains(&found) {
            return Ok(());
        }
        let wanted = self.render(self.hashes.first().map_or(&[], Vec::as_slice));
        Err(problem::integrity_differs(&self.render(&found), &wanted))
    }

    fn render(&self, hash: &[u8]) -> String {
        format!("{}-{}", self.algorithm.name(), BASE64.encode(hash))
    }
}

impl Algorithm {
    fn named(name: &str) -> Option<Algorithm> {
        [Algorithm::Sha1, Algorithm::Sha256, Algorithm::Sha384, Algorithm::Sha512]
            .into_iter()
            .find(|algorithm| algorithm.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Algorithm::Sha1 => "sha1",
            Algorithm::Sha256 => "sha256",
            Algorithm::Sha384 => "sha384",
            Algorithm::Sha512 => "sha512",
        }
    }

    fn hash_bytes(self) -> usize {
        match self {
            Algorithm::Sha1 => 20,
            Algorithm::Sha256 => 32,
            Algorithm::Sha384 => 48,
            Algorithm::Sha512 => 64,
        }
    }
}

/// The SHA-512 of bytes.
pub fn sha512(bytes: &[u8]) -> [u8; 64] {
    Sha512::digest(bytes).into()
}

/// As it stands in a lockfile.
pub fn render_sha512(hash: &[u8; 64]) -> String {
    format!("sha512-{}", BASE64.encode(hash))
}

#[cfg(test)]
mod tests;
