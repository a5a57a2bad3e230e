//! Decoder of header blocks (RFC 7541, sections 3 and 6). In: untrusted bytes of a whole block.
//! Out: its fields, one by one. Absent: the limit of a header list, which the caller keeps.

use super::dynamic_table::DynamicTable;
use super::integer::BlockReader;
use super::{HeaderField, HpackError, static_table};

pub struct HpackDecoder {
    table: DynamicTable,
    /// SETTINGS_HEADER_TABLE_SIZE, as the peer has acknowledged it.
    size_limit: usize,
    /// The limit was lowered: the next block must begin with an update (RFC 7541, section 4.2).
    needs_update: bool,
}

impl HpackDecoder {
    pub fn new(size_limit: usize) -> HpackDecoder {
        HpackDecoder { table: DynamicTable::new(size_limit), size_limit, needs_update: false }
    }

    pub fn table_size(&self) -> usize {
        self.table.size()
    }

    pub fn set_size_limit(&mut self, size_limit: usize) {
        self.size_limit = size_limit;
        if size_limit < self.table.size_max() {
            self.needs_update = true;
        }
    }

    /// Calls `field` for each field. After an error the decoder is useless.
    pub fn decode(&mut self, block: &[u8], mut field: impl FnMut(HeaderField)) -> Result<(), HpackError> {
        let mut reader = BlockReader { bytes: block };
        let mut is_first = true;
        while let Some(first) = reader.peek() {
            if first & 0xe0 == 0x20 {
                self.update_size(&mut reader, is_first)?;
                continue;
            }
            if self.needs_update {
                return Err(HpackError::SizeUpdate);
            }
            is_first = false;
            field(self.field(&mut reader, first)?);
        }
        Ok(())
    }

    fn update_size(&mut self, reader: &mut BlockReader<'_>, is_first: bool) -> Result<(), HpackError> {
        let size = reader.integer(5)?;
        if !is_first || size > self.size_limit {
            return Err(HpackError::SizeUpdate);
        }
        self.needs_update = false;
        self.table.set_size_max(size);
        Ok(())
    }

    fn field(&mut self, reader: &mut BlockReader<'_>, first: u8) -> Result<HeaderField, HpackError> {
        if first & 0x80 != 0 {
            let index = reader.integer(7)?;
            let (name, value) = self.entry(index)?;
            return Ok(HeaderField { name: name.to_vec(), value: value.to_vec(), is_sensitive: false });
        }
        let is_indexed = first & 0x40 != 0;
        let index = reader.integer(if is_indexed { 6 } else { 4 })?;
        let name = if index == 0 { reader.string()? } else { self.entry(index)?.0.to_vec() };
        let value = reader.string()?;
        if is_indexed {
            self.table.insert(&name, &value);
        }
        Ok(HeaderField { name, value, is_sensitive: first & 0xf0 == 0x10 })
    }

    fn entry(&self, index: usize) -> Result<(&[u8], &[u8]), HpackError> {
        match index {
            0 => Err(HpackError::Index),
            1..=static_table::COUNT => {
                let (name, value) = static_table::ENTRIES[index - 1];
                Ok((name.as_bytes(), value.as_bytes()))
            }
            _ => self.table.get(index - static_table::COUNT - 1).ok_or(HpackError::Index),
        }
    }
}
