//! Bytes that are zeroed when dropped: keys, passphrases, shared secrets. In: a vector. Out: a
//! slice. Absent: protection from swapping and core dumps.

use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{Ordering, compiler_fence};

#[derive(Clone, Default)]
pub struct SecretBytes(Vec<u8>);

impl SecretBytes {
    pub fn new(bytes: Vec<u8>) -> SecretBytes {
        SecretBytes(bytes)
    }
}

impl PartialEq for SecretBytes {
    fn eq(&self, other: &SecretBytes) -> bool {
        are_equal(&self.0, &other.0)
    }
}

impl Eq for SecretBytes {}

impl Deref for SecretBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for SecretBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretBytes({} bytes)", self.0.len())
    }
}

impl Drop for SecretBytes {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

/// Compares in a time that depends on the lengths alone.
pub fn are_equal(one: &[u8], other: &[u8]) -> bool {
    let pairs = one.iter().zip(other);
    // `black_box` keeps the compiler from ending the loop early.
    let difference = pairs.fold(one.len() ^ other.len(), |difference, (one, other)| {
        std::hint::black_box(difference | usize::from(one ^ other))
    });
    difference == 0
}

/// Zeroes bytes in a way that the compiler keeps.
pub fn wipe(bytes: &mut [u8]) {
    bytes.fill(0);
    std::hint::black_box(&*bytes);
    compiler_fence(Ordering::SeqCst);
}

#[cfg(test)]
mod tests;
