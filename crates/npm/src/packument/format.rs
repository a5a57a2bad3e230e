//! The layout of a cached packument, little-endian throughout:
//!
//! ```text
//! header    80 bytes: magic, format, counts, lengths, spans of name, etag, modified, two times, front check
//! index     a 32-byte entry per version, ascending: version text, record span, record check, trust, publish time
//! tags      16 bytes per dist-tag: two spans
//! text      one buffer: name, etag, modified, version strings, tags
//! records   what `record.rs` writes, one after the other
//! ```
//! The front check covers header, index, tags and text; every record has its own check, so that
//! opening touches only the front, and a page that was never written to disk is noticed when it is
//! read.

use super::trust::PublisherTrust;

/// Raised whenever the layout or a record's fields change; other formats are treated as absent.
pub const FORMAT: u32 = 4;

/// A version without a publish time, beside others that have one.
pub(super) const NO_TIME: u64 = u64::MAX;

const MAGIC: &[u8; 8] = b"ruskpkmt";
const CHECK_AT: usize = 72;
pub(super) const HEADER_LEN: usize = 80;
pub(super) const ENTRY_LEN: usize = 32;
pub(super) const TAG_LEN: usize = 16;

/// Whether these are the bytes of a packument that another version of this program wrote.
pub fn is_of_other_format(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) && u32_at(bytes, 8).is_some_and(|format| format != FORMAT)
}

/// Offset and length in bytes, relative to the section it points into.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub at: u32,
    pub len: u32,
}

/// One version in the index.
pub(super) struct FormatEntry {
    pub version: Span,
    pub record: Span,
    pub check: u32,
    pub trust: PublisherTrust,
    /// 0 when no version has a time, [`NO_TIME`] when others have one.
    pub published_s: u64,
}

/// The checked header.
#[derive(Default)]
pub(super) struct Front {
    pub versions: u32,
    pub tags: u32,
    pub text_len: u32,
    pub records_len: u32,
    pub name: Span,
    pub etag: Span,
    pub modified: Span,
    pub fetched_s: u64,
    pub fresh_until_s: u64,
    /// Filled in by reading; writing computes it.
    pub check: u64,
}

impl Front {
    /// Reads and checks everything before the records.
    pub fn read(bytes: &[u8]) -> Option<Front> {
        let word = |at: usize| u32_at(bytes, at);
        if bytes.get(..8)? != MAGIC || word(8)? != FORMAT {
            return None;
        }
        let span = |at: usize| Some(Span { at: word(at)?, len: word(at + 4)? });
        let front = Front {
            versions: word(12)?,
            tags: word(16)?,
            text_len: word(20)?,
            records_len: word(24)?,
            name: span(32)?,
            etag: span(40)?,
            modified: span(48)?,
            fetched_s: u64_at(bytes, 56)?,
            fresh_until_s: u64_at(bytes, 64)?,
            check: u64_at(bytes, CHECK_AT)?,
        };
        let records_at = front.records_at()?;
        if records_at.checked_add(front.records_len as usize)? != bytes.len()
            || front.check != front_check(bytes, records_at)?
        {
            return None;
        }
        Some(front)
    }

    /// Writes a packument. `index` and `tags` are already encoded.
    pub fn write(&self, index: &[u8], tags: &[u8], text: &[u8], records: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(HEADER_LEN + index.len() + tags.len() + text.len() + records.len());
        out.extend_from_slice(MAGIC);
        for word in [FORMAT, self.versions, self.tags, self.text_len, self.records_len, 0] {
            out.extend_from_slice(&word.to_le_bytes());
        }
        for span in [self.name, self.etag, self.modified] {
            put_span(&mut out, span);
        }
        out.extend_from_slice(&self.fetched_s.to_le_bytes());
        out.extend_from_slice(&self.fresh_until_s.to_le_bytes());
        out.resize(HEADER_LEN, 0);
        for section in [index, tags, text] {
            out.extend_from_slice(section);
        }
        let check = front_check(&out, out.len()).expect("the front was just written");
        out[CHECK_AT..CHECK_AT + 8].copy_from_slice(&check.to_le_bytes());
        out.extend_from_slice(records);
        out
    }

    pub fn entry(&self, bytes: &[u8], index: u32) -> Option<FormatEntry> {
        if index >= self.versions {
            return None;
        }
        let at = HEADER_LEN + index as usize * ENTRY_LEN;
        let entry = bytes.get(at..at + ENTRY_LEN)?;
        Some(FormatEntry {
            version: span_at(entry, 0)?,
            record: span_at(entry, 8)?,
            check: u32_at(entry, 16)?,
            trust: PublisherTrust::of_byte(*entry.get(20)?),
            published_s: u64_at(entry, 24)?,
        })
    }

    /// The spans of a tag's name and version.
    pub fn tag(&self, bytes: &[u8], index: u32) -> Option<(Span, Span)> {
        if index >= self.tags {
            return None;
        }
        let at = self.tags_at()? + index as usize * TAG_LEN;
        Some((span_at(bytes, at)?, span_at(bytes, at + 8)?))
    }

    pub fn text<'a>(&self, bytes: &'a [u8], span: Span) -> Option<&'a str> {
        let text_at = self.text_at()?;
        let text = bytes.get(text_at..text_at + self.text_len as usize)?;
        let end = (span.at as usize).checked_add(span.len as usize)?;
        std::str::from_utf8(text.get(span.at as usize..end)?).ok()
    }

    /// The bytes of one record, when they match the check in its entry.
    pub fn record<'a>(&self, bytes: &'a [u8], entry: &FormatEntry) -> Option<&'a [u8]> {
        let start = self.records_at()?.checked_add(entry.record.at as usize)?;
        let record = bytes.get(start..start.checked_add(entry.record.len as usize)?)?;
        (check32(record) == entry.check).then_some(record)
    }

    fn tags_at(&self) -> Option<usize> {
        (self.versions as usize).checked_mul(ENTRY_LEN)?.checked_add(HEADER_LEN)
    }

    fn text_at(&self) -> Option<usize> {
        (self.tags as usize).checked_mul(TAG_LEN)?.checked_add(self.tags_at()?)
    }

    fn records_at(&self) -> Option<usize> {
        self.text_at()?.checked_add(self.text_len as usize)
    }
}

pub(super) fn put_entry(out: &mut Vec<u8>, entry: &FormatEntry) {
    put_span(out, entry.version);
    put_span(out, entry.record);
    out.extend_from_slice(&entry.check.to_le_bytes());
    out.extend_from_slice(&[entry.trust as u8, 0, 0, 0]);
    out.extend_from_slice(&entry.published_s.to_le_bytes());
}

pub(super) fn put_span(out: &mut Vec<u8>, span: Span) {
    out.extend_from_slice(&span.at.to_le_bytes());
    out.extend_from_slice(&span.len.to_le_bytes());
}

/// Checksum of a record. It does not match zero bytes, as which a lost page is read.
pub(super) fn check32(bytes: &[u8]) -> u32 {
    (check64(bytes) >> 32) as u32 | 1
}

fn front_check(bytes: &[u8], end: usize) -> Option<u64> {
    let header = check64(bytes.get(..CHECK_AT)?);
    Some(header.rotate_left(17) ^ check64(bytes.get(HEADER_LEN..end)?))
}

/// Word by word, multiplied by an odd constant: any single changed word changes the sum. Made to
/// notice damage, not malice: who can write to the cache can also compute this.
fn check64(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |sum: u64, word: u64| (sum.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    let words = bytes.chunks_exact(8);
    let mut rest = [0; 8];
    rest[..words.remainder().len()].copy_from_slice(words.remainder());
    let seed = bytes.len() as u64 ^ 0x5275_736b;
    let sum = words.fold(seed, |sum, word| mix(sum, u64::from_le_bytes(word.try_into().expect("8 bytes"))));
    mix(sum, u64::from_le_bytes(rest))
}

fn span_at(bytes: &[u8], at: usize) -> Option<Span> {
    Some(Span { at: u32_at(bytes, at)?, len: u32_at(bytes, at + 4)? })
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..at + 8)?.try_into().ok().map(u64::from_le_bytes)
}
