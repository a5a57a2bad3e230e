//! Format of an executable file: ELF with its machine and interpreter, or script; elf(5),
//! execve(2). In: the first bytes of a file. Absent: further checks of the kernel.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Linkers place the interpreter's name within the first few hundred bytes.
pub const HEADER_BYTES_MAX: u64 = 64 << 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExecutableFormat {
    Elf {
        machine: Machine,
        /// `None` for a statically linked program.
        interpreter: Option<PathBuf>,
    },
    /// `#!`
    Script {
        interpreter: PathBuf,
    },
    Unknown,
}

/// The field `e_machine`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine(pub u16);

const PT_INTERP: u64 = 3;

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

    /// 64-bit kernels also run programs of the 32-bit architecture.
    pub fn is_native(self) -> bool {
        match std::env::consts::ARCH {
            "x86_64" => matches!(self.0, 3 | 62),
            "aarch64" => matches!(self.0, 40 | 183),
            ours => self.name() == ours,
        }
    }
}

impl ExecutableFormat {
    pub fn parse(bytes: &[u8]) -> ExecutableFormat {
        if let Some(line) = bytes.strip_prefix(b"#!") {
            let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii_start();
            let interpreter = line.split(|byte| matches!(byte, b' ' | b'\t' | 0)).next().unwrap_or_default();
            return match interpreter {
                b"" => ExecutableFormat::Unknown,
                interpreter => {
                    ExecutableFormat::Script { interpreter: OsStr::from_bytes(interpreter).into() }
                }
            };
        }
        parse_elf(bytes).unwrap_or(ExecutableFormat::Unknown)
    }
}

fn parse_elf(bytes: &[u8]) -> Option<ExecutableFormat> {
    let is_64_bit = match bytes.strip_prefix(b"\x7fELF")?.first()? {
        1 => false,
        2 => true,
        _ => return None,
    };
    let fields = ElfFields { bytes, is_big_endian: *bytes.get(5)? == 2 };
    let machine = Machine(fields.number(18, 2)? as u16);
    Some(ExecutableFormat::Elf { machine, interpreter: find_interpreter(&fields, is_64_bit) })
}

fn find_interpreter(fields: &ElfFields<'_>, is_64_bit: bool) -> Option<PathBuf> {
    let word = if is_64_bit { 8 } else { 4 };
    let (table_at, entry_at, offset_at, bytes_at) = if is_64_bit { (32, 54, 8, 32) } else { (28, 42, 4, 16) };
    let table = fields.number(table_at, word)?;
    let (entry_bytes, entries) = (fields.number(entry_at, 2)?, fields.number(entry_at + 2, 2)?);
    for index in 0..entries {
        let entry = table.checked_add(index * entry_bytes)?;
        if fields.number(entry, 4)? == PT_INTERP {
            let offset = fields.number(entry.checked_add(offset_at)?, word)?;
            let count = fields.number(entry.checked_add(bytes_at)?, word)?;
            let text = fields.slice(offset, count)?.split(|byte| *byte == 0).next().unwrap_or_default();
            return (!text.is_empty()).then(|| OsStr::from_bytes(text).into());
        }
    }
    None
}

struct ElfFields<'a> {
    bytes: &'a [u8],
    is_big_endian: bool,
}

impl ElfFields<'_> {
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
