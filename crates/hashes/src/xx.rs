//! XXH32 and XXH64 (the specification of xxHash). In: bytes, a seed. Out: numbers.

use super::{long, word};

const P32: [u32; 5] = [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d, 0x27d4_eb2f, 0x1656_67b1];
pub(super) const P64: [u64; 5] = [
    0x9e37_79b1_85eb_ca87,
    0xc2b2_ae3d_27d4_eb4f,
    0x1656_67b1_9e37_79f9,
    0x85eb_ca77_c2b2_ae63,
    0x27d4_eb2f_1656_67c5,
];

pub fn xx32(bytes: &[u8], seed: u32) -> u32 {
    let round = |sum: u32, lane: u32| {
        sum.wrapping_add(lane.wrapping_mul(P32[1])).rotate_left(13).wrapping_mul(P32[0])
    };
    let mut rest = bytes;
    let mut hash = seed.wrapping_add(P32[4]);
    if bytes.len() >= 16 {
        let mut lanes = [
            seed.wrapping_add(P32[0]).wrapping_add(P32[1]),
            seed.wrapping_add(P32[1]),
            seed,
            seed.wrapping_sub(P32[0]),
        ];
        while rest.len() >= 16 {
            for (index, lane) in lanes.iter_mut().enumerate() {
                *lane = round(*lane, word(rest, 4 * index));
            }
            rest = &rest[16..];
        }
        let turned = lanes.iter().zip([1, 7, 12, 18]).map(|(lane, by)| lane.rotate_left(by));
        hash = turned.fold(0, u32::wrapping_add);
    }
    hash = hash.wrapping_add(bytes.len() as u32);
    while rest.len() >= 4 {
        hash = hash.wrapping_add(word(rest, 0).wrapping_mul(P32[2])).rotate_left(17).wrapping_mul(P32[3]);
        rest = &rest[4..];
    }
    for &byte in rest {
        hash = hash.wrapping_add(u32::from(byte).wrapping_mul(P32[4])).rotate_left(11).wrapping_mul(P32[0]);
    }
    hash = (hash ^ hash >> 15).wrapping_mul(P32[1]);
    hash = (hash ^ hash >> 13).wrapping_mul(P32[2]);
    hash ^ hash >> 16
}

fn round(sum: u64, lane: u64) -> u64 {
    sum.wrapping_add(lane.wrapping_mul(P64[1])).rotate_left(31).wrapping_mul(P64[0])
}

pub fn xx64(bytes: &[u8], seed: u64) -> u64 {
    let mut rest = bytes;
    let mut hash = seed.wrapping_add(P64[4]);
    if bytes.len() >= 32 {
        let mut lanes = [
            seed.wrapping_add(P64[0]).wrapping_add(P64[1]),
            seed.wrapping_add(P64[1]),
            seed,
            seed.wrapping_sub(P64[0]),
        ];
        while rest.len() >= 32 {
            for (index, lane) in lanes.iter_mut().enumerate() {
                *lane = round(*lane, long(rest, 8 * index));
            }
            rest = &rest[32..];
        }
        let turned = lanes.iter().zip([1, 7, 12, 18]).map(|(lane, by)| lane.rotate_left(by));
        hash = turned.fold(0, u64::wrapping_add);
        for lane in lanes {
            hash = (hash ^ round(0, lane)).wrapping_mul(P64[0]).wrapping_add(P64[3]);
        }
    }
    avalanche(finish(hash.wrapping_add(bytes.len() as u64), rest))
}

fn finish(mut hash: u64, mut rest: &[u8]) -> u64 {
    while rest.len() >= 8 {
        hash = (hash ^ round(0, long(rest, 0))).rotate_left(27).wrapping_mul(P64[0]).wrapping_add(P64[3]);
        rest = &rest[8..];
    }
    if rest.len() >= 4 {
        hash ^= u64::from(word(rest, 0)).wrapping_mul(P64[0]);
        hash = hash.rotate_left(23).wrapping_mul(P64[1]).wrapping_add(P64[2]);
        rest = &rest[4..];
    }
    for &byte in rest {
        hash = (hash ^ u64::from(byte).wrapping_mul(P64[4])).rotate_left(11).wrapping_mul(P64[0]);
    }
    hash
}

pub(super) fn avalanche(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 33).wrapping_mul(P64[1]);
    hash = (hash ^ hash >> 29).wrapping_mul(P64[2]);
    hash ^ hash >> 32
}
