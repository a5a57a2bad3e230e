//! Bytes that are zeroed when dropped: keys, passphrases, shared secrets. In: a vector. Out: a
//! slice. Absent: protection from swapping and core dumps.

use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{Ordering, compiler_fence};

#[derive(Clone, Default, PartialEq, Eq)]
pub struct SecretBytes(Vec<u8>);

impl SecretBytes {
    pub fn new(bytes: Vec<u8>) -> SecretBytes {
        SecretBytes(bytes)
    }
}

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

/// Zeroes bytes in a way that the compiler keeps.
pub fn wipe(bytes: &mut [u8]) {
    bytes.fill(0);
    std::hint::black_box(&*bytes);
    compiler_fence(Ordering::SeqCst);
}
