//! HPACK, the header compression of HTTP/2 (RFC 7541). In: untrusted header blocks; fields to send.
//! Out: fields; header blocks. Absent: frames, and what the fields mean.

mod decoder;
mod dynamic_table;
mod encoder;
mod huffman;
mod integer;
mod static_table;
#[cfg(test)]
mod tests;

pub use decoder::HpackDecoder;
pub use encoder::HpackEncoder;

/// The table size of both sides before SETTINGS (RFC 9113, section 6.5.2).
pub const DEFAULT_TABLE_BYTES: usize = 4096;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderField {
    pub name: Vec<u8>,
    pub value: Vec<u8>,
    /// It is never put into a table, here or at a proxy (RFC 7541, section 7.1.3).
    pub is_sensitive: bool,
}

impl HeaderField {
    pub fn new(name: &str, value: &str) -> HeaderField {
        HeaderField { name: name.into(), value: value.into(), is_sensitive: false }
    }

    /// Its size in a header list (RFC 9113, section 6.5.2).
    pub fn list_bytes(&self) -> usize {
        self.name.len() + self.value.len() + dynamic_table::ENTRY_OVERHEAD_BYTES
    }
}

/// Why a header block cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HpackError {
    Truncated,
    IntegerTooLarge,
    StringTooLong,
    Index,
    Huffman,
    SizeUpdate,
}
