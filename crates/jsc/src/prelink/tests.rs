//! Prelinking of installed libraries, and of damaged ones.

use super::elf::{Elf, Row, kind, tag};
use super::{Library, Spared};

/// The C library that this test runs with, which every host has.
fn sample() -> Vec<u8> {
    let maps = std::fs::read_to_string("/proc/self/maps").expect("it is read");
    let path =
        maps.lines().filter_map(|line| line.split_whitespace().nth(5)).find(|path| path.contains("/libc.so"));
    std::fs::read(path.expect("it is mapped")).expect("it is read")
}

fn rows(bytes: Vec<u8>) -> (Elf, Vec<Row>) {
    let elf = Elf::parse(bytes).expect("it is a library");
    let rows = elf.rows(tag::RELA, tag::RELASZ).expect("it has relocations");
    (elf, rows)
}

#[test]
fn own_symbols_are_offsets_and_all_else_is_as_it_was() {
    let (before, old) = rows(sample());
    let (after, new) =
        rows(Library::read(sample()).expect("it is a library").bind(&Spared::default()).expect("bound"));
    assert_eq!(old.len(), new.len());
    let count = usize::try_from(after.value(tag::RELACOUNT).unwrap_or(0)).expect("it is small");
    assert!(new[..count].iter().all(|row| row.kind == kind::RELATIVE), "those that are counted are offsets");
    let mut bound = 0;
    for row in &old {
        let found = new.iter().find(|found| found.place == row.place).expect("no place is lost");
        let is_own = matches!(row.kind, kind::ADDRESS | kind::GLOBAL_DATA)
            && before.symbol(row.symbol).expect("it is there").is_plain();
        if is_own {
            let symbol = before.symbol(row.symbol).expect("it is there");
            let more = if row.kind == kind::ADDRESS { row.addend } else { 0 };
            let addend = i64::try_from(symbol.value).expect("it is in the file") + more;
            assert_eq!(*found, Row { kind: kind::RELATIVE, symbol: 0, addend, ..*row });
            bound += 1;
        } else {
            assert_eq!(found, row);
        }
    }
    assert!(bound > 0, "there were some");
}

#[test]
fn what_is_wanted_of_others_has_names() {
    let wanted = Library::read(sample()).expect("it is a library").wanted().expect("it has symbols");
    assert!(wanted.iter().any(|name| name.starts_with("_dl_")), "of the dynamic linker: {wanted:?}");
}

#[test]
fn what_is_no_library_has_no_copy() {
    for bytes in [b"".to_vec(), b"#!/bin/sh\n".to_vec(), sample()[..64].to_vec()] {
        assert!(Library::read(bytes).is_none());
    }
}

#[test]
fn a_library_that_is_not_asked_for_is_spared_without_a_trace() {
    let spared = Spared { libraries: vec!["libnone.so.1".to_owned()], functions: Vec::new() };
    let plain = Library::read(sample()).expect("it is a library").bind(&Spared::default());
    assert_eq!(Library::read(sample()).expect("it is a library").bind(&spared), plain);
}

#[test]
fn damage_is_no_crash() {
    let whole = sample();
    let (elf, _) = rows(whole.clone());
    let spared = Spared {
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
        let mut bytes = whole.clone();
        for _ in 0..4 {
            let at = match next(3) {
                0 => next(1024),
                1 => elf.dynamic_place() + next(512),
                _ => next(whole.len()),
            };
            bytes[at] = next(256) as u8;
        }
        bytes.truncate(if next(8) == 0 { next(whole.len()) } else { whole.len() });
        let copy = Library::read(bytes).and_then(|library| {
            library.wanted()?;
            library.bind(&spared)
        });
        assert!(copy.is_none_or(|copy| copy.len() <= whole.len()));
    }
}
