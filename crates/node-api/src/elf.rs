//! Undefined dynamic symbols of a shared object (elf(5)): what an addon expects of the program that
//! loads it. In: pieces of a file, which may be anything. Out: names. Absent: the file, and symbols
//! of files without section headers, which only special tools remove.

/// A file has fewer symbols and shorter tables.
const TABLE_BYTES_MAX: u64 = 64 << 20;
const SECTIONS_MAX: u64 = 4096;

const HEADER_BYTES: u64 = 64;
const SECTION_BYTES: usize = 64;
const SYMBOL_BYTES: usize = 24;
const DYNAMIC_SYMBOLS: u32 = 11;
const BIND_WEAK: u8 = 2;

/// Reads a piece of the file at an offset; `None`: it is outside of it.
pub type ReadPiece<'a> = dyn FnMut(u64, u64) -> Option<Vec<u8>> + 'a;

/// The names of symbols that the file needs; `None`: it is not a 64-bit little-endian ELF file with
/// section headers.
pub fn undefined_symbols(read: &mut ReadPiece<'_>) -> Option<Vec<String>> {
    let header = read(0, HEADER_BYTES)?;
    // Class and byte order.
    if header.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let (offset, count) = (u64_at(&header, 40)?, u64::from(u16_at(&header, 60)?));
    if count == 0 || count > SECTIONS_MAX || usize::from(u16_at(&header, 58)?) != SECTION_BYTES {
        return None;
    }
    let sections = read(offset, count * SECTION_BYTES as u64)?;
    let mut sections = sections.chunks_exact(SECTION_BYTES);
    let all: Vec<&[u8]> = sections.by_ref().collect();
    let symbols = *all.iter().find(|section| u32_at(section, 4) == Some(DYNAMIC_SYMBOLS))?;
    let strings = *all.get(u32_at(symbols, 40)? as usize)?;
    let (symbols, strings) = (table(read, symbols)?, table(read, strings)?);
    let names = symbols.chunks_exact(SYMBOL_BYTES).filter_map(|symbol| undefined_name(symbol, &strings));
    Some(names.collect())
}

fn table(read: &mut ReadPiece<'_>, section: &[u8]) -> Option<Vec<u8>> {
    let (offset, size) = (u64_at(section, 24)?, u64_at(section, 32)?);
    if size > TABLE_BYTES_MAX {
        return None;
    }
    read(offset, size)
}

/// The name, if the symbol is needed: neither defined nor weak.
fn undefined_name(symbol: &[u8], strings: &[u8]) -> Option<String> {
    let is_weak = symbol.get(4)? >> 4 == BIND_WEAK;
    if is_weak || u16_at(symbol, 6)? != 0 {
        return None;
    }
    let name = strings.get(u32_at(symbol, 0)? as usize..)?;
    let name = name.split(|byte| *byte == 0).next()?;
    (!name.is_empty()).then(|| String::from_utf8_lossy(name).into_owned())
}

fn u16_at(bytes: &[u8], offset: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(offset..offset + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(offset..offset + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], offset: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(offset..offset + 8)?.try_into().ok()?))
}

#[cfg(test)]
mod tests;
