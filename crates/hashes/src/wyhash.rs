//! Two versions of Wang Yi's wyhash that bun uses in directory names, both with seed 0. Bytes in,
//! 64 bits out. Not secure against an attacker.

const PRIMES: [u64; 5] = [
    0xa076_1d64_78bd_642f,
    0xe703_7ed1_a0b4_28db,
    0x8ebc_6af0_9c88_c6e3,
    0x5899_65cc_7537_4cc3,
    0x1d8e_4e27_c47d_124f,
];

/// Version 2 of the algorithm, of rounds of 32 bytes.
pub fn v2(bytes: &[u8]) -> u64 {
    let mut rounds = bytes.chunks_exact(32);
    let mix = |seed: u64, words: [u64; 4]| {
        product(words[0] ^ seed ^ PRIMES[0], words[1] ^ seed ^ PRIMES[1])
            ^ product(words[2] ^ seed ^ PRIMES[2], words[3] ^ seed ^ PRIMES[3])
    };
    let mut seed = 0;
    for round in &mut rounds {
        seed = mix(seed, [0, 8, 16, 24].map(|at| word(&round[at..at + 8])));
    }
    let rest: Vec<u64> = rounds.remainder().chunks(8).map(rest_word).collect();
    let filled = |at: usize| rest.get(at).copied().unwrap_or(PRIMES[4]);
    seed = match rest.len() {
        0 => seed,
        1 | 2 => product(filled(0) ^ seed ^ PRIMES[0], filled(1) ^ seed ^ PRIMES[1]),
        _ => mix(seed, [filled(0), filled(1), filled(2), filled(3)]),
    };
    product(seed ^ bytes.len() as u64, PRIMES[4])
}

/// Up to eight bytes: in groups of four, two and one, the first is the most significant.
fn rest_word(bytes: &[u8]) -> u64 {
    let mut word = 0;
    let mut left = bytes;
    for size in [4, 4, 2, 1] {
        if let Some((head, tail)) = left.split_at_checked(size) {
            word = word << (8 * size) | self::word(head);
            left = tail;
        }
    }
    word
}

/// Version 4, of rounds of 48 bytes.
pub fn v4(bytes: &[u8]) -> u64 {
    let length = bytes.len();
    let start = product(PRIMES[0], PRIMES[1]);
    let (a, b, seed) = if length <= 16 {
        let (a, b) = short(bytes);
        (a, b, start)
    } else {
        let mut lanes = [start; 3];
        let mut left = bytes;
        while left.len() > 48 {
            for (at, lane) in lanes.iter_mut().enumerate() {
                let pair = &left[16 * at..];
                *lane = product(word(&pair[..8]) ^ PRIMES[at + 1], word(&pair[8..16]) ^ *lane);
            }
            left = &left[48..];
        }
        let mut seed = lanes[0] ^ lanes[1] ^ lanes[2];
        while left.len() > 16 {
            seed = product(word(&left[..8]) ^ PRIMES[1], word(&left[8..16]) ^ seed);
            left = &left[16..];
        }
        (word(&bytes[length - 16..length - 8]), word(&bytes[length - 8..]), seed)
    };
    let wide = u128::from(a ^ PRIMES[1]) * u128::from(b ^ seed);
    let (low, high) = (wide as u64, (wide >> 64) as u64);
    product(low ^ PRIMES[0] ^ length as u64, high ^ PRIMES[1])
}

/// The two words of up to sixteen bytes.
fn short(bytes: &[u8]) -> (u64, u64) {
    let length = bytes.len();
    let quad = |at: usize| word(&bytes[at..at + 4]);
    match length {
        0 => (0, 0),
        1..=3 => {
            let byte = |at: usize| u64::from(bytes[at]);
            (byte(0) << 16 | byte(length >> 1) << 8 | byte(length - 1), 0)
        }
        _ => {
            let (end, step) = (length - 4, (length >> 3) << 2);
            (quad(0) << 32 | quad(step), quad(end) << 32 | quad(end - step))
        }
    }
}

/// Little-endian, of at most eight bytes.
fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Both halves of a product, folded.
fn product(a: u64, b: u64) -> u64 {
    let wide = u128::from(a) * u128::from(b);
    (wide >> 64) as u64 ^ wide as u64
}

#[cfg(test)]
mod tests;
