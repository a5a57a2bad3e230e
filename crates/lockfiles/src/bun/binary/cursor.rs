//! A position in the bytes of the file. In: untrusted bytes. Out: numbers, and slices within them.

use rusk_base::{Problem, Result};

use crate::problem;

pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, at: 0 }
    }

    /// Drops what is after `end`.
    pub(super) fn end_at(&mut self, end: usize) -> Result<()> {
        self.bytes = self.bytes.get(..end).filter(|_| end >= self.at).ok_or_else(truncated)?;
        Ok(())
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let taken = self.bytes[self.at..].get(..count).ok_or_else(truncated)?;
        self.at += count;
        Ok(taken)
    }

    pub(super) fn u32(&mut self) -> Result<u32> {
        self.take(4).map(|bytes| u32_at(bytes, 0))
    }

    pub(super) fn u64(&mut self) -> Result<u64> {
        self.take(8).map(|bytes| u64_at(bytes, 0))
    }

    /// Moves on to an offset in the file.
    pub(super) fn skip_to(&mut self, offset: usize) -> Result<()> {
        if offset < self.at || offset > self.bytes.len() {
            return Err(problem::binary_lockfile("an offset points out of its section"));
        }
        self.at = offset;
        Ok(())
    }

    /// The next array, of elements of `element_bytes`: where it begins and ends, a comment,
    /// padding, its elements.
    pub(super) fn array(&mut self, element_bytes: usize) -> Result<&'a [u8]> {
        let (start, end) = (to_usize(self.u64()?)?, to_usize(self.u64()?)?);
        self.skip_to(start)?;
        let length = end.checked_sub(start).filter(|length| length % element_bytes == 0);
        self.take(length.ok_or_else(|| problem::binary_lockfile("an array has no whole number of elements"))?)
    }

    pub(super) fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }
}

fn truncated() -> Problem {
    problem::binary_lockfile("it is shorter than it says")
}

pub(super) fn to_usize(number: u64) -> Result<usize> {
    usize::try_from(number).map_err(|_| truncated())
}

/// Panics past the end: callers have rows of a known size.
pub(super) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().expect("two bytes"))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}
