//! Bytes held against the digest they must have. In: a tarball and an integrity. Out: yes, or what was found.
//! Absent: the text of integrities, which `rusk_npm::integrity` reads and writes.

use rusk_base::Result;
use rusk_npm::integrity::{Algorithm, Integrity};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};

use crate::problem;

/// A problem unless the bytes have the digest. `sha512` is the one they are already known to have.
pub fn verify(wanted: &Integrity, bytes: &[u8], sha512: &[u8; 64]) -> Result<()> {
    let algorithm = wanted.algorithm();
    let found = match algorithm {
        Algorithm::Sha512 => sha512.to_vec(),
        Algorithm::Sha384 => Sha384::digest(bytes).to_vec(),
        Algorithm::Sha256 => Sha256::digest(bytes).to_vec(),
        Algorithm::Sha1 => Sha1::digest(bytes).to_vec(),
    };
    match Integrity::new(algorithm, &found) {
        Some(found) if found == *wanted => Ok(()),
        found => {
            let found = found.map(|found| found.to_string()).unwrap_or_default();
            Err(problem::integrity_differs(&found, &wanted.to_string()))
        }
    }
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
