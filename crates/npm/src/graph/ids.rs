//! Hash maps and sets with ids as keys. In: consecutive ids. The hash is one multiplication.
//! Absent: strings as keys; they are untrusted, so such maps use the standard library's hasher.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

pub type IdMap<K, V> = HashMap<K, V, BuildHasherDefault<IdHasher>>;
pub type IdSet<K> = HashSet<K, BuildHasherDefault<IdHasher>>;

/// Takes one or two numbers of 32 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct IdHasher(u64);

/// The odd number nearest to 2^64 divided by the golden ratio: neighbours end up far apart.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        // The map looks at the highest and at the lowest bits; only the high ones of a product
        // depend on all.
        let product = self.0.wrapping_mul(FACTOR);
        product ^ product >> 32
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = self.0.rotate_left(32) ^ u64::from(number);
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u32(u32::from(*byte)));
    }
}

#[cfg(test)]
mod tests;
