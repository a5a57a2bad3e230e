//! What a file says of itself to whoever is to run it. In: its first bytes. Out: for which
//! processor it is, who loads or reads it. Absent: everything that the kernel checks besides.
//! elf(5), execve(2).

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Linkers put the loader's name among the first few hundred bytes.
pub const HEAD_BYTES_MAX: u64 = 64 << 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    Program {
        machine: Machine,
        /// `None`: it needs nobody.
        loader: Option<PathBuf>,
    },
    /// `#!`
    Script {
        reader: PathBuf,
    },
    Other,
}

/// `e_machine`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine(pub u16);

const SEGMENT_LOADER: u64 = 3;

const MACHINES: [(u16, &str); 10] = [
    (3, "x86"),
    (8, "mips"),
    (20, "powerpc"),
    (21, "powerpc64"),
    (22, "s390x"),
    (40, "arm"),
    (62, "x86_64"),
    (183, "aarch64"),
    (243, "riscv64"),
    (258, "loongarch64"),
];

impl Machine {
    pub fn name(self) -> String {
        let known = MACHINES.iter().find(|(number, _)| *number == self.0);
        known.map_or_else(|| format!("processor {}", self.0), |(_, name)| (*name).to_owned())
    }

    /// Kernels of 64 bits run what is for the smaller processors of their kind as well.
    pub fn is_ours(self) -> bool {
        match std::env::consts::ARCH {
            "x86_64" => matches!(self.0, 3 | 62),
            "aarch64" => matches!(self.0, 40 | 183),
            ours => self.name() == ours,
        }
    }
}

impl Head {
    pub fn parse(bytes: &[u8]) -> Head {
        if let Some(line) = bytes.strip_prefix(b"#!") {
            let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii_start();
            let reader = line.split(|byte| matches!(byte, b' ' | b'\t' | 0)).next().unwrap_or_default();
            return match reader {
                b"" => Head::Other,
                reader => Head::Script { reader: OsStr::from_bytes(reader).into() },
            };
        }
        parse_program(bytes).unwrap_or(Head::Other)
    }
}

fn parse_program(bytes: &[u8]) -> Option<Head> {
    let is_large = match bytes.strip_prefix(b"\x7fELF")?.first()? {
        1 => false,
        2 => true,
        _ => return None,
    };
    let fields = Fields { bytes, is_big_endian: *bytes.get(5)? == 2 };
    let machine = Machine(fields.number(18, 2)? as u16);
    Some(Head::Program { machine, loader: find_loader(&fields, is_large) })
}

fn find_loader(fields: &Fields<'_>, is_large: bool) -> Option<PathBuf> {
    let word = if is_large { 8 } else { 4 };
    let (table_at, entry_at, offset_at, bytes_at) = if is_large { (32, 54, 8, 32) } else { (28, 42, 4, 16) };
    let table = fields.number(table_at, word)?;
    let (entry_bytes, entries) = (fields.number(entry_at, 2)?, fields.number(entry_at + 2, 2)?);
    for index in 0..entries {
        let entry = table.checked_add(index * entry_bytes)?;
        if fields.number(entry, 4)? == SEGMENT_LOADER {
            let offset = fields.number(entry.checked_add(offset_at)?, word)?;
            let count = fields.number(entry.checked_add(bytes_at)?, word)?;
            let text = fields.slice(offset, count)?.split(|byte| *byte == 0).next().unwrap_or_default();
            return (!text.is_empty()).then(|| OsStr::from_bytes(text).into());
        }
    }
    None
}

struct Fields<'a> {
    bytes: &'a [u8],
    is_big_endian: bool,
}

impl Fields<'_> {
    fn slice(&self, at: u64, count: u64) -> Option<&[u8]> {
        let (at, end) = (usize::try_from(at).ok()?, usize::try_from(at.checked_add(count)?).ok()?);
        self.bytes.get(at..end)
    }

    fn number(&self, at: u64, bytes: u64) -> Option<u64> {
        let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        let found = self.slice(at, bytes)?;
        Some(if self.is_big_endian { found.iter().fold(0, add) } else { found.iter().rev().fold(0, add) })
    }
}

#[cfg(test)]
mod tests;
