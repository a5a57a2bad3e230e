//! Prelinking of a shared library, as prelink(8) did. In: the bytes of an x86-64 library. Out: the
//! bytes of a copy in which relocations against the library's own symbols are relative, so that the
//! dynamic linker adds the base address without a symbol lookup; needed libraries can be omitted.
//! Absent: relocations against other libraries, which the linker still binds by name and version;
//! and libraries of another layout, which are refused. Sources: elf(5), the System V ABI for AMD64.

mod elf;

use elf::{DynamicEntry, Elf, Relocation, Symbol, kind, tag};

/// What is omitted in a copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Omissions {
    /// Needed libraries (`DT_NEEDED`).
    pub libraries: Vec<String>,
    /// Their functions; calls of them return 0.
    pub functions: Vec<String>,
}

/// `endbr64`, `xor eax, eax`, `ret`: a function that returns 0.
const RETURN_ZERO: [u8; 7] = [0xf3, 0x0f, 0x1e, 0xfa, 0x31, 0xc0, 0xc3];

/// Replaceable functions of C++, `operator new` and `delete`: a preloaded library may interpose
/// them, so they stay symbolic.
const REPLACEABLE: [&str; 4] = ["_Znw", "_Zna", "_Zdl", "_Zda"];

/// A library that can be prelinked.
pub struct Library(Elf);

impl Library {
    /// `None`: the file has an unsupported layout.
    pub fn read(bytes: Vec<u8>) -> Option<Library> {
        Elf::parse(bytes).map(Library)
    }

    /// The names of undefined symbols.
    pub fn undefined_symbols(&self) -> Option<Vec<String>> {
        let Library(elf) = self;
        let mut names = Vec::new();
        for relocation in
            [elf.relocations(tag::RELA, tag::RELASZ)?, elf.relocations(tag::JMPREL, tag::PLTRELSZ)?].concat()
        {
            if relocation.symbol != 0 && !elf.symbol(relocation.symbol)?.is_defined() {
                names.push(elf.name(elf.symbol(relocation.symbol)?.name)?);
            }
        }
        names.sort_unstable();
        names.dedup();
        Some(names)
    }

    /// The copy; `None` also if there is no room for the stub of omitted functions.
    pub fn bind(self, omissions: &Omissions) -> Option<Vec<u8>> {
        let Library(mut elf) = self;
        let zero = if omissions.functions.is_empty() { None } else { Some(elf.append_code(&RETURN_ZERO)?) };
        for library in &omissions.libraries {
            elf.drop_versions_of(library)?;
        }
        let libraries = elf.offsets_of(&omissions.libraries)?;
        elf.entries.retain(|entry| entry.tag != tag::NEEDED || !libraries.contains(&entry.value));
        bind_tables(&mut elf, omissions, zero)?;
        elf.finish()
    }
}

/// Converts relocations to relative ones where possible. The linker processes those counted by
/// `DT_RELACOUNT` in a fast loop.
fn bind_tables(elf: &mut Elf, omissions: &Omissions, zero: Option<u64>) -> Option<()> {
    let mut relocations = bound(elf, elf.relocations(tag::RELA, tag::RELASZ)?, omissions, zero)?;
    if let Some(entry) = elf.entries.iter_mut().find(|entry| entry.tag == tag::RELACOUNT) {
        // The others keep their order, in which those of one symbol are adjacent, so that it is
        // looked up once.
        relocations.sort_by_key(|relocation| {
            if relocation.kind == kind::RELATIVE { (0, relocation.offset) } else { (1, 0) }
        });
        entry.value =
            relocations.iter().filter(|relocation| relocation.kind == kind::RELATIVE).count() as u64;
    }
    elf.write_relocations(tag::RELA, &relocations)?;
    // With lazy binding that table has another format, and costs nothing at the start.
    if elf.binds_now() {
        let relocations = bound(elf, elf.relocations(tag::JMPREL, tag::PLTRELSZ)?, omissions, zero)?;
        elf.write_relocations(tag::JMPREL, &relocations)?;
    }
    Some(())
}

fn bound(
    elf: &Elf,
    relocations: Vec<Relocation>,
    omissions: &Omissions,
    zero: Option<u64>,
) -> Option<Vec<Relocation>> {
    relocations
        .into_iter()
        .map(|relocation| {
            let is_address = matches!(relocation.kind, kind::ADDRESS | kind::GLOBAL_DATA | kind::JUMP_SLOT);
            if !is_address || relocation.symbol == 0 {
                return Some(relocation);
            }
            let symbol = elf.symbol(relocation.symbol)?;
            let target = match symbol.is_defined() {
                true => local_address(elf, symbol)?,
                false => zero.filter(|_| {
                    elf.name(symbol.name).is_some_and(|name| omissions.functions.contains(&name))
                }),
            };
            let Some(target) = target else { return Some(relocation) };
            let more = if relocation.kind == kind::ADDRESS { relocation.addend } else { 0 };
            let addend = target.checked_add_signed(more)?;
            Some(Relocation {
                kind: kind::RELATIVE,
                symbol: 0,
                addend: i64::try_from(addend).ok()?,
                ..relocation
            })
        })
        .collect()
}

/// The address of the library's own symbol, if a relocation always refers to it, whatever else is
/// loaded.
fn local_address(elf: &Elf, symbol: Symbol) -> Option<Option<u64>> {
    if !symbol.is_plain() {
        return Some(None);
    }
    let name = elf.name(symbol.name)?;
    let is_replaceable = REPLACEABLE.iter().any(|start| name.starts_with(start));
    Some((!is_replaceable).then_some(symbol.value))
}

impl DynamicEntry {
    /// Whether the entry requests immediate binding.
    fn binds_now(&self) -> bool {
        match self.tag {
            tag::BIND_NOW => true,
            tag::FLAGS => self.value & 8 != 0,
            tag::FLAGS_1 => self.value & 1 != 0,
            _ => false,
        }
    }
}

impl Elf {
    fn binds_now(&self) -> bool {
        self.entries.iter().any(DynamicEntry::binds_now)
    }
}

#[cfg(test)]
mod tests;
