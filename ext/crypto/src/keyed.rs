//! What is built of a digest: HMAC (RFC 2104), PBKDF2 (RFC 8018), HKDF (RFC 5869). In: a digest, a
//! key, bytes. Out: bytes.

use super::algorithms::{Algorithm, State};

/// An HMAC that is being made: the digests inside and outside, which begin with the key.
pub(super) struct Keyed {
    inner: Box<dyn State>,
    outer: Box<dyn State>,
}

impl Keyed {
    pub fn new(algorithm: &Algorithm, key: &[u8]) -> Keyed {
        let mut block = vec![0; algorithm.block_bytes];
        if key.len() > block.len() {
            let digest = digest(algorithm, key);
            block[..digest.len()].copy_from_slice(&digest);
        } else {
            block[..key.len()].copy_from_slice(key);
        }
        let begin = |pad: u8| {
            let mut state = (algorithm.begin)();
            let padded: Vec<u8> = block.iter().map(|byte| byte ^ pad).collect();
            state.update(&padded);
            state
        };
        Keyed { inner: begin(0x36), outer: begin(0x5c) }
    }

    /// The digest of some bytes, by a state that stays as it is.
    fn of(&self, parts: &[&[u8]]) -> Vec<u8> {
        let mut state = self.copy();
        parts.iter().for_each(|part| state.update(part));
        state.finish()
    }
}

impl State for Keyed {
    fn update(&mut self, bytes: &[u8]) {
        self.inner.update(bytes);
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        let Keyed { inner, mut outer } = *self;
        outer.update(&inner.finish());
        outer.finish()
    }

    fn copy(&self) -> Box<dyn State> {
        Box::new(Keyed { inner: self.inner.copy(), outer: self.outer.copy() })
    }

    fn set_length(&mut self, _: Option<usize>) {}
}

fn digest(algorithm: &Algorithm, bytes: &[u8]) -> Vec<u8> {
    let mut state = (algorithm.begin)();
    state.update(bytes);
    state.finish()
}

pub(super) fn pbkdf2(
    algorithm: &Algorithm,
    password: &[u8],
    salt: &[u8],
    rounds: u32,
    count: usize,
) -> Vec<u8> {
    let keyed = Keyed::new(algorithm, password);
    let mut key = Vec::with_capacity(count);
    let mut number = 0_u32;
    while key.len() < count {
        number += 1;
        let mut last = keyed.of(&[salt, &number.to_be_bytes()]);
        let mut block = last.clone();
        for _ in 1..rounds {
            last = keyed.of(&[&last]);
            block.iter_mut().zip(&last).for_each(|(sum, byte)| *sum ^= byte);
        }
        key.extend_from_slice(&block);
    }
    key.truncate(count);
    key
}

pub(super) fn hkdf(algorithm: &Algorithm, key: &[u8], salt: &[u8], tag: &[u8], count: usize) -> Vec<u8> {
    let extracted = Keyed::new(algorithm, salt).of(&[key]);
    let keyed = Keyed::new(algorithm, &extracted);
    let (mut found, mut last) = (Vec::with_capacity(count), Vec::new());
    let mut number = 0_u8;
    while found.len() < count {
        number += 1;
        last = keyed.of(&[&last, tag, &[number]]);
        found.extend_from_slice(&last);
    }
    found.truncate(count);
    found
}
