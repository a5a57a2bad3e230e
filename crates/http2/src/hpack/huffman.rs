//! The Huffman code of HPACK (RFC 7541, Appendix B). In: octets, in both directions. The code is
//! canonical: the lengths of the codes define it.

use std::sync::LazyLock;

use super::HpackError;

/// The length in bits of the code of each octet, and of the end of a string.
#[rustfmt::skip]
const LENGTHS: [u8; 257] = [
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28,
    28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11,
    10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8,
    15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
    7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5,
    6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7,
    7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23,
    23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
    22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21,
    23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25,
    26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26,
    28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
    26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30,
];
const END_OF_STRING: u16 = 256;
const LENGTH_MAX: usize = 30;
/// Codes up to this length, those of most characters, are found by one look.
const PREFIX_BITS: u32 = 10;

struct HuffmanCode {
    codes: [u32; 257],
    /// Symbols in the order of their codes.
    symbols: [u16; 257],
    /// The first code of each length, and how many symbols are before it.
    first: [(u32, u16); LENGTH_MAX + 2],
    /// By the next bits: a symbol and its length; length 0: the code is longer.
    prefixes: Vec<(u8, u8)>,
}

static CODE: LazyLock<HuffmanCode> = LazyLock::new(HuffmanCode::new);

impl HuffmanCode {
    fn new() -> HuffmanCode {
        let mut code = HuffmanCode {
            codes: [0; 257],
            symbols: [0; 257],
            first: [(0, 0); LENGTH_MAX + 2],
            prefixes: vec![(0, 0); 1 << PREFIX_BITS],
        };
        let (mut next, mut count) = (0u32, 0u16);
        for length in 1..=LENGTH_MAX {
            next <<= 1;
            code.first[length] = (next, count);
            for (symbol, _) in LENGTHS.iter().enumerate().filter(|(_, own)| usize::from(**own) == length) {
                code.codes[symbol] = next;
                code.symbols[usize::from(count)] = symbol as u16;
                if length as u32 <= PREFIX_BITS {
                    let shift = PREFIX_BITS - length as u32;
                    let from = (next << shift) as usize;
                    code.prefixes[from..from + (1 << shift)].fill((symbol as u8, length as u8));
                }
                next += 1;
                count += 1;
            }
        }
        code.first[LENGTH_MAX + 1] = (u32::MAX, count);
        code
    }

    /// The symbol at the start of `bits`, of which the upper ones count, and its length.
    fn symbol(&self, bits: u32) -> (u16, u32) {
        let (symbol, length) = self.prefixes[(bits >> (32 - PREFIX_BITS)) as usize];
        if length > 0 {
            return (symbol.into(), length.into());
        }
        for length in PREFIX_BITS as usize + 1..=LENGTH_MAX {
            let code = bits >> (32 - length);
            let (first, before) = self.first[length];
            let count = u32::from(self.first[length + 1].1 - before);
            if code >= first && code - first < count {
                return (self.symbols[(u32::from(before) + code - first) as usize], length as u32);
            }
        }
        (END_OF_STRING, LENGTH_MAX as u32)
    }
}

pub fn encoded_length(octets: &[u8]) -> usize {
    octets.iter().map(|octet| usize::from(LENGTHS[usize::from(*octet)])).sum::<usize>().div_ceil(8)
}

pub fn encode(octets: &[u8], out: &mut Vec<u8>) {
    let (mut bits, mut count) = (0u64, 0u32);
    for octet in octets {
        let length = u32::from(LENGTHS[usize::from(*octet)]);
        bits = bits << length | u64::from(CODE.codes[usize::from(*octet)]);
        count += length;
        while count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    if count > 0 {
        let padding = 8 - count;
        out.push((bits << padding) as u8 | ((1 << padding) - 1));
    }
}

/// An error for a code of the end of a string, and for padding that is longer than 7 bits or not
/// the start of that code.
pub fn decode(octets: &[u8]) -> Result<Vec<u8>, HpackError> {
    let code = &*CODE;
    let mut out = Vec::with_capacity(octets.len() * 8 / 5);
    let (mut bits, mut count) = (0u64, 0u32);
    let mut rest = octets.iter();
    loop {
        while count <= 32
            && let Some(octet) = rest.next()
        {
            bits |= u64::from(*octet) << (56 - count);
            count += 8;
        }
        if count == 0 {
            return Ok(out);
        }
        let (symbol, length) = code.symbol((bits >> 32) as u32);
        if length > count || symbol == END_OF_STRING {
            // What is left may only be padding, whose bits are ones.
            let is_padding = count < 8 && bits >> (64 - count) == (1 << count) - 1;
            return if is_padding { Ok(out) } else { Err(HpackError::Huffman) };
        }
        out.push(symbol as u8);
        bits <<= length;
        count -= length;
    }
}
