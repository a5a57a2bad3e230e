//! Prelinking of installed libraries, and of damaged ones.

use super::elf::{Elf, Relocation, kind, tag};
use super::{Library, Omissions};

/// The C library that this test runs with, which every host has.
fn c_library() -> Vec<u8> {
    let maps = std::fs::read_to_string("/proc/self/maps").expect("it is read");
    let path =
        maps.lines().filter_map(|line| line.split_whitespace().nth(5)).find(|path| path.contains("/libc.so"));
    std::fs::read(path.expect("it is mapped")).expect("it is read")
}

fn relocations(bytes: Vec<u8>) -> (Elf, Vec<Relocation>) {
    let elf = Elf::parse(bytes).expect("it is a library");
    let relocations = elf.relocations(tag::RELA, tag::RELASZ).expect("it has relocations");
    (elf, relocations)
}

#[test]
fn own_symbols_become_relative_and_all_else_is_unchanged() {
    let (before, old) = relocations(c_library());
    let (after, new) = relocations(
        Library::read(c_library()).expect("it is a library").bind(&Omissions::default()).expect("bound"),
    );
    assert_eq!(old.len(), new.len());
    let count = usize::try_from(after.value(tag::RELACOUNT).unwrap_or(0)).expect("it is small");
    assert!(
        new[..count].iter().all(|relocation| relocation.kind == kind::RELATIVE),
        "those that are counted are offsets"
    );
    let mut bound = 0;
    for relocation in &old {
        let found = new.iter().find(|found| found.offset == relocation.offset).expect("no place is lost");
        let is_own = matches!(relocation.kind, kind::ADDRESS | kind::GLOBAL_DATA)
            && before.symbol(relocation.symbol).expect("it is there").is_plain();
        if is_own {
            let symbol = before.symbol(relocation.symbol).expect("it is there");
            let more = if relocation.kind == kind::ADDRESS { relocation.addend } else { 0 };
            let addend = i64::try_from(symbol.value).expect("it is in the file") + more;
            assert_eq!(*found, Relocation { kind: kind::RELATIVE, symbol: 0, addend, ..*relocation });
            bound += 1;
        } else {
            assert_eq!(found, relocation);
        }
    }
    assert!(bound > 0, "there were some");
}

#[test]
fn undefined_symbols_have_names() {
    let wanted =
        Library::read(c_library()).expect("it is a library").undefined_symbols().expect("it has symbols");
    assert!(wanted.iter().any(|name| name.starts_with("_dl_")), "of the dynamic linker: {wanted:?}");
}

#[test]
fn only_libraries_are_prelinked() {
    for bytes in [b"".to_vec(), b"#!/bin/sh\n".to_vec(), c_library()[..64].to_vec()] {
        assert!(Library::read(bytes).is_none());
    }
}

#[test]
fn omitting_a_library_that_is_not_needed_changes_nothing() {
    let omissions = Omissions { libraries: vec!["libnone.so.1".to_owned()], functions: Vec::new() };
    let plain = Library::read(c_library()).expect("it is a library").bind(&Omissions::default());
    assert_eq!(Library::read(c_library()).expect("it is a library").bind(&omissions), plain);
}

#[test]
fn damaged_libraries_do_not_crash() {
    let original = c_library();
    let (elf, _) = relocations(original.clone());
    let omissions = Omissions {
        libraries: vec!["ld-linux-x86-64.so.2".to_owned()],
        functions: vec!["__tls_get_addr".to_owned()],
    };
    // Damages headers, the dynamic section and the tables.
    let mut seed = 1_u64;
    let mut next = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    for _ in 0..200 {
        let mut bytes = original.clone();
        for _ in 0..4 {
            let at = match next(3) {
                0 => next(1024),
                1 => elf.dynamic_offset() + next(512),
                _ => next(original.len()),
            };
            bytes[at] = next(256) as u8;
        }
        bytes.truncate(if next(8) == 0 { next(original.len()) } else { original.len() });
        let copy = Library::read(bytes).and_then(|library| {
            library.undefined_symbols()?;
            library.bind(&omissions)
        });
        assert!(copy.is_none_or(|copy| copy.len() <= original.len()));
    }
}
