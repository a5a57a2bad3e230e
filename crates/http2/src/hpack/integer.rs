//! Integers and strings of HPACK (RFC 7541, sections 5.1 and 5.2). In: bytes of a header block.
//! Out: numbers and octets; the same in the other direction.

use super::{HpackError, huffman};

/// A continuation of more bytes has a value above 2^28 or leading zeros.
const CONTINUATION_BYTES_MAX: u32 = 4;
/// The longest name or value, as nghttp2 has it.
const STRING_BYTES_MAX: usize = 65_536;
const HUFFMAN_FLAG: u8 = 0x80;

/// A position in a header block.
pub struct BlockReader<'b> {
    pub bytes: &'b [u8],
}

impl<'b> BlockReader<'b> {
    pub fn peek(&self) -> Option<u8> {
        self.bytes.first().copied()
    }

    fn byte(&mut self) -> Result<u8, HpackError> {
        let (&first, rest) = self.bytes.split_first().ok_or(HpackError::Truncated)?;
        self.bytes = rest;
        Ok(first)
    }

    /// An integer whose first `prefix_bits` bits are in the next byte.
    pub fn integer(&mut self, prefix_bits: u32) -> Result<usize, HpackError> {
        let mask = (1u16 << prefix_bits) - 1;
        let first = u16::from(self.byte()?) & mask;
        let mut value = usize::from(first);
        if first < mask {
            return Ok(value);
        }
        for position in 0..CONTINUATION_BYTES_MAX {
            let byte = self.byte()?;
            value += usize::from(byte & 0x7f) << (7 * position);
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(HpackError::IntegerTooLarge)
    }

    pub fn string(&mut self) -> Result<Vec<u8>, HpackError> {
        let is_huffman = self.peek().ok_or(HpackError::Truncated)? & HUFFMAN_FLAG != 0;
        let length = self.integer(7)?;
        if length > STRING_BYTES_MAX {
            return Err(HpackError::StringTooLong);
        }
        if length > self.bytes.len() {
            return Err(HpackError::Truncated);
        }
        let (octets, rest) = self.bytes.split_at(length);
        self.bytes = rest;
        if is_huffman { huffman::decode(octets) } else { Ok(octets.to_vec()) }
    }
}

/// Appends an integer; `first` has the bits before the prefix.
pub fn write_integer(out: &mut Vec<u8>, first: u8, prefix_bits: u32, value: usize) {
    let mask = (1usize << prefix_bits) - 1;
    if value < mask {
        out.push(first | value as u8);
        return;
    }
    out.push(first | mask as u8);
    let mut rest = value - mask;
    while rest >= 0x80 {
        out.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

/// Appends a string in the shorter of both codings.
pub fn write_string(out: &mut Vec<u8>, octets: &[u8]) {
    let huffman_bytes = huffman::encoded_length(octets);
    if huffman_bytes < octets.len() {
        write_integer(out, HUFFMAN_FLAG, 7, huffman_bytes);
        huffman::encode(octets, out);
    } else {
        write_integer(out, 0, 7, octets.len());
        out.extend_from_slice(octets);
    }
}
