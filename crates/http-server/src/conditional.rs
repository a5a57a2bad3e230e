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

/// Fields that make a request conditional.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Conditions<'f> {
    pub if_match: Option<&'f [u8]>,
    pub if_unmodified_since: Option<&'f [u8]>,
    pub if_none_match: Option<&'f [u8]>,
    pub if_modified_since: Option<&'f [u8]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConditionOutcome {
    Proceed,
    /// 304.
    NotModified,
    /// 412.
    Failed,
}

impl Conditions<'_> {
    /// What a GET or HEAD of a resource that exists gets, in the order of RFC 9110, 13.2.2.
    pub fn evaluate(self, validators: Validators<'_>) -> ConditionOutcome {
        let modified = validators.modified;
        let is_as_wanted = match self.if_match {
            Some(wanted) => matches_any(wanted, validators.etag, Comparison::Strong),
            None => match (self.if_unmodified_since.and_then(parse_http_date), modified) {
                (Some(since), Some(modified)) => modified <= since,
                _ => true,
            },
        };
        let is_unchanged = match self.if_none_match {
            Some(known) => matches_any(known, validators.etag, Comparison::Weak),
            None => match (self.if_modified_since.and_then(parse_http_date), modified) {
                (Some(since), Some(modified)) => modified <= since,
                _ => false,
            },
        };
        match (is_as_wanted, is_unchanged) {
            (false, _) => ConditionOutcome::Failed,
            (true, true) => ConditionOutcome::NotModified,
            (true, false) => ConditionOutcome::Proceed,
        }
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
    // The unit is case-insensitive: RFC 9110, 14.1.
    let Some((_, spec)) = field
        .and_then(|field| field.split_at_checked(b"bytes=".len()))
        .filter(|(unit, _)| unit.eq_ignore_ascii_case(b"bytes="))
    else {
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

/// How ETags are compared: RFC 9110, 8.8.3.2.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Strong,
    Weak,
}

/// Whether a list of ETags, or `*`, has the one of a resource that exists.
fn matches_any(list: &[u8], etag: Option<&[u8]>, comparison: Comparison) -> bool {
    let opaque = |tag: &[u8]| tag.strip_prefix(b"W/").unwrap_or(tag).to_vec();
    let is_same = |tag: &[u8]| match (etag, comparison) {
        (None, _) => false,
        (Some(etag), Comparison::Strong) => tag == etag && !etag.starts_with(b"W/"),
        (Some(etag), Comparison::Weak) => opaque(tag) == opaque(etag),
    };
    list.split(|&byte| byte == b',').map(<[u8]>::trim_ascii).any(|tag| tag == b"*" || is_same(tag))
}

#[cfg(test)]
mod tests;
