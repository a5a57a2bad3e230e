//! The dynamic table of HPACK (RFC 7541, sections 2.3.2 and 4). In: fields. Out: fields by index;
//! entries are evicted to stay below the maximum size.

use std::collections::VecDeque;

/// What an entry costs beside its octets (RFC 7541, section 4.1).
pub const ENTRY_OVERHEAD_BYTES: usize = 32;

/// Name and value.
type TableEntry = (Box<[u8]>, Box<[u8]>);

pub struct DynamicTable {
    /// The newest entry is first.
    entries: VecDeque<TableEntry>,
    size: usize,
    size_max: usize,
}

impl DynamicTable {
    pub fn new(size_max: usize) -> DynamicTable {
        DynamicTable { entries: VecDeque::new(), size: 0, size_max }
    }

    pub fn size(&self) -> usize {
        self.size
    }

    pub fn size_max(&self) -> usize {
        self.size_max
    }

    pub fn set_size_max(&mut self, size_max: usize) {
        self.size_max = size_max;
        self.evict(size_max);
    }

    /// An entry larger than the table empties it.
    pub fn insert(&mut self, name: &[u8], value: &[u8]) {
        let bytes = name.len() + value.len() + ENTRY_OVERHEAD_BYTES;
        if bytes > self.size_max {
            self.evict(0);
            return;
        }
        self.evict(self.size_max - bytes);
        self.size += bytes;
        self.entries.push_front((name.into(), value.into()));
    }

    pub fn get(&self, position: usize) -> Option<(&[u8], &[u8])> {
        self.entries.get(position).map(|(name, value)| (&**name, &**value))
    }

    /// The newest position of that name, and whether the value matches, too.
    pub fn find(&self, name: &[u8], value: &[u8]) -> Option<(usize, bool)> {
        let mut of_name = None;
        for (position, (own_name, own_value)) in self.entries.iter().enumerate() {
            if **own_name == *name {
                if **own_value == *value {
                    return Some((position, true));
                }
                of_name = of_name.or(Some((position, false)));
            }
        }
        of_name
    }

    fn evict(&mut self, size: usize) {
        while self.size > size {
            let Some((name, value)) = self.entries.pop_back() else { return };
            self.size -= name.len() + value.len() + ENTRY_OVERHEAD_BYTES;
        }
    }
}
