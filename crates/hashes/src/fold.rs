//! Wyhash (final version 4) and rapidhash: hashes that multiply to 128 bits and fold the halves.
//! In: bytes, a seed. Out: 64 bits.

use super::{long, word};

const WY: [u64; 4] =
    [0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3, 0x5899_65cc_7537_4cc3];
const RAPID: [u64; 3] = [0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9, 0x4b33_a62e_d433_d4a3];

fn multiply(a: u64, b: u64) -> (u64, u64) {
    let product = u128::from(a) * u128::from(b);
    (product as u64, (product >> 64) as u64)
}

fn fold(a: u64, b: u64) -> u64 {
    let (low, high) = multiply(a, b);
    low ^ high
}

pub fn wyhash(bytes: &[u8], seed: u64) -> u64 {
    let length = bytes.len();
    let seed = seed ^ fold(seed ^ WY[0], WY[1]);
    let (a, b, state) = match length {
        0 => (0, 0, seed),
        1..=3 => {
            let (first, middle, last) = (bytes[0], bytes[length >> 1], bytes[length - 1]);
            (u64::from(first) << 16 | u64::from(middle) << 8 | u64::from(last), 0, seed)
        }
        4..=16 => {
            let (end, quarter) = (length - 4, (length >> 3) << 2);
            let pair = |one, other| u64::from(word(bytes, one)) << 32 | u64::from(word(bytes, other));
            (pair(0, quarter), pair(end, end - quarter), seed)
        }
        _ => (long(bytes, length - 16), long(bytes, length - 8), wyhash_blocks(bytes, seed)),
    };
    let (low, high) = multiply(a ^ WY[1], b ^ state);
    fold(low ^ WY[0] ^ length as u64, high ^ WY[1])
}

/// All but the last 16 bytes.
fn wyhash_blocks(bytes: &[u8], seed: u64) -> u64 {
    let (mut at, mut states) = (0, [seed; 3]);
    if bytes.len() >= 48 {
        while at + 48 < bytes.len() {
            for (lane, state) in states.iter_mut().enumerate() {
                let (a, b) = (long(bytes, at + 16 * lane), long(bytes, at + 16 * lane + 8));
                *state = fold(a ^ WY[lane + 1], b ^ *state);
            }
            at += 48;
        }
        states[0] ^= states[1] ^ states[2];
    }
    while at + 16 < bytes.len() {
        states[0] = fold(long(bytes, at) ^ WY[1], long(bytes, at + 8) ^ states[0]);
        at += 16;
    }
    states[0]
}

pub fn rapidhash(bytes: &[u8], seed: u64) -> u64 {
    let length = bytes.len();
    let seed = seed ^ fold(seed ^ RAPID[0], RAPID[1]) ^ length as u64;
    let (a, b, state) = match length {
        0 => (0, 0, seed),
        1..=3 => {
            let (first, middle, last) = (bytes[0], bytes[length >> 1], bytes[length - 1]);
            (u64::from(first) << 56 | u64::from(middle) << 32 | u64::from(last), 0, seed)
        }
        4..=16 => {
            let (end, step) = (length - 4, (length & 24) >> (length >> 3));
            let pair = |one, other| u64::from(word(bytes, one)) << 32 | u64::from(word(bytes, other));
            (pair(0, end), pair(step, end - step), seed)
        }
        _ => (long(bytes, length - 16), long(bytes, length - 8), rapidhash_blocks(bytes, seed)),
    };
    let (low, high) = multiply(a ^ RAPID[1], b ^ state);
    fold(low ^ RAPID[0] ^ length as u64, high ^ RAPID[1])
}

/// All but the last 16 bytes.
fn rapidhash_blocks(bytes: &[u8], seed: u64) -> u64 {
    let (mut rest, mut states) = (bytes, [seed; 3]);
    if rest.len() > 48 {
        while rest.len() >= 48 {
            for (lane, state) in states.iter_mut().enumerate() {
                *state = fold(long(rest, 16 * lane) ^ RAPID[lane], long(rest, 16 * lane + 8) ^ *state);
            }
            rest = &rest[48..];
        }
        states[0] ^= states[1] ^ states[2];
    }
    let mut state = states[0];
    if rest.len() > 16 {
        state = fold(long(rest, 0) ^ RAPID[2], long(rest, 8) ^ state ^ RAPID[1]);
        if rest.len() > 32 {
            state = fold(long(rest, 16) ^ RAPID[2], long(rest, 24) ^ state);
        }
    }
    state
}
