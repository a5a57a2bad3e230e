//! One tar header of 512 bytes: POSIX ustar, with the number formats of GNU and of old tars. In: a
//! block. Out: its fields as values. Absent: what an entry means, and the entries that change the
//! next one.

use std::ops::Range;
use std::time::Duration;

use rusk_base::Result;

use crate::problem;

pub const BLOCK: usize = 512;

/// The fields that matter here.
#[derive(Clone, Copy, Debug)]
pub struct Header<'a> {
    /// The directory part of a long ustar path, else empty.
    pub prefix: &'a [u8],
    pub name: &'a [u8],
    pub mode: u32,
    pub body_bytes: u64,
    /// The type as written; see `entries`.
    pub kind: u8,
    block: &'a [u8; BLOCK],
}

impl<'a> Header<'a> {
    /// Reads the block at `offset`, which is named in problems.
    pub fn parse(block: &'a [u8; BLOCK], offset: usize) -> Result<Header<'a>> {
        if !checksum_holds(block) {
            return Err(problem::header_invalid(offset, "checksum"));
        }
        let posix = &block[257..263] == b"ustar\0";
        Ok(Header {
            // GNU's magic is `ustar ` and it keeps times where POSIX has the prefix.
            prefix: if posix { until_zero(&block[345..500]) } else { b"" },
            name: until_zero(&block[..100]),
            // Some writers leave the mode empty or odd; it grants nothing but the executable bit.
            mode: number(&block[100..108]).unwrap_or(0) as u32,
            body_bytes: number(&block[124..136]).ok_or_else(|| problem::header_invalid(offset, "size"))?,
            kind: block[156],
            block,
        })
    }

    /// Where a link leads, as far as there is room for it here.
    pub fn target(&self) -> &'a [u8] {
        until_zero(&self.block[157..257])
    }

    /// The root, if the field is empty.
    pub fn user(&self) -> u32 {
        number(&self.block[108..116]).and_then(|id| u32::try_from(id).ok()).unwrap_or(0)
    }

    pub fn group(&self) -> u32 {
        number(&self.block[116..124]).and_then(|id| u32::try_from(id).ok()).unwrap_or(0)
    }

    /// When it was changed, since 1970.
    pub fn modified(&self) -> Duration {
        Duration::from_secs(number(&self.block[136..148]).unwrap_or(0).min(i64::MAX as u64))
    }
}

/// The sum of all bytes, its own eight taken as spaces. Old writers summed signed bytes.
fn checksum_holds(block: &[u8; BLOCK]) -> bool {
    const OWN: Range<usize> = 148..156;
    let Some(claimed) = number(&block[OWN]) else { return false };
    let sum = |bytes: &[u8]| bytes.iter().map(|&byte| u32::from(byte)).sum::<u32>();
    let unsigned = sum(block) - sum(&block[OWN]) + u32::from(b' ') * OWN.len() as u32;
    // As a signed byte, each of these is 256 less.
    let is_high = |bytes: &[u8]| bytes.iter().filter(|byte| **byte >= 0x80).count() as i64;
    let signed = || i64::from(unsigned) - 256 * (is_high(block) - is_high(&block[OWN]));
    claimed == u64::from(unsigned) || i64::try_from(claimed) == Ok(signed())
}

/// Octal digits between spaces and zeros, or, marked by the first bit, a big-endian number.
/// `None`: neither, negative, or beyond 64 bits.
fn number(field: &[u8]) -> Option<u64> {
    if field[0] & 0x80 != 0 {
        let first = u64::from(field[0] & 0x7f);
        return field[1..]
            .iter()
            .try_fold(first, |number, &byte| Some(number.checked_mul(256)? | u64::from(byte)));
    }
    let digits = field.trim_ascii_start();
    let end = digits.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len());
    let (digits, rest) = digits.split_at(end);
    if !rest.first().is_none_or(|&byte| byte == 0 || byte == b' ') {
        return None;
    }
    digits.iter().try_fold(0u64, |number, &digit| match digit {
        b'0'..=b'7' => Some(number.checked_mul(8)? | u64::from(digit - b'0')),
        _ => None,
    })
}

fn until_zero(field: &[u8]) -> &[u8] {
    let end = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
    &field[..end]
}
