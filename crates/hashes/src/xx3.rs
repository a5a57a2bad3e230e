//! XXH3 of 64 bits (the specification of xxHash), with its own secret and a seed. In: bytes, a
//! seed. Out: a number.

use super::xx::{P64, avalanche};
use super::{long, word};

const P32: [u64; 3] = [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d];

/// Bytes that are taken at once; so many lanes of eight.
const STRIPE: usize = 64;
const LANES: usize = 8;

#[rustfmt::skip]
const SECRET: [u8; 192] = [
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c, 0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb,
    0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f, 0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c, 0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb,
    0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3, 0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d, 0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31,
    0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64, 0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e, 0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc,
    0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce, 0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
];

pub fn xx3(bytes: &[u8], seed: u64) -> u64 {
    match bytes.len() {
        0 => avalanche(seed ^ long(&SECRET, 56) ^ long(&SECRET, 64)),
        1..=3 => few(bytes, seed),
        4..=8 => some(bytes, seed),
        9..=16 => more(bytes, seed),
        17..=128 => up_to_128(bytes, seed),
        129..=240 => up_to_240(bytes, seed),
        _ => many(bytes, seed),
    }
}

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

fn few(bytes: &[u8], seed: u64) -> u64 {
    let (first, middle, last) = (bytes[0], bytes[bytes.len() >> 1], bytes[bytes.len() - 1]);
    let all = u32::from(first) << 16 | u32::from(middle) << 24 | u32::from(last) | (bytes.len() as u32) << 8;
    let flip = u64::from(word(&SECRET, 0) ^ word(&SECRET, 4)).wrapping_add(seed);
    avalanche(u64::from(all) ^ flip)
}

fn some(bytes: &[u8], seed: u64) -> u64 {
    let length = bytes.len() as u64;
    let seed = seed ^ u64::from((seed as u32).swap_bytes()) << 32;
    let (first, last) = (word(bytes, 0), word(bytes, bytes.len() - 4));
    let flip = (long(&SECRET, 8) ^ long(&SECRET, 16)).wrapping_sub(seed);
    let mut hash = (u64::from(last) | u64::from(first) << 32) ^ flip;
    hash ^= hash.rotate_left(49) ^ hash.rotate_left(24);
    hash = hash.wrapping_mul(0x9fb2_1c65_1e98_df25);
    hash ^= (hash >> 35).wrapping_add(length);
    hash = hash.wrapping_mul(0x9fb2_1c65_1e98_df25);
    hash ^ hash >> 28
}

fn more(bytes: &[u8], seed: u64) -> u64 {
    let (one, other) = (long(&SECRET, 24) ^ long(&SECRET, 32), long(&SECRET, 40) ^ long(&SECRET, 48));
    let low = long(bytes, 0) ^ one.wrapping_add(seed);
    let high = long(bytes, bytes.len() - 8) ^ other.wrapping_sub(seed);
    let hash = (bytes.len() as u64).wrapping_add(low.swap_bytes()).wrapping_add(high);
    finish(hash.wrapping_add(fold(low, high)))
}

fn finish(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 37).wrapping_mul(0x1656_6791_9e37_79f9);
    hash ^ hash >> 32
}

/// Sixteen bytes with sixteen of the secret.
fn mix(bytes: &[u8], at: usize, secret: usize, seed: u64) -> u64 {
    let low = long(bytes, at) ^ long(&SECRET, secret).wrapping_add(seed);
    let high = long(bytes, at + 8) ^ long(&SECRET, secret + 8).wrapping_sub(seed);
    fold(low, high)
}

fn up_to_128(bytes: &[u8], seed: u64) -> u64 {
    let mut hash = (bytes.len() as u64).wrapping_mul(P64[0]);
    for pair in (0..=(bytes.len() - 1) / 32).rev() {
        hash = hash.wrapping_add(mix(bytes, 16 * pair, 32 * pair, seed));
        hash = hash.wrapping_add(mix(bytes, bytes.len() - 16 * (pair + 1), 32 * pair + 16, seed));
    }
    finish(hash)
}

fn up_to_240(bytes: &[u8], seed: u64) -> u64 {
    let mut hash = (bytes.len() as u64).wrapping_mul(P64[0]);
    for round in 0..8 {
        hash = hash.wrapping_add(mix(bytes, 16 * round, 16 * round, seed));
    }
    hash = finish(hash);
    for round in 8..bytes.len() / 16 {
        hash = hash.wrapping_add(mix(bytes, 16 * round, 16 * (round - 8) + 3, seed));
    }
    finish(hash.wrapping_add(mix(bytes, bytes.len() - 16, 136 - 17, seed)))
}

fn many(bytes: &[u8], seed: u64) -> u64 {
    let secret = seeded(seed);
    let stripes_in_block = (secret.len() - STRIPE) / 8;
    let block = STRIPE * stripes_in_block;
    let mut lanes = [P32[2], P64[0], P64[1], P64[2], P64[3], P32[1], P64[4], P32[0]];
    let blocks = (bytes.len() - 1) / block;
    for index in 0..blocks {
        for stripe in 0..stripes_in_block {
            accumulate(&mut lanes, &bytes[index * block + stripe * STRIPE..], &secret[8 * stripe..]);
        }
        for (index, lane) in lanes.iter_mut().enumerate() {
            *lane =
                (*lane ^ *lane >> 47 ^ long(&secret, secret.len() - STRIPE + 8 * index)).wrapping_mul(P32[0]);
        }
    }
    let rest = &bytes[blocks * block..];
    for stripe in 0..(rest.len() - 1) / STRIPE {
        accumulate(&mut lanes, &rest[stripe * STRIPE..], &secret[8 * stripe..]);
    }
    accumulate(&mut lanes, &bytes[bytes.len() - STRIPE..], &secret[secret.len() - STRIPE - 7..]);
    let start = (bytes.len() as u64).wrapping_mul(P64[0]);
    let merged = (0..4).fold(start, |sum, pair| {
        let (low, high) = (long(&secret, 11 + 16 * pair), long(&secret, 19 + 16 * pair));
        sum.wrapping_add(fold(lanes[2 * pair] ^ low, lanes[2 * pair + 1] ^ high))
    });
    finish(merged)
}

fn accumulate(lanes: &mut [u64; LANES], bytes: &[u8], secret: &[u8]) {
    for lane in 0..LANES {
        let value = long(bytes, 8 * lane);
        let keyed = value ^ long(secret, 8 * lane);
        lanes[lane ^ 1] = lanes[lane ^ 1].wrapping_add(value);
        lanes[lane] = lanes[lane].wrapping_add((keyed & 0xffff_ffff).wrapping_mul(keyed >> 32));
    }
}

fn seeded(seed: u64) -> [u8; 192] {
    let mut secret = SECRET;
    for at in (0..secret.len()).step_by(16) {
        let (low, high) = (long(&SECRET, at).wrapping_add(seed), long(&SECRET, at + 8).wrapping_sub(seed));
        secret[at..at + 8].copy_from_slice(&low.to_le_bytes());
        secret[at + 8..at + 16].copy_from_slice(&high.to_le_bytes());
    }
    secret
}
