//! MurmurHash 2 and 3 as their author published them: 2 of 32 bits, 64A, 3 of x86 with 32 bits. In:
//! bytes, a seed. Out: numbers.

use super::{long, word};

pub fn murmur32_v2(bytes: &[u8], seed: u32) -> u32 {
    const FACTOR: u32 = 0x5bd1_e995;
    let mut hash = seed ^ bytes.len() as u32;
    let whole = bytes.len() & !3;
    for at in (0..whole).step_by(4) {
        let mut block = word(bytes, at).wrapping_mul(FACTOR);
        block ^= block >> 24;
        hash = hash.wrapping_mul(FACTOR) ^ block.wrapping_mul(FACTOR);
    }
    let rest = &bytes[whole..];
    if !rest.is_empty() {
        hash = (hash ^ tail(rest) as u32).wrapping_mul(FACTOR);
    }
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(FACTOR);
    hash ^ hash >> 15
}

pub fn murmur32_v3(bytes: &[u8], seed: u32) -> u32 {
    let mix = |block: u32| block.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    let whole = bytes.len() & !3;
    let mut hash = seed;
    for at in (0..whole).step_by(4) {
        hash = (hash ^ mix(word(bytes, at))).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
    }
    let rest = &bytes[whole..];
    if !rest.is_empty() {
        hash ^= mix(tail(rest) as u32);
    }
    hash ^= bytes.len() as u32;
    hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

pub fn murmur64_v2(bytes: &[u8], seed: u64) -> u64 {
    const FACTOR: u64 = 0xc6a4_a793_5bd1_e995;
    const SHIFT: u32 = 47;
    let mut hash = seed ^ (bytes.len() as u64).wrapping_mul(FACTOR);
    let whole = bytes.len() & !7;
    for at in (0..whole).step_by(8) {
        let block = long(bytes, at).wrapping_mul(FACTOR);
        hash = (hash ^ (block ^ block >> SHIFT).wrapping_mul(FACTOR)).wrapping_mul(FACTOR);
    }
    let rest = &bytes[whole..];
    if !rest.is_empty() {
        hash = (hash ^ tail(rest)).wrapping_mul(FACTOR);
    }
    hash = (hash ^ hash >> SHIFT).wrapping_mul(FACTOR);
    hash ^ hash >> SHIFT
}

/// What is left, as one number.
fn tail(rest: &[u8]) -> u64 {
    rest.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}
