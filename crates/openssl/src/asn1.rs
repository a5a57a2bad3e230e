//! Reading DER (X.690). In: untrusted bytes. Out: one element, borrowed, and what follows it.
//! Absent: indefinite lengths, tags over 30; both are refused.

pub const INTEGER: u8 = 0x02;
pub const SEQUENCE: u8 = 0x30;

/// Tag, length, value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tlv<'b> {
    pub tag: u8,
    pub content: &'b [u8],
}

/// The first element and the bytes after it. `None`: malformed.
pub fn read_tlv(bytes: &[u8]) -> Option<(Tlv<'_>, &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    if tag & 0x1f == 0x1f {
        return None;
    }
    let (&first, rest) = rest.split_first()?;
    let (count, rest) = match first {
        0..=0x7f => (usize::from(first), rest),
        0x81..=0x84 => {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            (digits.iter().fold(0, |number, digit| number << 8 | usize::from(*digit)), rest)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(count)?;
    Some((Tlv { tag, content }, rest))
}

/// The elements of a sequence's content, until one is malformed.
pub(crate) fn elements(mut bytes: &[u8]) -> impl Iterator<Item = Tlv<'_>> {
    std::iter::from_fn(move || {
        let (element, rest) = read_tlv(bytes)?;
        bytes = rest;
        Some(element)
    })
}

/// An element with a length in its shortest form.
pub(crate) fn write_tlv(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![tag];
    let count = content.len();
    match count {
        0..=0x7f => bytes.push(count as u8),
        _ => {
            let digits = count.to_be_bytes();
            let first = digits.iter().position(|digit| *digit != 0).unwrap_or(0);
            bytes.push(0x80 | (digits.len() - first) as u8);
            bytes.extend_from_slice(&digits[first..]);
        }
    }
    bytes.extend_from_slice(content);
    bytes
}

/// An object identifier in dots. `None`: malformed, or a part has more than 64 bits.
pub(crate) fn object_id(content: &[u8]) -> Option<String> {
    let mut parts: Vec<u64> = Vec::new();
    let mut part: u64 = 0;
    for byte in content {
        part = part.checked_mul(128)? | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            if parts.is_empty() {
                let top = (part / 40).min(2);
                parts.extend([top, part - top * 40]);
            } else {
                parts.push(part);
            }
            part = 0;
        }
    }
    let is_complete = content.last().is_some_and(|last| last & 0x80 == 0);
    is_complete.then(|| parts.iter().map(u64::to_string).collect::<Vec<_>>().join("."))
}

#[cfg(test)]
mod tests;
