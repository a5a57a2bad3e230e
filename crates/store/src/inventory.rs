//! The indexes of all packages that one project has, in one file, so that a warm install opens one
//! instead of thousands. In: packages, and the state of the store they are in. Out: bytes, and
//! back: indexes by key. An inventory of a store that has lost a package since is none. Absent:
//! its location and the store's state; see `store`.
//!
//! The bytes, numbers little endian: magic, length of the table `u32`, CRC-32 of the table `u32`;
//! the table: the store's state (`u16` length, UTF-8), a count `u32`, and for each package, sorted
//! by key, its key (as the state) and the length of its index, `u32`; then the indexes, each of
//! which has its own checksum.

use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::index::Bytes;
use crate::{Index, Package};

const MAGIC: &[u8; 8] = b"rusk-in1";
const HEAD_BYTES: usize = 16;
/// Bytes of an inventory: a project of 100,000 packages has one of 300 MB.
pub const BYTES_MAX: u64 = 1 << 30;

/// Indexes that lie in bytes.
pub struct Inventory {
    bytes: Arc<dyn Deref<Target = [u8]> + Send + Sync>,
    entries: Vec<InventoryEntry>,
}

struct InventoryEntry {
    key: Range<usize>,
    index: Range<usize>,
}

/// The bytes that [`Inventory::parse`] takes.
pub fn render(state: &str, packages: &[&Package]) -> Vec<u8> {
    let mut packages = packages.to_vec();
    packages.sort_by_key(|package| package.key.dir_name());
    packages.dedup_by_key(|package| package.key.dir_name());
    let indexes: Vec<&[u8]> = packages.iter().map(|package| package.index.as_bytes()).collect();
    let mut table = Vec::new();
    push_text(&mut table, state);
    table.extend_from_slice(&length_u32(packages.len()).to_le_bytes());
    for (package, index) in packages.iter().zip(&indexes) {
        push_text(&mut table, package.key.dir_name());
        table.extend_from_slice(&length_u32(index.len()).to_le_bytes());
    }
    let mut out =
        Vec::with_capacity(HEAD_BYTES + table.len() + indexes.iter().map(|index| index.len()).sum::<usize>());
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&length_u32(table.len()).to_le_bytes());
    out.extend_from_slice(&libdeflater::crc32(&table).to_le_bytes());
    out.extend_from_slice(&table);
    indexes.iter().for_each(|index| out.extend_from_slice(index));
    out
}

impl Inventory {
    /// What [`render`] wrote, if the store's state is still the same; `None` when these bytes are
    /// anything else.
    pub fn parse(bytes: impl Deref<Target = [u8]> + Send + Sync + 'static, state: &str) -> Option<Inventory> {
        let head = bytes.get(..HEAD_BYTES)?;
        let word = |at: usize| head[at..at + 4].try_into().map(u32::from_le_bytes).ok();
        let end = HEAD_BYTES.checked_add(word(8)? as usize)?;
        let table = bytes.get(HEAD_BYTES..end)?;
        if &head[..8] != MAGIC || word(12)? != libdeflater::crc32(table) {
            return None;
        }
        let mut reader = InventoryReader { bytes: table, at: 0 };
        let own = reader.text()?;
        if &table[own] != state.as_bytes() {
            return None;
        }
        let mut entries = Vec::new();
        let mut start = end;
        for _ in 0..reader.number()? {
            let key = reader.text()?;
            let index = start..start.checked_add(reader.number()? as usize)?;
            start = index.end;
            entries.push(InventoryEntry { key: key.start + HEAD_BYTES..key.end + HEAD_BYTES, index });
        }
        (start == bytes.len()).then(|| Inventory { bytes: Arc::new(bytes), entries })
    }

    /// The index of the package of this key.
    pub fn find(&self, key: &str) -> Option<Index> {
        let at =
            self.entries.binary_search_by(|entry| self.bytes[entry.key.clone()].cmp(key.as_bytes())).ok()?;
        Index::parse(Bytes::part(&self.bytes, self.entries[at].index.clone())?)
    }
}

struct InventoryReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl InventoryReader<'_> {
    fn take(&mut self, bytes: usize) -> Option<Range<usize>> {
        let range = self.at..self.at.checked_add(bytes)?;
        self.bytes.get(range.clone())?;
        self.at = range.end;
        Some(range)
    }

    fn number(&mut self) -> Option<u32> {
        let range = self.take(4)?;
        Some(u32::from_le_bytes(*self.bytes[range].first_chunk()?))
    }

    fn text(&mut self) -> Option<Range<usize>> {
        let range = self.take(2)?;
        let length = u16::from_le_bytes(*self.bytes[range].first_chunk()?);
        self.take(usize::from(length))
    }
}

/// Keys and states are short: a key has 250 bytes at most.
fn push_text(out: &mut Vec<u8>, text: &str) {
    let length = u16::try_from(text.len()).expect("a file's name, or a state of two numbers and one");
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

fn length_u32(length: usize) -> u32 {
    u32::try_from(length).expect("as many packages as a lockfile has, and an index is smaller than 64 MiB")
}

#[cfg(test)]
mod tests;
