//! Base 64 as Buffer reads it, and as `atob` and `btoa` want it. In: characters. Out: bytes, or
//! that the text is none.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

/// The value of a letter of either alphabet, or none.
const NONE: u8 = 0xff;
const VALUES: [u8; 256] = {
    let mut values = [NONE; 256];
    let mut value = 0;
    while value < 64 {
        values[b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[value] as usize] =
            value as u8;
        value += 1;
    }
    values[b'-' as usize] = 62;
    values[b'_' as usize] = 63;
    values
};

/// Reads what is there: characters of both alphabets, up to the first `=`; what is none is passed
/// over.
pub fn write(target: &mut [u8], text: &[u8]) -> usize {
    let whole = write_groups(target, text);
    let (mut written, mut bits, mut count) = (whole / 4 * 3, 0_u32, 0);
    for letter in &text[whole..] {
        if *letter == b'=' {
            break;
        }
        let value = VALUES[usize::from(*letter)];
        if value == NONE {
            continue;
        }
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            let Some(place) = target.get_mut(written) else { break };
            *place = (bits >> count) as u8;
            written += 1;
        }
    }
    written
}

/// Groups of four characters, up to the first that holds something else. How many characters that
/// were.
fn write_groups(target: &mut [u8], text: &[u8]) -> usize {
    let mut read = 0;
    for (group, place) in text.chunks_exact(4).zip(target.chunks_exact_mut(3)) {
        let [a, b, c, d] = [group[0], group[1], group[2], group[3]].map(|letter| VALUES[usize::from(letter)]);
        if a | b | c | d > 63 {
            break;
        }
        place.copy_from_slice(&[a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]);
        read += 4;
    }
    read
}

/// The standard's forgiving way: white space may stand anywhere, padding may lack; anything else is
/// an error.
pub fn forgiving(text: &[u8]) -> Option<Vec<u8>> {
    if let Ok(bytes) = STANDARD.decode(text) {
        return Some(bytes);
    }
    let is_space = |letter: &u8| matches!(letter, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ');
    let mut letters: Vec<u8> = text.iter().copied().filter(|letter| !is_space(letter)).collect();
    if letters.len().is_multiple_of(4) {
        for _ in 0..2 {
            if letters.last() == Some(&b'=') {
                letters.pop();
            }
        }
    }
    let is_letter = |letter: &u8| VALUES[usize::from(*letter)] != NONE && !matches!(letter, b'-' | b'_');
    if letters.len() % 4 == 1 || !letters.iter().all(is_letter) {
        return None;
    }
    let mut bytes = vec![0; letters.len() * 3 / 4];
    let written = write(&mut bytes, &letters);
    bytes.truncate(written);
    Some(bytes)
}

pub fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// How many characters so many bytes are in the alphabet of addresses, which goes without padding.
pub fn length(bytes: usize) -> usize {
    (bytes * 4).div_ceil(3)
}

/// In the alphabet of addresses, into as many characters as [`length`] says.
pub fn encode_into(bytes: &[u8], letters: &mut [u8]) {
    URL_SAFE_NO_PAD.encode_slice(bytes, letters).expect("there is room for as many letters as it takes");
}
