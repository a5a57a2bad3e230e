//! What the engine's messages begin with. In: a message. Out: whether one of the tables may have
//! it. That is asked of every message that a program reads, and most are its own.

use std::sync::LazyLock;

use super::{same, syntax, templates};

const BITS: usize = 1 << 13;

/// What begins with a name, or is short, so that its first characters tell nothing: by its first
/// letter.
const SHORT: &[u8] = b"'cRUT";

/// False: no table has it.
pub(super) fn is_known(message: &str) -> bool {
    let letters = message.as_bytes();
    match bit(letters) {
        Some(bit) if KNOWN[bit / 64] & (1 << (bit % 64)) != 0 => true,
        _ => letters.first().is_some_and(|first| SHORT.contains(first)),
    }
}

static KNOWN: LazyLock<[u64; BITS / 64]> = LazyLock::new(|| {
    let mut known = [0; BITS / 64];
    for beginning in beginnings() {
        if let Some(bit) = bit(beginning.as_bytes()) {
            known[bit / 64] |= 1 << (bit % 64);
        }
    }
    known
});

fn beginnings() -> impl Iterator<Item = &'static str> {
    same::messages().chain(syntax::beginnings()).chain(templates::beginnings())
}

/// A number made of the first twelve characters; none where there are fewer.
fn bit(letters: &[u8]) -> Option<usize> {
    let word = |at: usize| Some(u64::from_le_bytes(*letters.get(at..)?.first_chunk::<8>()?));
    let mixed = (word(0)? ^ word(4)?.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Some((mixed >> 32) as usize % BITS)
}

#[cfg(test)]
mod tests;
