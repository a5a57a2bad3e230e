//! Percent-encoding. In: bytes, a set of those to encode. Out: ASCII. The sets are those of the URL
//! standard.

/// Whether a byte is encoded, by its number.
pub type Set = &'static [bool; 256];

pub const CONTROL: Set = &control();
pub const FRAGMENT: Set = &with(CONTROL, b" \"<>`");
pub const QUERY: Set = &with(CONTROL, b" \"#<>");
pub const SPECIAL_QUERY: Set = &with(QUERY, b"'");
pub const PATH: Set = &with(QUERY, b"?^`{}");
pub const USERINFO: Set = &with(PATH, b"/:;=@[\\]|");

const fn control() -> [bool; 256] {
    let mut set = [true; 256];
    let mut byte = 0x20;
    while byte <= 0x7e {
        set[byte] = false;
        byte += 1;
    }
    set
}

const fn with(set: Set, more: &[u8]) -> [bool; 256] {
    let mut set = *set;
    let mut at = 0;
    while at < more.len() {
        set[more[at] as usize] = true;
        at += 1;
    }
    set
}

pub fn extend(text: &mut String, bytes: &[u8], set: Set) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut rest = bytes;
    loop {
        let plain = rest.iter().position(|byte| set[usize::from(*byte)]).unwrap_or(rest.len());
        // What no set encodes is ASCII.
        text.push_str(std::str::from_utf8(&rest[..plain]).unwrap_or_default());
        let Some(byte) = rest.get(plain) else { return };
        let digit = |number: u8| char::from(DIGITS[usize::from(number)]);
        text.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        rest = &rest[plain + 1..];
    }
}

pub fn all(bytes: &[u8], set: Set) -> String {
    let mut text = String::with_capacity(bytes.len());
    extend(&mut text, bytes, set);
    text
}
