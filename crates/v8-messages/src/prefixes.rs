//! Prefix filter of the message tables. In: a message. Out: whether a table may have it. Most
//! messages that a program reads are its own, and are rejected here.

use std::sync::LazyLock;

use super::{exact, syntax, templates};

const BITS: usize = 1 << 13;

/// First bytes of messages that are short or begin with a name, so that their prefix tells nothing.
const FIRST_BYTES: &[u8] = b"'cRUT";

/// False: no table has it.
pub(super) fn may_be_known(message: &str) -> bool {
    let bytes = message.as_bytes();
    match bit(bytes) {
        Some(bit) if KNOWN[bit / 64] & (1 << (bit % 64)) != 0 => true,
        _ => bytes.first().is_some_and(|first| FIRST_BYTES.contains(first)),
    }
}

static KNOWN: LazyLock<[u64; BITS / 64]> = LazyLock::new(|| {
    let mut known = [0; BITS / 64];
    for prefix in prefixes() {
        if let Some(bit) = bit(prefix.as_bytes()) {
            known[bit / 64] |= 1 << (bit % 64);
        }
    }
    known
});

fn prefixes() -> impl Iterator<Item = &'static str> {
    exact::messages().chain(syntax::prefixes()).chain(templates::prefixes())
}

/// Hash of the first twelve bytes; none where there are fewer.
fn bit(bytes: &[u8]) -> Option<usize> {
    let word = |at: usize| Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk::<8>()?));
    let mixed = (word(0)? ^ word(4)?.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Some((mixed >> 32) as usize % BITS)
}

#[cfg(test)]
mod tests;
