//! Code units to bytes and back, as Node's Buffer does it. In: characters, bytes. Out: what was
//! written, where it ends. Absent: the engine; these are plain functions.

pub mod base64;
pub mod utf8;

use rusk_jsc::CodeUnits;

/// Low bytes of the units, as many as there is room for.
pub fn write_latin1(target: &mut [u8], letters: CodeUnits<'_>) -> usize {
    match letters {
        CodeUnits::Latin1(letters) => {
            let count = letters.len().min(target.len());
            target[..count].copy_from_slice(&letters[..count]);
            count
        }
        CodeUnits::Utf16(units) => {
            let count = units.len().min(target.len());
            target.iter_mut().zip(units).for_each(|(place, unit)| *place = *unit as u8);
            count
        }
    }
}

/// Whole units, as many as there is room for.
pub fn write_utf16(target: &mut [u8], letters: CodeUnits<'_>) -> usize {
    let places = target.chunks_exact_mut(2);
    let count = places.len().min(length(letters));
    match letters {
        CodeUnits::Latin1(letters) => {
            places.zip(letters).for_each(|(place, letter)| place.copy_from_slice(&[*letter, 0]));
        }
        CodeUnits::Utf16(units) => {
            places.zip(units).for_each(|(place, unit)| place.copy_from_slice(&unit.to_le_bytes()));
        }
    }
    count * 2
}

/// Two digits a byte, up to the first that is none.
pub fn write_hex(target: &mut [u8], letters: CodeUnits<'_>) -> usize {
    match letters {
        CodeUnits::Latin1(letters) => write_digits(target, letters),
        CodeUnits::Utf16(units) => write_digits(target, &narrow(units)),
    }
}

fn write_digits(target: &mut [u8], digits: &[u8]) -> usize {
    let mut count = 0;
    for (place, pair) in target.iter_mut().zip(digits.chunks_exact(2)) {
        let (high, low) = (HALVES[usize::from(pair[0])], HALVES[usize::from(pair[1])]);
        if (high | low) == NO_DIGIT {
            break;
        }
        *place = high << 4 | low;
        count += 1;
    }
    count
}

/// What no digit has: all bits, so that it stays with any other.
const NO_DIGIT: u8 = 0xff;

/// The half of a byte that a digit says.
const HALVES: [u8; 256] = {
    let mut halves = [NO_DIGIT; 256];
    let mut half = 0;
    while half < 16 {
        halves[b"0123456789abcdef"[half] as usize] = half as u8;
        halves[b"0123456789ABCDEF"[half] as usize] = half as u8;
        half += 1;
    }
    halves
};

/// Two digits for each byte, into as many characters as that takes.
pub fn write_hex_of(bytes: &[u8], letters: &mut [u8]) {
    let digit = |half: u8| if half < 10 { b'0' + half } else { b'a' - 10 + half };
    for (pair, byte) in letters.chunks_exact_mut(2).zip(bytes) {
        pair.copy_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
    }
}

/// The low bytes of units, which are all that Node looks at for a digit.
pub fn narrow(units: &[u16]) -> Vec<u8> {
    units.iter().map(|unit| *unit as u8).collect()
}

/// UTF-16 of bytes, the last one left out where it has no other half.
pub fn units(bytes: &[u8]) -> Vec<u16> {
    bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()
}

pub fn length(letters: CodeUnits<'_>) -> usize {
    match letters {
        CodeUnits::Latin1(letters) => letters.len(),
        CodeUnits::Utf16(units) => units.len(),
    }
}

/// Where `needle` stands. `from`: the first place that counts, or the last one when looking back.
/// With `step` 2 both are UTF-16, and only even places count.
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
            let place = begin + finder.find(bytes.get(begin..)?)?;
            if place % step == 0 {
                return Some(place);
            }
            begin = place + 1;
        }
    }
    let finder = memchr::memmem::FinderRev::new(needle);
    let mut end = from.saturating_add(needle.len()).min(bytes.len());
    loop {
        let place = finder.rfind(&bytes[..end])?;
        if place % step == 0 {
            return Some(place);
        }
        end = place + needle.len() - 1;
    }
}

#[cfg(test)]
mod tests;
