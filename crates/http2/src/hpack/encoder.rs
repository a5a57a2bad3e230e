//! Encoder of header blocks (RFC 7541). In: fields. Out: a block. Sensitive fields are never
//! indexed; fields whose values rarely repeat are not put into the dynamic table.

use super::dynamic_table::{DynamicTable, ENTRY_OVERHEAD_BYTES};
use super::integer::{write_integer, write_string};
use super::{HeaderField, static_table};

/// nghttp2 does not index these either: their values would evict others.
const NOT_INDEXED: [&[u8]; 8] = [
    b":path",
    b"age",
    b"content-length",
    b"etag",
    b"if-modified-since",
    b"if-none-match",
    b"location",
    b"set-cookie",
];
/// A shorter cookie could be guessed byte by byte (RFC 7541, section 7.1).
const COOKIE_BYTES_MIN: usize = 20;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Indexing {
    Incremental,
    Without,
    Never,
}

pub struct HpackEncoder {
    table: DynamicTable,
    /// The largest table that we use, whatever the peer offers.
    size_limit: usize,
    /// Table sizes to announce: the smallest since the last block, and the current one.
    size_update: Option<(usize, usize)>,
}

impl HpackEncoder {
    pub fn new(size_limit: usize) -> HpackEncoder {
        let size = size_limit.min(super::DEFAULT_TABLE_BYTES);
        let update = (size != super::DEFAULT_TABLE_BYTES).then_some((size, size));
        HpackEncoder { table: DynamicTable::new(size), size_limit, size_update: update }
    }

    pub fn table_size(&self) -> usize {
        self.table.size()
    }

    /// The peer's SETTINGS_HEADER_TABLE_SIZE.
    pub fn set_peer_limit(&mut self, size: usize) {
        let size = size.min(self.size_limit);
        if size == self.table.size_max() && self.size_update.is_none() {
            return;
        }
        let smallest = self.size_update.map_or(size, |(smallest, _)| smallest.min(size));
        self.size_update = Some((smallest, size));
        self.table.set_size_max(size);
    }

    pub fn encode<'f>(&mut self, fields: impl IntoIterator<Item = &'f HeaderField>, out: &mut Vec<u8>) {
        if let Some((smallest, size)) = self.size_update.take() {
            if smallest < size {
                write_integer(out, 0x20, 5, smallest);
            }
            write_integer(out, 0x20, 5, size);
        }
        for field in fields {
            self.encode_field(field, out);
        }
    }

    fn encode_field(&mut self, field: &HeaderField, out: &mut Vec<u8>) {
        let indexing = self.indexing(field);
        let found = self.find(field);
        if let Some((index, true)) = found
            && indexing != Indexing::Never
        {
            write_integer(out, 0x80, 7, index);
            return;
        }
        let (first, prefix_bits) = match indexing {
            Indexing::Incremental => (0x40, 6),
            Indexing::Without => (0x00, 4),
            Indexing::Never => (0x10, 4),
        };
        match found {
            Some((index, _)) => write_integer(out, first, prefix_bits, index),
            None => {
                out.push(first);
                write_string(out, &field.name);
            }
        }
        write_string(out, &field.value);
        if indexing == Indexing::Incremental {
            self.table.insert(&field.name, &field.value);
        }
    }

    fn indexing(&self, field: &HeaderField) -> Indexing {
        let is_short_cookie = field.name == b"cookie" && field.value.len() < COOKIE_BYTES_MIN;
        if field.is_sensitive || field.name == b"authorization" || is_short_cookie {
            return Indexing::Never;
        }
        // A large entry would evict most others.
        let bytes = field.name.len() + field.value.len() + ENTRY_OVERHEAD_BYTES;
        let is_large = bytes > self.table.size_max() * 3 / 4;
        if is_large || NOT_INDEXED.contains(&&field.name[..]) {
            Indexing::Without
        } else {
            Indexing::Incremental
        }
    }

    /// The index of a field, or of another of that name; whether the value matches.
    fn find(&self, field: &HeaderField) -> Option<(usize, bool)> {
        let of_static = static_table::find(&field.name, &field.value);
        if let Some((_, true)) = of_static {
            return of_static;
        }
        let of_dynamic = self.table.find(&field.name, &field.value);
        match of_dynamic.map(|(position, is_same)| (position + static_table::COUNT + 1, is_same)) {
            Some((index, true)) => Some((index, true)),
            of_name => of_static.or(of_name),
        }
    }
}
