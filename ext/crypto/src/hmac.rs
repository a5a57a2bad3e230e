//! HMAC (RFC 2104) and key derivation from it: PBKDF2 (RFC 8018), HKDF (RFC 5869). In: a hash
//! algorithm, a key, bytes. Out: bytes.

use rusk_openssl::wipe;

use super::algorithms::{Algorithm, DigestState};

/// Longest block of an algorithm, SHA3-224's.
const BLOCK_BYTES_MAX: usize = 144;

/// An incremental HMAC: the inner and the outer hash, which start with the padded key.
pub(super) struct Hmac {
    inner: Box<dyn DigestState>,
    outer: Box<dyn DigestState>,
}

impl Hmac {
    pub fn new(algorithm: &Algorithm, key: &[u8]) -> Hmac {
        let mut padded = [0; BLOCK_BYTES_MAX];
        let block = &mut padded[..algorithm.block_bytes];
        if key.len() > block.len() {
            let digest = digest(algorithm, key);
            block[..digest.len()].copy_from_slice(&digest);
        } else {
            block[..key.len()].copy_from_slice(key);
        }
        let mut create = |pad: u8| {
            block.iter_mut().for_each(|byte| *byte ^= pad);
            let mut state = (algorithm.create)();
            state.update(block);
            state
        };
        let hmac = Hmac { inner: create(0x36), outer: create(0x36 ^ 0x5c) };
        wipe(&mut padded);
        hmac
    }

    /// The HMAC of some bytes; this state is unchanged.
    fn of(&self, parts: &[&[u8]]) -> Vec<u8> {
        let mut state = self.copy();
        parts.iter().for_each(|part| state.update(part));
        state.finish()
    }
}

impl DigestState for Hmac {
    fn update(&mut self, bytes: &[u8]) {
        self.inner.update(bytes);
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        let Hmac { inner, mut outer } = *self;
        outer.update(&inner.finish());
        outer.finish()
    }

    fn copy(&self) -> Box<dyn DigestState> {
        Box::new(Hmac { inner: self.inner.copy(), outer: self.outer.copy() })
    }

    fn set_length(&mut self, _: Option<usize>) {}
}

fn digest(algorithm: &Algorithm, bytes: &[u8]) -> Vec<u8> {
    let mut state = (algorithm.create)();
    state.update(bytes);
    state.finish()
}

pub(super) fn pbkdf2(
    algorithm: &Algorithm,
    password: &[u8],
    salt: &[u8],
    iterations: u32,
    count: usize,
) -> Vec<u8> {
    let hmac = Hmac::new(algorithm, password);
    let mut key = Vec::with_capacity(count);
    let mut counter = 0_u32;
    while key.len() < count {
        counter += 1;
        let mut last = hmac.of(&[salt, &counter.to_be_bytes()]);
        let mut block = last.clone();
        for _ in 1..iterations {
            last = hmac.of(&[&last]);
            block.iter_mut().zip(&last).for_each(|(sum, byte)| *sum ^= byte);
        }
        key.extend_from_slice(&block);
    }
    key.truncate(count);
    key
}

pub(super) fn hkdf(algorithm: &Algorithm, key: &[u8], salt: &[u8], info: &[u8], count: usize) -> Vec<u8> {
    let extracted = Hmac::new(algorithm, salt).of(&[key]);
    let hmac = Hmac::new(algorithm, &extracted);
    let (mut output, mut last) = (Vec::with_capacity(count), Vec::new());
    let mut counter = 0_u8;
    while output.len() < count {
        counter += 1;
        last = hmac.of(&[&last, info, &[counter]]);
        output.extend_from_slice(&last);
    }
    output.truncate(count);
    output
}
