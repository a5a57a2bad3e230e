//! Keys of a selection list. In: bytes from a terminal. Out: keys. Absent: the mouse, and sequences
//! that a terminal sends for other keys, which are passed over.

/// A longer sequence is none.
const SEQUENCE_BYTES_MAX: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickerKey {
    Up,
    Down,
    First,
    Last,
    /// Space.
    Toggle,
    All,
    Latest,
    Enter,
    /// Escape, `q`, Ctrl-D.
    Cancel,
    /// Ctrl-C.
    Interrupt,
    Other,
}

/// The keys in these bytes, and how many bytes they take: a sequence at the end may be incomplete.
/// `is_all`: nothing follows, so an escape at the end is the key.
pub fn parse_keys(bytes: &[u8], is_all: bool) -> (Vec<PickerKey>, usize) {
    let mut keys = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let (key, length) = match rest {
            [0x1b, b'[' | b'O', ..] => match sequence(rest) {
                Some(found) => found,
                None if is_all || rest.len() > SEQUENCE_BYTES_MAX => (PickerKey::Other, rest.len()),
                None => break,
            },
            [0x1b] if !is_all => break,
            // Alt with another key is Escape and that key.
            [0x1b, ..] => (PickerKey::Cancel, 1),
            [byte, ..] => (plain(*byte), 1),
            [] => break,
        };
        keys.push(key);
        at += length;
    }
    (keys, at)
}

/// `ESC [ A`, `ESC O A`, `ESC [ 1 ~`.
fn sequence(bytes: &[u8]) -> Option<(PickerKey, usize)> {
    let end = bytes.iter().skip(2).take(SEQUENCE_BYTES_MAX).position(|byte| (0x40..=0x7e).contains(byte))?;
    let (inner, last) = (&bytes[2..2 + end], bytes[2 + end]);
    let key = match (inner, last) {
        (b"", b'A') => PickerKey::Up,
        (b"", b'B') => PickerKey::Down,
        (b"", b'H') | (b"1" | b"7", b'~') => PickerKey::First,
        (b"", b'F') | (b"4" | b"8", b'~') => PickerKey::Last,
        _ => PickerKey::Other,
    };
    Some((key, end + 3))
}

fn plain(byte: u8) -> PickerKey {
    match byte {
        b'k' => PickerKey::Up,
        b'j' => PickerKey::Down,
        b'g' => PickerKey::First,
        b'G' => PickerKey::Last,
        b' ' => PickerKey::Toggle,
        b'a' => PickerKey::All,
        b'l' => PickerKey::Latest,
        b'\r' | b'\n' => PickerKey::Enter,
        b'q' | 0x04 => PickerKey::Cancel,
        0x03 => PickerKey::Interrupt,
        _ => PickerKey::Other,
    }
}
