//! Directory listing, as returned by `getdents64`: all names in one buffer, found by hash. In:
//! names and types. Out: the type of a name, or that it does not exist. Absent: targets of
//! symlinks.

use rusk_base::sys::FileType;

/// Names and types, sorted by hash for binary search.
#[derive(Default)]
pub(crate) struct Listing {
    text: Vec<u8>,
    rows: Vec<Row>,
}

#[derive(Clone, Copy)]
struct Row {
    hash: u32,
    start: u32,
    bytes: u16,
    kind: FileType,
}

impl Listing {
    pub(crate) fn push(&mut self, name: &[u8], kind: FileType) {
        let start = u32::try_from(self.text.len());
        let (Ok(start), Ok(bytes)) = (start, u16::try_from(name.len())) else { return };
        self.text.extend_from_slice(name);
        self.rows.push(Row { hash: hash(name), start, bytes, kind });
    }

    /// Call it after the last `push`, before the first `find`.
    pub(crate) fn sort(&mut self) {
        self.rows.sort_unstable_by_key(|row| row.hash);
    }

    pub(crate) fn find(&self, name: &[u8]) -> Option<FileType> {
        let name_hash = hash(name);
        let first = self.rows.partition_point(|row| row.hash < name_hash);
        let rows = self.rows[first..].iter().take_while(|row| row.hash == name_hash);
        rows.into_iter().find(|row| self.name(row) == name).map(|row| row.kind)
    }

    fn name(&self, row: &Row) -> &[u8] {
        &self.text[row.start as usize..][..usize::from(row.bytes)]
    }
}

/// FNV-1a, 32 bits. Colliding names only make the search slower.
fn hash(name: &[u8]) -> u32 {
    name.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
