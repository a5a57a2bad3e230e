//! Programs and scripts by their first bytes.

use super::*;

fn script(line: &str) -> Head {
    Head::parse(line.as_bytes())
}

#[test]
fn scripts_name_who_reads_them() {
    let reader = |path: &str| Head::Script { reader: path.into() };
    assert_eq!(script("#!/bin/sh\necho"), reader("/bin/sh"));
    assert_eq!(script("#! /usr/bin/env node\n"), reader("/usr/bin/env"));
    assert_eq!(script("#!/bin/sh"), reader("/bin/sh"));
    for line in ["#!", "#!\n", "#! \n/bin/sh", "echo", ""] {
        assert_eq!(script(line), Head::Other, "{line:?}");
    }
}

#[test]
fn programs_name_processor_and_loader() {
    let bytes = std::fs::read("/proc/self/exe").expect("this program");
    let Head::Program { machine, .. } = Head::parse(&bytes) else { panic!("this is a program") };
    assert!(machine.is_ours(), "{machine:?}");
    assert_eq!(Head::parse(&program(2, 183, "/lib/ld.so")), found(183, Some("/lib/ld.so")));
    assert_eq!(Head::parse(&program(1, 40, "/lib/ld.so")), found(40, Some("/lib/ld.so")));
    assert_eq!(Head::parse(&program(2, 62, "")), found(62, None));
}

#[test]
fn what_a_program_lies_about_is_not_followed() {
    let whole = program(2, 62, "/lib/ld.so");
    for end in 0..whole.len() {
        let _ = Head::parse(&whole[..end]);
    }
    let mut endless = whole;
    endless[32..40].fill(0xff);
    assert_eq!(Head::parse(&endless), found(62, None));
}

fn found(machine: u16, loader: Option<&str>) -> Head {
    Head::Program { machine: Machine(machine), loader: loader.map(PathBuf::from) }
}

/// A header of 32 (1) or 64 bits (2), one segment behind it, and the text that it points to.
fn program(class: u8, machine: u16, loader: &str) -> Vec<u8> {
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
    put(header + bytes_at, word, loader.len() + 1);
    bytes.extend_from_slice(loader.as_bytes());
    bytes.push(0);
    bytes
}
