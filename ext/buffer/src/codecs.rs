//! Codecs of `Buffer`: Latin-1, UTF-16, hexadecimal; UTF-8 and base64 in submodules. In: code
//! units, bytes. Out: bytes, code units, counts. Absent: the engine; these are plain functions.

pub mod base64;
pub mod utf8;

use rusk_jsc::CodeUnits;

/// Writes the low bytes of the code units that fit.
pub fn write_latin1(target: &mut [u8], characters: CodeUnits<'_>) -> usize {
    match characters {
        CodeUnits::Latin1(characters) => {
            let count = characters.len().min(target.len());
            target[..count].copy_from_slice(&characters[..count]);
            count
        }
        CodeUnits::Utf16(units) => {
            let count = units.len().min(target.len());
            target.iter_mut().zip(units).for_each(|(slot, unit)| *slot = *unit as u8);
            count
        }
    }
}

/// Writes the UTF-16 code units that fit.
pub fn write_utf16(target: &mut [u8], characters: CodeUnits<'_>) -> usize {
    let chunks = target.chunks_exact_mut(2);
    let count = chunks.len().min(length(characters));
    match characters {
        CodeUnits::Latin1(characters) => {
            chunks.zip(characters).for_each(|(slot, character)| slot.copy_from_slice(&[*character, 0]));
        }
        CodeUnits::Utf16(units) => {
            chunks.zip(units).for_each(|(slot, unit)| slot.copy_from_slice(&unit.to_le_bytes()));
        }
    }
    count * 2
}

/// Decodes pairs of hexadecimal digits, up to the first other character.
pub fn write_hex(target: &mut [u8], characters: CodeUnits<'_>) -> usize {
    match characters {
        CodeUnits::Latin1(characters) => write_digits(target, characters),
        CodeUnits::Utf16(units) => write_digits(target, &narrow(units)),
    }
}

fn write_digits(target: &mut [u8], digits: &[u8]) -> usize {
    let mut count = 0;
    for (slot, pair) in target.iter_mut().zip(digits.chunks_exact(2)) {
        let (high, low) = (NIBBLES[usize::from(pair[0])], NIBBLES[usize::from(pair[1])]);
        if (high | low) == NO_DIGIT {
            break;
        }
        *slot = high << 4 | low;
        count += 1;
    }
    count
}

/// The value of other characters: all bits, so that it survives `|` with any other.
const NO_DIGIT: u8 = 0xff;

/// The value of each hexadecimal digit.
const NIBBLES: [u8; 256] = {
    let mut nibbles = [NO_DIGIT; 256];
    let mut nibble = 0;
    while nibble < 16 {
        nibbles[b"0123456789abcdef"[nibble] as usize] = nibble as u8;
        nibbles[b"0123456789ABCDEF"[nibble] as usize] = nibble as u8;
        nibble += 1;
    }
    nibbles
};

/// Encodes bytes as two hexadecimal digits each.
pub fn encode_hex_into(bytes: &[u8], characters: &mut [u8]) {
    let digit = |nibble: u8| if nibble < 10 { b'0' + nibble } else { b'a' - 10 + nibble };
    for (pair, byte) in characters.chunks_exact_mut(2).zip(bytes) {
        pair.copy_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
    }
}

/// The low bytes of code units; Node ignores the high ones in digits.
pub fn narrow(units: &[u16]) -> Vec<u8> {
    units.iter().map(|unit| *unit as u8).collect()
}

/// The UTF-16 code units of bytes; an odd last byte is ignored.
pub fn units(bytes: &[u8]) -> Vec<u16> {
    bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()
}

pub fn length(characters: CodeUnits<'_>) -> usize {
    match characters {
        CodeUnits::Latin1(characters) => characters.len(),
        CodeUnits::Utf16(units) => units.len(),
    }
}

/// The offset of `needle`. `from`: the first offset to try, or the last one when searching
/// backward. With `step` 2 both are UTF-16, and only even offsets count.
pub fn find(bytes: &[u8], needle: &[u8], from: usize, is_forward: bool, step: usize) -> Option<usize> {
    if needle.len() > bytes.len() {
        return None;
    }
    let (bytes, needle, from) = match step {
        2 => (&bytes[..bytes.len() & !1], &needle[..needle.len() & !1], from & !1),
        _ => (bytes, needle, from),
    };
    if needle.is_empty() {
        return None;
    }
    if is_forward {
        let finder = memchr::memmem::Finder::new(needle);
        let mut begin = from;
        loop {
            let offset = begin + finder.find(bytes.get(begin..)?)?;
            if offset % step == 0 {
                return Some(offset);
            }
            begin = offset + 1;
        }
    }
    let finder = memchr::memmem::FinderRev::new(needle);
    let mut end = from.saturating_add(needle.len()).min(bytes.len());
    loop {
        let offset = finder.rfind(&bytes[..end])?;
        if offset % step == 0 {
            return Some(offset);
        }
        end = offset + needle.len() - 1;
    }
}

#[cfg(test)]
mod tests;
