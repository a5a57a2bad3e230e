//! Integrity check of a tarball. In: bytes and the expected integrity. Out: success, or the digest
//! that was found. Absent: the format of integrities; see `rusk_npm::integrity`.

use rusk_base::Result;
use rusk_npm::integrity::{Algorithm, Integrity};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};

use crate::problem;

/// Incremental digests: SHA-512, and any other that the integrity names.
pub struct Digests<'a> {
    wanted: Option<&'a Integrity>,
    sha512: Sha512,
    other: Option<Other>,
}

enum Other {
    Sha384(Sha384),
    Sha256(Sha256),
    Sha1(Sha1),
}

impl<'a> Digests<'a> {
    pub fn new(wanted: Option<&'a Integrity>) -> Digests<'a> {
        let other = wanted.and_then(|wanted| match wanted.algorithm() {
            Algorithm::Sha512 => None,
            Algorithm::Sha384 => Some(Other::Sha384(Sha384::new())),
            Algorithm::Sha256 => Some(Other::Sha256(Sha256::new())),
            Algorithm::Sha1 => Some(Other::Sha1(Sha1::new())),
        });
        Digests { wanted, sha512: Sha512::new(), other }
    }

    pub fn update(&mut self, bytes: &[u8]) {
        self.sha512.update(bytes);
        match &mut self.other {
            None => {}
            Some(Other::Sha384(hash)) => hash.update(bytes),
            Some(Other::Sha256(hash)) => hash.update(bytes),
            Some(Other::Sha1(hash)) => hash.update(bytes),
        }
    }

    /// The SHA-512; an error unless the bytes have the expected digest.
    pub fn verify(self) -> Result<[u8; 64]> {
        let sha512: [u8; 64] = self.sha512.finalize().into();
        let Some(wanted) = self.wanted else { return Ok(sha512) };
        let found = match self.other {
            None => sha512.to_vec(),
            Some(Other::Sha384(hash)) => hash.finalize().to_vec(),
            Some(Other::Sha256(hash)) => hash.finalize().to_vec(),
            Some(Other::Sha1(hash)) => hash.finalize().to_vec(),
        };
        match Integrity::new(wanted.algorithm(), &found) {
            Some(found) if found == *wanted => Ok(sha512),
            found => {
                let found = found.map(|found| found.to_string()).unwrap_or_default();
                Err(problem::integrity_differs(&found, &wanted.to_string()))
            }
        }
    }
}

/// The SHA-512 of bytes; an error unless they have the expected digest.
pub fn verify(wanted: Option<&Integrity>, bytes: &[u8]) -> Result<[u8; 64]> {
    let mut digests = Digests::new(wanted);
    digests.update(bytes);
    digests.verify()
}

/// The SHA-512 of bytes.
pub fn sha512(bytes: &[u8]) -> [u8; 64] {
    Sha512::digest(bytes).into()
}

/// A SHA-512 as an integrity.
pub fn of_sha512(hash: &[u8; 64]) -> Integrity {
    Integrity::new(Algorithm::Sha512, hash).expect("64 bytes are a SHA-512")
}

#[cfg(test)]
mod tests;
