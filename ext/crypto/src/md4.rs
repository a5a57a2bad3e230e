//! MD4 (RFC 1320), for `Bun.MD4` alone: it is broken, and no crate here has it. In: bytes. Out: 16
//! bytes.

use crate::algorithms::DigestState;

pub(super) const DIGEST_BYTES: usize = 16;
pub(super) const BLOCK_BYTES: usize = 64;
/// Of the length at the end of the padding.
const LENGTH_BYTES: usize = 8;

/// A round: its constant, the order of the words, the rotations, which repeat.
struct Round {
    constant: u32,
    words: [usize; 16],
    rotations: [u32; 4],
    mix: fn(u32, u32, u32) -> u32,
}

const ROUNDS: [Round; 3] = [
    Round {
        constant: 0,
        words: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        rotations: [3, 7, 11, 19],
        mix: |x, y, z| (x & y) | (!x & z),
    },
    Round {
        constant: 0x5a82_7999,
        words: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
        rotations: [3, 5, 9, 13],
        mix: |x, y, z| (x & y) | (x & z) | (y & z),
    },
    Round {
        constant: 0x6ed9_eba1,
        words: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
        rotations: [3, 9, 11, 15],
        mix: |x, y, z| x ^ y ^ z,
    },
];

#[derive(Clone)]
pub(super) struct Md4 {
    state: [u32; 4],
    /// The bytes of a block that is not complete.
    rest: Vec<u8>,
    input_bytes: u64,
}

impl Default for Md4 {
    fn default() -> Md4 {
        let state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
        Md4 { state, rest: Vec::with_capacity(BLOCK_BYTES), input_bytes: 0 }
    }
}

impl Md4 {
    fn add_block(&mut self, block: &[u8]) {
        let mut words = [0; 16];
        for (word, bytes) in words.iter_mut().zip(block.as_chunks::<4>().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        let mut state = self.state;
        for round in &ROUNDS {
            for (step, word) in round.words.iter().enumerate() {
                let [a, b, c, d] = state;
                let sum = a.wrapping_add((round.mix)(b, c, d)).wrapping_add(words[*word]);
                let a = sum.wrapping_add(round.constant).rotate_left(round.rotations[step % 4]);
                state = [d, a, b, c];
            }
        }
        for (old, new) in self.state.iter_mut().zip(state) {
            *old = old.wrapping_add(new);
        }
    }
}

impl DigestState for Md4 {
    fn update(&mut self, bytes: &[u8]) {
        self.input_bytes = self.input_bytes.wrapping_add(bytes.len() as u64);
        let mut bytes = bytes;
        if !self.rest.is_empty() {
            let (first, left) = bytes.split_at(bytes.len().min(BLOCK_BYTES - self.rest.len()));
            self.rest.extend_from_slice(first);
            bytes = left;
            if self.rest.len() < BLOCK_BYTES {
                return;
            }
            let block = std::mem::take(&mut self.rest);
            self.add_block(&block);
        }
        let blocks = bytes.chunks_exact(BLOCK_BYTES);
        self.rest.extend_from_slice(blocks.remainder());
        blocks.for_each(|block| self.add_block(block));
    }

    fn finish(mut self: Box<Self>) -> Vec<u8> {
        let bits = self.input_bytes.wrapping_mul(8);
        let mut padded = std::mem::take(&mut self.rest);
        padded.push(0x80);
        while padded.len() % BLOCK_BYTES != BLOCK_BYTES - LENGTH_BYTES {
            padded.push(0);
        }
        padded.extend_from_slice(&bits.to_le_bytes());
        padded.chunks_exact(BLOCK_BYTES).for_each(|block| self.add_block(block));
        self.state.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn copy(&self) -> Box<dyn DigestState> {
        Box::new(self.clone())
    }

    fn set_length(&mut self, _: Option<usize>) {}
}

#[cfg(test)]
mod tests;
