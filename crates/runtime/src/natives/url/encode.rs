//! Percent-encoding. In: bytes, a set of those to encode. Out: ASCII. The sets are those of the URL standard.

/// Whether a byte is encoded.
pub type Set = fn(u8) -> bool;

pub const CONTROL: Set = |byte| !(0x20..=0x7e).contains(&byte);
pub const FRAGMENT: Set = |byte| CONTROL(byte) || matches!(byte, b' ' | b'"' | b'<' | b'>' | b'`');
pub const QUERY: Set = |byte| CONTROL(byte) || matches!(byte, b' ' | b'"' | b'#' | b'<' | b'>');
pub const SPECIAL_QUERY: Set = |byte| QUERY(byte) || byte == b'\'';
pub const PATH: Set = |byte| QUERY(byte) || matches!(byte, b'?' | b'^' | b'`' | b'{' | b'}');
pub const USERINFO: Set =
    |byte| PATH(byte) || matches!(byte, b'/' | b':' | b';' | b'=' | b'@' | b'[' | b'\\' | b']' | b'|');

pub fn push(text: &mut String, byte: u8, set: Set) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    match set(byte) {
        true => text.extend([
            '%',
            char::from(DIGITS[usize::from(byte >> 4)]),
            char::from(DIGITS[usize::from(byte & 15)]),
        ]),
        false => text.push(char::from(byte)),
    }
}

pub fn all(bytes: &[u8], set: Set) -> String {
    let mut text = String::with_capacity(bytes.len());
    bytes.iter().for_each(|byte| push(&mut text, *byte, set));
    text
}
