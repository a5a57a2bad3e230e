//! Byte string of a packet, with inline storage for short ones: memory that one thread allocates
//! and another frees costs both a lock of the allocator. In: slices. Out: one slice. Absent:
//! appending.

use std::fmt;
use std::ops::Deref;

#[derive(Clone)]
pub struct PacketBytes(Storage);

#[derive(Clone)]
enum Storage {
    Inline { count: u8, bytes: [u8; PacketBytes::INLINE_MAX] },
    Heap(Box<[u8]>),
}

impl PacketBytes {
    /// Enough for a typical object of ten members, some of them strings and one a fractional
    /// number.
    pub const INLINE_MAX: usize = 127;

    /// Concatenates two slices.
    pub fn from_parts(first: &[u8], second: &[u8]) -> PacketBytes {
        let count = first.len() + second.len();
        if count > PacketBytes::INLINE_MAX {
            return PacketBytes(Storage::Heap([first, second].concat().into()));
        }
        let mut bytes = [0; PacketBytes::INLINE_MAX];
        bytes[..first.len()].copy_from_slice(first);
        bytes[first.len()..count].copy_from_slice(second);
        PacketBytes(Storage::Inline { count: count as u8, bytes })
    }
}

impl Default for PacketBytes {
    fn default() -> PacketBytes {
        PacketBytes::from_parts(&[], &[])
    }
}

impl Deref for PacketBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Storage::Inline { count, bytes } => &bytes[..usize::from(*count)],
            Storage::Heap(bytes) => bytes,
        }
    }
}

impl fmt::Debug for PacketBytes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}

#[cfg(test)]
mod tests;
