//! Conditional and range requests (RFC 9110, 13 and 14). In: fields of a request, the validators
//! and the size of what it asks for. Out: whether it changed, which bytes to send. Absent: several
//! ranges in one request, which are answered with the whole, as the RFC allows.

use crate::date::parse_http_date;

/// Bytes `start..end` of `size`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteRange {
    pub start: u64,
    pub end: u64,
    pub size: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeOutcome {
    Whole,
    Part(ByteRange),
    /// 416.
    Unsatisfiable,
}

/// What identifies a version of a resource.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Validators<'v> {
    pub etag: Option<&'v [u8]>,
    /// Seconds since 1970.
    pub modified: Option<u64>,
}

/// Whether 304 is the answer to a GET or HEAD: `If-None-Match`, and without it
/// `If-Modified-Since`.
pub(crate) fn is_not_modified(
    if_none_match: Option<&[u8]>,
    if_modified_since: Option<&[u8]>,
    validators: Validators<'_>,
) -> bool {
    match (if_none_match, validators.etag) {
        (Some(wanted), Some(etag)) => matches_any(wanted, etag),
        (Some(_), None) => false,
        (None, _) => match (if_modified_since.and_then(parse_http_date), validators.modified) {
            (Some(since), Some(modified)) => modified <= since,
            _ => false,
        },
    }
}

/// Whether a range may be sent: `If-Range` is absent, or it is exactly this version. A weak ETag
/// never is.
pub(crate) fn allows_range(if_range: Option<&[u8]>, validators: Validators<'_>) -> bool {
    let Some(wanted) = if_range else { return true };
    match wanted.first() {
        Some(b'"') => validators.etag == Some(wanted),
        Some(b'W') if wanted.starts_with(b"W/") => false,
        _ => validators.modified.is_some() && parse_http_date(wanted) == validators.modified,
    }
}

/// The `Range` field for a resource of `size` bytes.
pub fn requested_range(field: Option<&[u8]>, size: u64) -> RangeOutcome {
    let Some(spec) = field.and_then(|field| field.strip_prefix(b"bytes=")) else {
        return RangeOutcome::Whole;
    };
    let Ok(spec) = std::str::from_utf8(spec) else { return RangeOutcome::Whole };
    let Some((first, last)) = spec.trim().split_once('-') else { return RangeOutcome::Whole };
    let number = |text: &str| match text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty() {
        // Larger than any file.
        true => Some(text.parse::<u64>().unwrap_or(u64::MAX)),
        false => None,
    };
    let (start, end) = match (number(first), number(last)) {
        (Some(start), Some(last)) if start <= last => (start, last.saturating_add(1).min(size)),
        (Some(start), None) if last.is_empty() => (start, size),
        (None, Some(0)) if first.is_empty() => return RangeOutcome::Unsatisfiable,
        (None, Some(count)) if first.is_empty() => (size.saturating_sub(count), size),
        _ => return RangeOutcome::Whole,
    };
    match start < end {
        true => RangeOutcome::Part(ByteRange { start, end, size }),
        false => RangeOutcome::Unsatisfiable,
    }
}

/// A strong ETag of bytes: their 64-bit FNV-1a hash and their number, in hexadecimal.
pub fn etag_of(bytes: &[u8]) -> Vec<u8> {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x100_0000_01b3;
    let hash = bytes.iter().fold(OFFSET, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    format!("\"{hash:016x}-{:x}\"", bytes.len()).into_bytes()
}

/// Weak comparison with a list of ETags.
fn matches_any(list: &[u8], etag: &[u8]) -> bool {
    let opaque = |tag: &[u8]| tag.strip_prefix(b"W/").unwrap_or(tag).to_vec();
    let own = opaque(etag);
    list.split(|&byte| byte == b',').map(<[u8]>::trim_ascii).any(|tag| tag == b"*" || opaque(tag) == own)
}

#[cfg(test)]
mod tests;
