//! CityHash 1.1 as its authors published it. In: bytes, a seed for the one of 64 bits. Out:
//! numbers.

use super::{long, word};

const C1: u32 = 0xcc9e_2d51;
const C2: u32 = 0x1b87_3593;
const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K2: u64 = 0x9ae1_6a3b_2f90_404f;

/// Bytes of a block of the hash of 32 bits.
const BLOCK: usize = 20;

pub fn city32(bytes: &[u8]) -> u32 {
    let length = bytes.len();
    let of = |at| word(bytes, at);
    let start = length as u32;
    match length {
        0..=4 => {
            let (sum, flip) = bytes.iter().fold((0_u32, 9_u32), |(sum, flip), &byte| {
                let sum = sum.wrapping_mul(C1).wrapping_add(i32::from(byte as i8) as u32);
                (sum, flip ^ sum)
            });
            finish(mix(sum, mix(start, flip)))
        }
        5..=12 => {
            let five = start.wrapping_mul(5);
            let a = start.wrapping_add(of(0));
            let b = five.wrapping_add(of(length - 4));
            let c = 9_u32.wrapping_add(of((length >> 1) & 4));
            finish(mix(c, mix(b, mix(a, five))))
        }
        13..=24 => {
            let places = [(length >> 1) - 4, 4, length - 8, length >> 1, 0, length - 4];
            finish(places.into_iter().fold(start, |hash, at| mix(of(at), hash)))
        }
        _ => city32_long(bytes),
    }
}

fn mix(a: u32, hash: u32) -> u32 {
    step(hash ^ spread(a), 19)
}

fn spread(a: u32) -> u32 {
    a.wrapping_mul(C1).rotate_right(17).wrapping_mul(C2)
}

fn step(hash: u32, by: u32) -> u32 {
    hash.rotate_right(by).wrapping_mul(5).wrapping_add(0xe654_6b64)
}

fn finish(hash: u32) -> u32 {
    let hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    let hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

fn city32_long(bytes: &[u8]) -> u32 {
    let length = bytes.len();
    let back = |distance| spread(word(bytes, length - distance));
    let mut h = mix_spread(back(16), mix_spread(back(4), length as u32));
    let start = C1.wrapping_mul(length as u32);
    let mut g = mix_spread(back(12), mix_spread(back(8), start));
    let mut f = step(start.wrapping_add(back(20)), 19);
    for block in 0..(length - 1) / BLOCK {
        let of = |at| word(bytes, block * BLOCK + at);
        let (a0, a1, a2, a3, a4) = (spread(of(0)), of(4), spread(of(8)), spread(of(12)), of(16));
        h = step(h ^ a0, 18);
        f = f.wrapping_add(a1).rotate_right(19).wrapping_mul(C1);
        g = step(g.wrapping_add(a2), 18);
        h = step(h ^ a3.wrapping_add(a1), 19);
        g = (g ^ a4).swap_bytes().wrapping_mul(5);
        h = h.wrapping_add(a4.wrapping_mul(5)).swap_bytes();
        f = f.wrapping_add(a0);
        (f, h, g) = (g, f, h);
    }
    let turn = |value: u32| value.rotate_right(11).wrapping_mul(C1).rotate_right(17).wrapping_mul(C1);
    let (g, f) = (turn(g), turn(f));
    h = step(h.wrapping_add(g), 19).rotate_right(17).wrapping_mul(C1);
    step(h.wrapping_add(f), 19).rotate_right(17).wrapping_mul(C1)
}

fn mix_spread(spread: u32, hash: u32) -> u32 {
    step(hash ^ spread, 19)
}

pub fn city64(bytes: &[u8], seed: u64) -> u64 {
    fold(unseeded(bytes).wrapping_sub(K2), seed, 0x9ddf_ea08_eb38_2d69)
}

fn unseeded(bytes: &[u8]) -> u64 {
    match bytes.len() {
        0 => K2,
        1..=3 => few(bytes),
        4..=7 => {
            let (first, last) = (u64::from(word(bytes, 0)), u64::from(word(bytes, bytes.len() - 4)));
            fold((first << 3).wrapping_add(bytes.len() as u64), last, factor(bytes))
        }
        8..=16 => {
            let (a, b) = (long(bytes, 0).wrapping_add(K2), long(bytes, bytes.len() - 8));
            let factor = factor(bytes);
            let c = b.rotate_right(37).wrapping_mul(factor).wrapping_add(a);
            let d = a.rotate_right(25).wrapping_add(b).wrapping_mul(factor);
            fold(c, d, factor)
        }
        17..=32 => up_to_32(bytes),
        33..=64 => up_to_64(bytes),
        _ => many(bytes),
    }
}

fn factor(bytes: &[u8]) -> u64 {
    K2.wrapping_add(2 * bytes.len() as u64)
}

fn shift(value: u64) -> u64 {
    value ^ value >> 47
}

fn fold(u: u64, v: u64, factor: u64) -> u64 {
    let a = shift((u ^ v).wrapping_mul(factor));
    shift((v ^ a).wrapping_mul(factor)).wrapping_mul(factor)
}

fn few(bytes: &[u8]) -> u64 {
    let (first, middle, last) = (bytes[0], bytes[bytes.len() >> 1], bytes[bytes.len() - 1]);
    let y = u64::from(first) + (u64::from(middle) << 8);
    let z = bytes.len() as u64 + (u64::from(last) << 2);
    shift(y.wrapping_mul(K2) ^ z.wrapping_mul(K0)).wrapping_mul(K2)
}

fn up_to_32(bytes: &[u8]) -> u64 {
    let (length, factor) = (bytes.len(), factor(bytes));
    let (a, b) = (long(bytes, 0).wrapping_mul(K1), long(bytes, 8));
    let c = long(bytes, length - 8).wrapping_mul(factor);
    let d = long(bytes, length - 16).wrapping_mul(K2);
    let u = a.wrapping_add(b).rotate_right(43).wrapping_add(c.rotate_right(30)).wrapping_add(d);
    let v = a.wrapping_add(b.wrapping_add(K2).rotate_right(18)).wrapping_add(c);
    fold(u, v, factor)
}

fn up_to_64(bytes: &[u8]) -> u64 {
    let (length, factor) = (bytes.len(), factor(bytes));
    let (a, b) = (long(bytes, 0).wrapping_mul(K2), long(bytes, 8));
    let (c, d) = (long(bytes, length - 24), long(bytes, length - 32));
    let (e, f) = (long(bytes, 16).wrapping_mul(K2), long(bytes, 24).wrapping_mul(9));
    let (g, h) = (long(bytes, length - 8), long(bytes, length - 16).wrapping_mul(factor));
    let turned = |value: u64| value.wrapping_mul(factor).swap_bytes();
    let sum = a.wrapping_add(g);
    let u = sum.rotate_right(43).wrapping_add(b.rotate_right(30).wrapping_add(c).wrapping_mul(9));
    let v = (sum ^ d).wrapping_add(f).wrapping_add(1);
    let w = turned(u.wrapping_add(v)).wrapping_add(h);
    let x = e.wrapping_add(f).rotate_right(42).wrapping_add(c);
    let y = turned(v.wrapping_add(w)).wrapping_add(g).wrapping_mul(factor);
    let z = e.wrapping_add(f).wrapping_add(c);
    let a = x.wrapping_add(z).wrapping_mul(factor).wrapping_add(y).swap_bytes().wrapping_add(b);
    let last = z.wrapping_add(a).wrapping_mul(factor).wrapping_add(d).wrapping_add(h);
    shift(last).wrapping_mul(factor).wrapping_add(x)
}

/// Thirty-two bytes with two numbers.
fn weak(bytes: &[u8], at: usize, a: u64, b: u64) -> (u64, u64) {
    let of = |index: usize| long(bytes, at + 8 * index);
    let a = a.wrapping_add(of(0));
    let sum = a.wrapping_add(of(1)).wrapping_add(of(2));
    let b = b.wrapping_add(a).wrapping_add(of(3)).rotate_right(21).wrapping_add(sum.rotate_right(44));
    (sum.wrapping_add(of(3)), b.wrapping_add(a))
}

fn many(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9ddf_ea08_eb38_2d69;
    let length = bytes.len();
    let back = |distance| long(bytes, length - distance);
    let mut x = back(40);
    let mut y = back(16).wrapping_add(back(56));
    let mut z = fold(back(48).wrapping_add(length as u64), back(24), FACTOR);
    let mut v = weak(bytes, length - 64, length as u64, z);
    let mut w = weak(bytes, length - 32, y.wrapping_add(K1), x);
    x = x.wrapping_mul(K1).wrapping_add(long(bytes, 0));
    for at in (0..(length - 1) & !63).step_by(64) {
        let of = |offset| long(bytes, at + offset);
        x = x.wrapping_add(y).wrapping_add(v.0).wrapping_add(of(8)).rotate_right(37).wrapping_mul(K1) ^ w.1;
        y = y.wrapping_add(v.1).wrapping_add(of(48)).rotate_right(42).wrapping_mul(K1);
        y = y.wrapping_add(v.0).wrapping_add(of(40));
        z = z.wrapping_add(w.0).rotate_right(33).wrapping_mul(K1);
        v = weak(bytes, at, v.1.wrapping_mul(K1), x.wrapping_add(w.0));
        w = weak(bytes, at + 32, z.wrapping_add(w.1), y.wrapping_add(of(16)));
        (x, z) = (z, x);
    }
    let left = fold(v.0, w.0, FACTOR).wrapping_add(shift(y).wrapping_mul(K1)).wrapping_add(z);
    fold(left, fold(v.1, w.1, FACTOR).wrapping_add(x), FACTOR)
}
