//! The bytes of a packet. In: slices. Out: the same. Few lie in the packet itself: so nothing is
//! allocated by one thread to be freed by another, which costs both of them a lock. Absent: adding
//! to them.

use std::fmt;
use std::ops::Deref;

#[derive(Clone)]
pub struct Bytes(Kept);

#[derive(Clone)]
enum Kept {
    Few { count: u8, bytes: [u8; Bytes::FEW_MAX] },
    Many(Box<[u8]>),
}

impl Bytes {
    /// An object of ten members, some of them texts and one no whole number, has as many.
    pub const FEW_MAX: usize = 127;

    /// A copy of one part, and behind it of the other.
    pub fn of_parts(first: &[u8], second: &[u8]) -> Bytes {
        let count = first.len() + second.len();
        if count > Bytes::FEW_MAX {
            return Bytes(Kept::Many([first, second].concat().into()));
        }
        let mut bytes = [0; Bytes::FEW_MAX];
        bytes[..first.len()].copy_from_slice(first);
        bytes[first.len()..count].copy_from_slice(second);
        Bytes(Kept::Few { count: count as u8, bytes })
    }
}

impl Default for Bytes {
    fn default() -> Bytes {
        Bytes::of_parts(&[], &[])
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Kept::Few { count, bytes } => &bytes[..usize::from(*count)],
            Kept::Many(bytes) => bytes,
        }
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}

#[cfg(test)]
mod tests;
