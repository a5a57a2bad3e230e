//! Base64 and base64url: the lenient decoder of `Buffer`, the forgiving-base64 decoder of `atob`,
//! encoders. In: characters, bytes. Out: bytes, characters; `None` for malformed input of `atob`.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

/// The value of a character of either alphabet, or `NONE`.
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

/// Decodes characters of both alphabets up to the first `=`, and ignores all others.
pub fn write(target: &mut [u8], text: &[u8]) -> usize {
    let whole = write_groups(target, text);
    let (mut written, mut bits, mut count) = (whole / 4 * 3, 0_u32, 0);
    for character in &text[whole..] {
        if *character == b'=' {
            break;
        }
        let value = VALUES[usize::from(*character)];
        if value == NONE {
            continue;
        }
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            let Some(slot) = target.get_mut(written) else { break };
            *slot = (bits >> count) as u8;
            written += 1;
        }
    }
    written
}

/// Decodes groups of four characters, up to the first with another character. The number of
/// characters read.
fn write_groups(target: &mut [u8], text: &[u8]) -> usize {
    let mut read = 0;
    for (group, slot) in text.chunks_exact(4).zip(target.chunks_exact_mut(3)) {
        let [a, b, c, d] =
            [group[0], group[1], group[2], group[3]].map(|character| VALUES[usize::from(character)]);
        if a | b | c | d > 63 {
            break;
        }
        slot.copy_from_slice(&[a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]);
        read += 4;
    }
    read
}

/// "forgiving-base64 decode" of the Infra Standard: white space is allowed, padding is optional;
/// anything else is an error.
pub fn forgiving(text: &[u8]) -> Option<Vec<u8>> {
    if let Ok(bytes) = STANDARD.decode(text) {
        return Some(bytes);
    }
    let is_space = |character: &u8| matches!(character, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ');
    let mut characters: Vec<u8> = text.iter().copied().filter(|character| !is_space(character)).collect();
    if characters.len().is_multiple_of(4) {
        for _ in 0..2 {
            if characters.last() == Some(&b'=') {
                characters.pop();
            }
        }
    }
    let is_digit =
        |character: &u8| VALUES[usize::from(*character)] != NONE && !matches!(character, b'-' | b'_');
    if characters.len() % 4 == 1 || !characters.iter().all(is_digit) {
        return None;
    }
    let mut bytes = vec![0; characters.len() * 3 / 4];
    let written = write(&mut bytes, &characters);
    bytes.truncate(written);
    Some(bytes)
}

pub fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The number of characters of base64url, without padding, for a number of bytes.
pub fn length(bytes: usize) -> usize {
    (bytes * 4).div_ceil(3)
}

/// Encodes as base64url into as many characters as [`length`] returns.
pub fn encode_into(bytes: &[u8], characters: &mut [u8]) {
    URL_SAFE_NO_PAD.encode_slice(bytes, characters).expect("the target has the length of the output");
}
