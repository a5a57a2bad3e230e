//! A library bound ahead of time, as prelink(8) did it. In: the bytes of a shared library of
//! x86-64. Out: the bytes of a copy in which references of the library to its own symbols are
//! offsets, to which the dynamic linker adds the base without looking anything up, and which does
//! not ask for libraries that it can do without. Absent: references to other libraries, which the
//! linker binds as ever, with their versions; and files that are laid out in another way: of these
//! there is no copy. Sources: elf(5), the System V ABI for AMD64.

mod elf;

use elf::{Elf, Entry, Row, Symbol, kind, tag};

/// What a copy does without.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spared {
    /// Libraries, by the names under which they are asked for.
    pub libraries: Vec<String>,
    /// Functions of theirs; abi of them give 0.
    pub functions: Vec<String>,
}

/// `endbr64`, `xor eax, eax`, `ret`: a function that gives 0.
const GIVES_ZERO: [u8; 7] = [0xf3, 0x0f, 0x1e, 0xfa, 0x31, 0xc0, 0xc3];

/// What C++ programs may put their own functions in the place of: `operator new` and `delete`.
/// Whoever preloads some has them called from everywhere.
const REPLACEABLE: [&str; 4] = ["_Znw", "_Zna", "_Zdl", "_Zda"];

/// A library that may be bound ahead.
pub struct Library(Elf);

impl Library {
    /// `None`: the file is not of the form that is known here.
    pub fn read(bytes: Vec<u8>) -> Option<Library> {
        Elf::parse(bytes).map(Library)
    }

    /// The names of symbols that others are to define.
    pub fn wanted(&self) -> Option<Vec<String>> {
        let Library(elf) = self;
        let mut names = Vec::new();
        for row in [elf.rows(tag::RELA, tag::RELASZ)?, elf.rows(tag::JMPREL, tag::PLTRELSZ)?].concat() {
            if row.symbol != 0 && !elf.symbol(row.symbol)?.is_defined() {
                names.push(elf.name(elf.symbol(row.symbol)?.name)?);
            }
        }
        names.sort_unstable();
        names.dedup();
        Some(names)
    }

    /// The copy; `None` also where there is no room for what stands for spared functions.
    pub fn bind(self, spared: &Spared) -> Option<Vec<u8>> {
        let Library(mut elf) = self;
        let zero = if spared.functions.is_empty() { None } else { Some(elf.append_code(&GIVES_ZERO)?) };
        for library in &spared.libraries {
            elf.drop_versions_of(library)?;
        }
        let libraries = elf.offsets_of(&spared.libraries)?;
        elf.entries.retain(|entry| entry.tag != tag::NEEDED || !libraries.contains(&entry.value));
        bind_tables(&mut elf, spared, zero)?;
        elf.finish()
    }
}

/// Makes offsets of what can be. Where the linker is told how many offsets a table begins with, it
/// has a short loop for them.
fn bind_tables(elf: &mut Elf, spared: &Spared, zero: Option<u64>) -> Option<()> {
    let mut rows = bound(elf, elf.rows(tag::RELA, tag::RELASZ)?, spared, zero)?;
    if let Some(entry) = elf.entries.iter_mut().find(|entry| entry.tag == tag::RELACOUNT) {
        // The others keep their order, in which those of one symbol stand together and are looked
        // up once.
        rows.sort_by_key(|row| if row.kind == kind::RELATIVE { (0, row.place) } else { (1, 0) });
        entry.value = rows.iter().filter(|row| row.kind == kind::RELATIVE).count() as u64;
    }
    elf.write_rows(tag::RELA, &rows)?;
    // Where functions are bound when they are first called, that table has another form, and costs
    // nothing at the start.
    if elf.binds_now() {
        let rows = bound(elf, elf.rows(tag::JMPREL, tag::PLTRELSZ)?, spared, zero)?;
        elf.write_rows(tag::JMPREL, &rows)?;
    }
    Some(())
}

fn bound(elf: &Elf, rows: Vec<Row>, spared: &Spared, zero: Option<u64>) -> Option<Vec<Row>> {
    rows.into_iter()
        .map(|row| {
            let is_address = matches!(row.kind, kind::ADDRESS | kind::GLOBAL_DATA | kind::JUMP_SLOT);
            if !is_address || row.symbol == 0 {
                return Some(row);
            }
            let symbol = elf.symbol(row.symbol)?;
            let target = match symbol.is_defined() {
                true => own_place(elf, symbol)?,
                false => zero
                    .filter(|_| elf.name(symbol.name).is_some_and(|name| spared.functions.contains(&name))),
            };
            let Some(target) = target else { return Some(row) };
            let more = if row.kind == kind::ADDRESS { row.addend } else { 0 };
            let addend = target.checked_add_signed(more)?;
            Some(Row { kind: kind::RELATIVE, symbol: 0, addend: i64::try_from(addend).ok()?, ..row })
        })
        .collect()
}

/// Where the library's own symbol lies, if that is what a reference means whatever else is loaded.
fn own_place(elf: &Elf, symbol: Symbol) -> Option<Option<u64>> {
    if !symbol.is_plain() {
        return Some(None);
    }
    let name = elf.name(symbol.name)?;
    let is_replaceable = REPLACEABLE.iter().any(|start| name.starts_with(start));
    Some((!is_replaceable).then_some(symbol.value))
}

impl Entry {
    /// Whether the linker is told to bind all functions at once.
    fn says_now(&self) -> bool {
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
        self.entries.iter().any(Entry::says_now)
    }
}

#[cfg(test)]
mod tests;
