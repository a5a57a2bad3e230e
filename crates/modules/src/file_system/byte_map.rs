//! Hash map with byte keys and a hash that costs a few nanoseconds. In: names and paths of the
//! local disk. Collisions are not a concern: an attacker who can create many colliding names can
//! create many names.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

pub(crate) type ByteMap<T> = HashMap<Box<[u8]>, T, BuildHasherDefault<ByteHasher>>;

/// Processes eight bytes at a time by multiply and rotate.
#[derive(Default)]
pub(crate) struct ByteHasher(u64);

impl ByteHasher {
    fn add(&mut self, word: u64) {
        // The fraction of the golden ratio: odd, with random-looking bits.
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for ByteHasher {
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            self.add(u64::from_le_bytes(chunk.try_into().expect("chunks of eight")));
        }
        let rest = chunks.remainder();
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.add(u64::from_le_bytes(word));
        }
    }

    fn write_usize(&mut self, length: usize) {
        self.add(length as u64);
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}
