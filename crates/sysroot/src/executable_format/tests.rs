//! Formats by the first bytes of a file.

use super::*;

fn script(line: &str) -> ExecutableFormat {
    ExecutableFormat::parse(line.as_bytes())
}

#[test]
fn scripts_have_an_interpreter() {
    let interpreter = |path: &str| ExecutableFormat::Script { interpreter: path.into() };
    assert_eq!(script("#!/bin/sh\necho"), interpreter("/bin/sh"));
    assert_eq!(script("#! /usr/bin/env node\n"), interpreter("/usr/bin/env"));
    assert_eq!(script("#!/bin/sh"), interpreter("/bin/sh"));
    for line in ["#!", "#!\n", "#! \n/bin/sh", "echo", ""] {
        assert_eq!(script(line), ExecutableFormat::Unknown, "{line:?}");
    }
}

#[test]
fn elf_files_have_machine_and_interpreter() {
    let bytes = std::fs::read("/proc/self/exe").expect("this program");
    let ExecutableFormat::Elf { machine, .. } = ExecutableFormat::parse(&bytes) else {
        panic!("this is a program")
    };
    assert!(machine.is_native(), "{machine:?}");
    assert_eq!(ExecutableFormat::parse(&program(2, 183, "/lib/ld.so")), found(183, Some("/lib/ld.so")));
    assert_eq!(ExecutableFormat::parse(&program(1, 40, "/lib/ld.so")), found(40, Some("/lib/ld.so")));
    assert_eq!(ExecutableFormat::parse(&program(2, 62, "")), found(62, None));
}

#[test]
fn invalid_offsets_are_ignored() {
    let whole = program(2, 62, "/lib/ld.so");
    for end in 0..whole.len() {
        let _ = ExecutableFormat::parse(&whole[..end]);
    }
    let mut endless = whole;
    endless[32..40].fill(0xff);
    assert_eq!(ExecutableFormat::parse(&endless), found(62, None));
}

fn found(machine: u16, interpreter: Option<&str>) -> ExecutableFormat {
    ExecutableFormat::Elf { machine: Machine(machine), interpreter: interpreter.map(PathBuf::from) }
}

/// A header of 32 (1) or 64 bits (2), one segment and the string it points to.
fn program(class: u8, machine: u16, interpreter: &str) -> Vec<u8> {
    let (header, entry, word) = if class == 2 { (64, 56, 8) } else { (52, 32, 4) };
    let mut bytes = vec![0; header + entry];
    bytes[..6].copy_from_slice(&[0x7f, b'E', b'L', b'F', class, 1]);
    let mut put = |at: usize, count: usize, value: usize| {
        bytes[at..at + count].copy_from_slice(&(value as u64).to_le_bytes()[..count]);
    };
    let (table_at, entry_at, offset_at, bytes_at) =
        if class == 2 { (32, 54, 8, 32) } else { (28, 42, 4, 16) };
    put(18, 2, machine.into());
    put(table_at, word, header);
    put(entry_at, 2, entry);
    put(entry_at + 2, 2, 1);
    put(header, 4, 3);
    put(header + offset_at, word, header + entry);
    put(header + bytes_at, word, interpreter.len() + 1);
    bytes.extend_from_slice(interpreter.as_bytes());
    bytes.push(0);
    bytes
}
