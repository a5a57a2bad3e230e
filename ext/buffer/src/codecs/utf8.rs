//! UTF-8 encoder. In: code units, possibly with lone surrogates. Out: UTF-8, with U+FFFD for those.

use rusk_jsc::CodeUnits;

/// U+FFFD.
const REPLACEMENT: [u8; 3] = [0xef, 0xbf, 0xbd];

pub fn length(characters: CodeUnits<'_>) -> usize {
    match characters {
        CodeUnits::Latin1(characters) => {
            // Chunks of 255, whose counts fit into a byte: then the loop is vectorized.
            let pieces = characters.chunks(usize::from(u8::MAX));
            let twice = pieces.map(|piece| piece.iter().map(|character| character >> 7).sum::<u8>());
            characters.len() + twice.map(usize::from).sum::<usize>()
        }
        CodeUnits::Utf16(units) => {
            // A code unit is one, two or three bytes; a surrogate pair is four.
            let bytes = |unit: &u16| 1 + usize::from(*unit >= 0x80) + usize::from(*unit >= 0x800);
            let pairs = units.windows(2).filter(|pair| is_high(pair[0]) && is_low(pair[1])).count();
            units.iter().map(bytes).sum::<usize>() - 2 * pairs
        }
    }
}

pub fn encode(characters: CodeUnits<'_>) -> Vec<u8> {
    let mut bytes = vec![0; length(characters)];
    write(&mut bytes, characters);
    bytes
}

/// Writes the characters that fit completely: the numbers of bytes written and code units read.
pub fn write(target: &mut [u8], characters: CodeUnits<'_>) -> (usize, usize) {
    match characters {
        CodeUnits::Latin1(characters) => write_latin1(target, characters),
        CodeUnits::Utf16(units) => write_utf16(target, units),
    }
}

fn write_latin1(target: &mut [u8], characters: &[u8]) -> (usize, usize) {
    if let Some(target) = target.get_mut(..length(CodeUnits::Latin1(characters))) {
        let (read, written) = encoding_rs::mem::convert_latin1_to_utf8_partial(characters, target);
        return (written, read);
    }
    let (mut written, mut read) = (0, 0);
    while read < characters.len() {
        let rest = &characters[read..];
        let ascii_prefix = ascii_prefix(rest);
        let count = ascii_prefix.min(target.len() - written);
        target[written..written + count].copy_from_slice(&rest[..count]);
        (written, read) = (written + count, read + count);
        if count < ascii_prefix || read == characters.len() || target.len() - written < 2 {
            break;
        }
        let character = characters[read];
        target[written] = 0xc0 | character >> 6;
        target[written + 1] = 0x80 | character & 0x3f;
        (written, read) = (written + 2, read + 1);
    }
    (written, read)
}

/// The number of ASCII characters at the start.
fn ascii_prefix(characters: &[u8]) -> usize {
    /// Characters that are checked at once.
    const PIECE: usize = 64;
    let whole = characters.chunks(PIECE).take_while(|piece| piece.is_ascii()).map(<[u8]>::len).sum();
    characters[whole..]
        .iter()
        .position(|character| *character >= 0x80)
        .map_or(characters.len(), |more| whole + more)
}

fn write_utf16(target: &mut [u8], units: &[u16]) -> (usize, usize) {
    let (mut written, mut read) = (0, 0);
    while let Some(&unit) = units.get(read) {
        let next = units.get(read + 1).copied();
        let mut character = [0; 4];
        let (bytes, taken): (&[u8], usize) = match unit {
            _ if is_high(unit) && next.is_some_and(is_low) => {
                let low = next.unwrap_or_default();
                let point = 0x10000 + ((u32::from(unit) & 0x3ff) << 10) + (u32::from(low) & 0x3ff);
                (
                    char::from_u32(point)
                        .map_or(&REPLACEMENT, |point| point.encode_utf8(&mut character).as_bytes()),
                    2,
                )
            }
            _ => match char::from_u32(unit.into()) {
                Some(point) => (point.encode_utf8(&mut character).as_bytes(), 1),
                None => (&REPLACEMENT, 1),
            },
        };
        let Some(room) = target.get_mut(written..written + bytes.len()) else { break };
        room.copy_from_slice(bytes);
        (written, read) = (written + bytes.len(), read + taken);
    }
    (written, read)
}

fn is_high(unit: u16) -> bool {
    unit & 0xfc00 == 0xd800
}

fn is_low(unit: u16) -> bool {
    unit & 0xfc00 == 0xdc00
}
