//! ELF shared library: the parts that prelinking reads and writes, which are segments, dynamic
//! section, symbols, relocations and symbol versions. In: bytes. Out: numbers, checked against the
//! length of the file; the same bytes, modified in place. Absent: sections, other architectures.

use std::ops::Range;

/// Tags of the dynamic section.
pub mod tag {
    pub const NEEDED: u64 = 1;
    pub const PLTRELSZ: u64 = 2;
    pub const STRTAB: u64 = 5;
    pub const SYMTAB: u64 = 6;
    pub const RELA: u64 = 7;
    pub const RELASZ: u64 = 8;
    pub const JMPREL: u64 = 23;
    pub const BIND_NOW: u64 = 24;
    pub const FLAGS: u64 = 30;
    pub const RELACOUNT: u64 = 0x6fff_fff9;
    pub const FLAGS_1: u64 = 0x6fff_fffb;
    pub const VERNEED: u64 = 0x6fff_fffe;
    pub const VERNEEDNUM: u64 = 0x6fff_ffff;
}

/// Relocation types.
pub mod kind {
    pub const ADDRESS: u32 = 1;
    pub const GLOBAL_DATA: u32 = 6;
    pub const JUMP_SLOT: u32 = 7;
    pub const RELATIVE: u32 = 8;
}

/// `ELFCLASS64`, `ELFDATA2LSB`, version 1.
const MAGIC: [u8; 7] = [0x7f, b'E', b'L', b'F', 2, 1, 1];
const SHARED: u16 = 3;
const AMD64: u16 = 62;

const LOAD: u32 = 1;
const DYNAMIC: u32 = 2;
const EXECUTABLE: u32 = 1;
const SEGMENT_BYTES: usize = 56;
const ENTRY_BYTES: usize = 16;
const RELOCATION_BYTES: usize = 24;
const SYMBOL_BYTES: usize = 24;
const PAGE_BYTES: u64 = 4096;

/// Limit of needed libraries with versions.
const VERSIONS_MAX: u64 = 4096;

pub struct Elf {
    bytes: Vec<u8>,
    segments: Vec<Segment>,
    /// Range of the dynamic section in the file.
    dynamic: Range<usize>,
    /// Its entries, without the terminator.
    pub entries: Vec<DynamicEntry>,
}

/// A mapped part of the file (`PT_LOAD`).
#[derive(Clone, Copy)]
struct Segment {
    /// Offset of its program header.
    header: usize,
    flags: u32,
    offset: u64,
    address: u64,
    bytes: u64,
}

#[derive(Clone, Copy, Debug)]
pub struct DynamicEntry {
    pub tag: u64,
    pub value: u64,
}

/// A relocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relocation {
    pub offset: u64,
    pub kind: u32,
    pub symbol: u32,
    pub addend: i64,
}

#[derive(Clone, Copy, Debug)]
pub struct Symbol {
    pub name: u32,
    info: u8,
    section: u16,
    pub value: u64,
}

impl Symbol {
    pub fn is_defined(self) -> bool {
        self.section != 0
    }

    /// A global or weak function or object. Not thread-local, not an indirect function, not unique
    /// in the process.
    pub fn is_plain(self) -> bool {
        const RESERVED: u16 = 0xff00;
        const THREADS: u8 = 6;
        const FOUND_BY_FUNCTION: u8 = 10;
        let (kind, binding) = (self.info & 15, self.info >> 4);
        self.section != 0
            && self.section < RESERVED
            && kind != THREADS
            && kind != FOUND_BY_FUNCTION
            && matches!(binding, 1 | 2)
    }
}

impl Elf {
    pub fn parse(bytes: Vec<u8>) -> Option<Elf> {
        let mut elf = Elf { bytes, segments: Vec::new(), dynamic: 0..0, entries: Vec::new() };
        let is_known = elf.bytes.starts_with(&MAGIC) && elf.u16(16)? == SHARED && elf.u16(18)? == AMD64;
        if !is_known || usize::from(elf.u16(54)?) != SEGMENT_BYTES {
            return None;
        }
        let first = usize::try_from(elf.u64(32)?).ok()?;
        for index in 0..usize::from(elf.u16(56)?) {
            let header = first.checked_add(index * SEGMENT_BYTES)?;
            let (offset, bytes) = (elf.u64(header + 8)?, elf.u64(header + 32)?);
            let range = elf.range(offset, bytes)?;
            match elf.u32(header)? {
                LOAD => {
                    let (flags, address) = (elf.u32(header + 4)?, elf.u64(header + 16)?);
                    address.checked_add(bytes)?;
                    elf.segments.push(Segment { header, flags, offset, address, bytes });
                }
                DYNAMIC => elf.dynamic = range,
                _ => {}
            }
        }
        for at in elf.dynamic.clone().step_by(ENTRY_BYTES) {
            let entry = DynamicEntry { tag: elf.u64(at)?, value: elf.u64(at + 8)? };
            if entry.tag == 0 {
                return Some(elf);
            }
            elf.entries.push(entry);
        }
        None
    }

    /// The bytes, with the modified dynamic section.
    pub fn finish(mut self) -> Option<Vec<u8>> {
        let room = self.dynamic.len() / ENTRY_BYTES;
        let end = DynamicEntry { tag: 0, value: 0 };
        let entries: Vec<DynamicEntry> =
            self.entries.iter().copied().chain(std::iter::repeat(end)).take(room).collect();
        for (entry, at) in entries.iter().zip(self.dynamic.clone().step_by(ENTRY_BYTES)) {
            self.write(at, &entry.tag.to_le_bytes())?;
            self.write(at + 8, &entry.value.to_le_bytes())?;
        }
        Some(self.bytes)
    }

    #[cfg(test)]
    pub fn dynamic_offset(&self) -> usize {
        self.dynamic.start
    }

    pub fn value(&self, tag: u64) -> Option<u64> {
        self.entries.iter().find(|entry| entry.tag == tag).map(|entry| entry.value)
    }

    /// The relocations of a table; empty if there is no such table.
    pub fn relocations(&self, table: u64, bytes: u64) -> Option<Vec<Relocation>> {
        let Some(address) = self.value(table) else { return Some(Vec::new()) };
        let (at, count) =
            (self.file_offset(address)?, usize::try_from(self.value(bytes)?).ok()? / RELOCATION_BYTES);
        (0..count)
            .map(|index| {
                let at = at.checked_add(index.checked_mul(RELOCATION_BYTES)?)?;
                let what = self.u64(at + 8)?;
                let (symbol, kind) = ((what >> 32) as u32, what as u32);
                Some(Relocation { offset: self.u64(at)?, kind, symbol, addend: self.u64(at + 16)? as i64 })
            })
            .collect()
    }

    pub fn write_relocations(&mut self, table: u64, relocations: &[Relocation]) -> Option<()> {
        if relocations.is_empty() {
            return Some(());
        }
        let mut at = self.file_offset(self.value(table)?)?;
        for relocation in relocations {
            let what = u64::from(relocation.symbol) << 32 | u64::from(relocation.kind);
            self.write(at, &relocation.offset.to_le_bytes())?;
            self.write(at + 8, &what.to_le_bytes())?;
            self.write(at + 16, &relocation.addend.to_le_bytes())?;
            at += RELOCATION_BYTES;
        }
        Some(())
    }

    pub fn symbol(&self, index: u32) -> Option<Symbol> {
        let at = self.file_offset(self.value(tag::SYMTAB)?)?.checked_add(index as usize * SYMBOL_BYTES)?;
        let info = *self.bytes.get(at + 4)?;
        Some(Symbol { name: self.u32(at)?, info, section: self.u16(at + 6)?, value: self.u64(at + 8)? })
    }

    pub fn name(&self, offset: u32) -> Option<String> {
        self.string(u64::from(offset))
    }

    fn string(&self, offset: u64) -> Option<String> {
        let at = self.file_offset(self.value(tag::STRTAB)?)?.checked_add(usize::try_from(offset).ok()?)?;
        let rest = self.bytes.get(at..)?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        String::from_utf8(rest[..end].to_vec()).ok()
    }

    /// The `DT_NEEDED` values of these libraries, if needed.
    pub fn offsets_of(&self, libraries: &[String]) -> Option<Vec<u64>> {
        let needed = self.entries.iter().filter(|entry| entry.tag == tag::NEEDED);
        let named = needed.map(|entry| Some((entry.value, self.string(entry.value)?)));
        let named: Vec<(u64, String)> = named.collect::<Option<_>>()?;
        Some(named.into_iter().filter(|(_, name)| libraries.contains(name)).map(|(value, _)| value).collect())
    }

    /// Appends code to an executable segment, in the rest of its last page; returns its address.
    pub fn append_code(&mut self, code: &[u8]) -> Option<u64> {
        let segment = *self.segments.iter().find(|segment| segment.flags & EXECUTABLE != 0)?;
        let length = code.len() as u64;
        let (end, last) = (segment.address + segment.bytes, segment.offset + segment.bytes);
        let has_room = PAGE_BYTES - end % PAGE_BYTES > length && end % PAGE_BYTES != 0;
        let is_free = self.segments.iter().all(|other| other.offset < last || other.offset >= last + length);
        // Only if the segment is not longer in memory, where the rest would be zeroed.
        let in_memory = self.u64(segment.header + 40)?;
        let at = self.range(last, length)?.start;
        if !has_room
            || !is_free
            || in_memory != segment.bytes
            || self.bytes[at..at + code.len()].iter().any(|byte| *byte != 0)
        {
            return None;
        }
        self.write(at, code)?;
        for field in [32, 40] {
            self.write(segment.header + field, &(segment.bytes + length).to_le_bytes())?;
        }
        Some(end)
    }

    /// Removes a library from the list of version requirements.
    pub fn drop_versions_of(&mut self, library: &str) -> Option<()> {
        let Some(first) = self.value(tag::VERNEED) else { return Some(()) };
        let count = self.value(tag::VERNEEDNUM)?.min(VERSIONS_MAX);
        let (mut at, mut before) = (self.file_offset(first)?, None);
        for index in 0..count {
            let next = self.u32(at + 12)?;
            if self.string(u64::from(self.u32(at + 4)?))? == library {
                match before {
                    // The previous entry skips it, or becomes the last.
                    Some(before) if next == 0 => self.write(before + 12, &0_u32.to_le_bytes())?,
                    Some(before) => {
                        let past = u32::try_from(at - before).ok()?.checked_add(next)?;
                        self.write(before + 12, &past.to_le_bytes())?;
                    }
                    None if next == 0 => return None,
                    None => self.set(tag::VERNEED, first.checked_add(u64::from(next))?)?,
                }
                return self.set(tag::VERNEEDNUM, count - 1);
            }
            if next == 0 || index + 1 == count {
                return Some(());
            }
            before = Some(at);
            at = at.checked_add(next as usize)?;
        }
        Some(())
    }

    fn set(&mut self, tag: u64, value: u64) -> Option<()> {
        self.entries.iter_mut().find(|entry| entry.tag == tag)?.value = value;
        Some(())
    }

    /// The file offset of an address.
    fn file_offset(&self, address: u64) -> Option<usize> {
        let holds = |segment: &&Segment| {
            address.checked_sub(segment.address).is_some_and(|inside| inside < segment.bytes)
        };
        let segment = self.segments.iter().find(holds)?;
        usize::try_from(address - segment.address + segment.offset).ok()
    }

    fn range(&self, offset: u64, bytes: u64) -> Option<Range<usize>> {
        let end = offset.checked_add(bytes).filter(|end| *end <= self.bytes.len() as u64)?;
        Some(usize::try_from(offset).ok()?..usize::try_from(end).ok()?)
    }

    fn take<const COUNT: usize>(&self, at: usize) -> Option<[u8; COUNT]> {
        self.bytes.get(at..at.checked_add(COUNT)?)?.try_into().ok()
    }

    fn u16(&self, at: usize) -> Option<u16> {
        self.take(at).map(u16::from_le_bytes)
    }

    fn u32(&self, at: usize) -> Option<u32> {
        self.take(at).map(u32::from_le_bytes)
    }

    fn u64(&self, at: usize) -> Option<u64> {
        self.take(at).map(u64::from_le_bytes)
    }

    fn write(&mut self, at: usize, bytes: &[u8]) -> Option<()> {
        self.bytes.get_mut(at..at.checked_add(bytes.len())?)?.copy_from_slice(bytes);
        Some(())
    }
}
