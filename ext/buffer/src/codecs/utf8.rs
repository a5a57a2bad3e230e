//! UTF-8 of characters. In: characters, of which surrogates may lack their other half. Out: UTF-8,
//! with U+FFFD in their places.

use rusk_jsc::CodeUnits;

/// U+FFFD.
const REPLACEMENT: [u8; 3] = [0xef, 0xbf, 0xbd];

pub fn length(letters: CodeUnits<'_>) -> usize {
    match letters {
        CodeUnits::Latin1(letters) => {
            // So many that a byte can count them: then the processor counts sixteen and more at
            // once.
            let pieces = letters.chunks(usize::from(u8::MAX));
            let twice = pieces.map(|piece| piece.iter().map(|letter| letter >> 7).sum::<u8>());
            letters.len() + twice.map(usize::from).sum::<usize>()
        }
        CodeUnits::Utf16(units) => {
            // A unit takes one, two or three bytes; the two of a pair take four together.
            let bytes = |unit: &u16| 1 + usize::from(*unit >= 0x80) + usize::from(*unit >= 0x800);
            let pairs = units.windows(2).filter(|pair| is_high(pair[0]) && is_low(pair[1])).count();
            units.iter().map(bytes).sum::<usize>() - 2 * pairs
        }
    }
}

pub fn encode(letters: CodeUnits<'_>) -> Vec<u8> {
    let mut bytes = vec![0; length(letters)];
    write(&mut bytes, letters);
    bytes
}

/// How many bytes were written, and how many units they are of: characters that fit as a whole.
pub fn write(target: &mut [u8], letters: CodeUnits<'_>) -> (usize, usize) {
    match letters {
        CodeUnits::Latin1(letters) => write_narrow(target, letters),
        CodeUnits::Utf16(units) => write_wide(target, units),
    }
}

fn write_narrow(target: &mut [u8], letters: &[u8]) -> (usize, usize) {
    if let Some(target) = target.get_mut(..length(CodeUnits::Latin1(letters))) {
        let (read, written) = encoding_rs::mem::convert_latin1_to_utf8_partial(letters, target);
        return (written, read);
    }
    let (mut written, mut read) = (0, 0);
    while read < letters.len() {
        let rest = &letters[read..];
        let plain = plain(rest);
        let count = plain.min(target.len() - written);
        target[written..written + count].copy_from_slice(&rest[..count]);
        (written, read) = (written + count, read + count);
        if count < plain || read == letters.len() || target.len() - written < 2 {
            break;
        }
        let letter = letters[read];
        target[written] = 0xc0 | letter >> 6;
        target[written + 1] = 0x80 | letter & 0x3f;
        (written, read) = (written + 2, read + 1);
    }
    (written, read)
}

/// How many characters at the beginning are ASCII.
fn plain(letters: &[u8]) -> usize {
    /// Looked at as a whole.
    const PIECE: usize = 64;
    let whole = letters.chunks(PIECE).take_while(|piece| piece.is_ascii()).map(<[u8]>::len).sum();
    letters[whole..].iter().position(|letter| *letter >= 0x80).map_or(letters.len(), |more| whole + more)
}

fn write_wide(target: &mut [u8], units: &[u16]) -> (usize, usize) {
    let (mut written, mut read) = (0, 0);
    while let Some(&unit) = units.get(read) {
        let next = units.get(read + 1).copied();
        let mut letter = [0; 4];
        let (bytes, taken): (&[u8], usize) = match unit {
            _ if is_high(unit) && next.is_some_and(is_low) => {
                let low = next.unwrap_or_default();
                let point = 0x10000 + ((u32::from(unit) & 0x3ff) << 10) + (u32::from(low) & 0x3ff);
                (
                    char::from_u32(point)
                        .map_or(&REPLACEMENT, |point| point.encode_utf8(&mut letter).as_bytes()),
                    2,
                )
            }
            _ => match char::from_u32(unit.into()) {
                Some(point) => (point.encode_utf8(&mut letter).as_bytes(), 1),
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
