//! Undefined symbols of small files that are made here.

use super::undefined_symbols;

/// A file with the symbols: name, whether it is weak, section.
fn file(symbols: &[(&str, bool, u16)]) -> Vec<u8> {
    let mut strings = vec![0];
    let mut table = vec![0; 24];
    for (name, is_weak, section) in symbols {
        let info = if *is_weak { 0x20_u8 } else { 0x10 };
        table.extend((strings.len() as u32).to_le_bytes());
        table.extend([info, 0]);
        table.extend(section.to_le_bytes());
        table.extend([0; 16]);
        strings.extend(name.bytes());
        strings.push(0);
    }
    let (first, second) = (64 + 3 * 64, 64 + 3 * 64 + table.len());
    let mut bytes = b"\x7fELF\x02\x01".to_vec();
    bytes.resize(64, 0);
    bytes[40..48].copy_from_slice(&64_u64.to_le_bytes());
    bytes[58..60].copy_from_slice(&64_u16.to_le_bytes());
    bytes[60..62].copy_from_slice(&3_u16.to_le_bytes());
    let mut section = |kind: u32, link: u32, offset: usize, size: usize| {
        let start = bytes.len();
        bytes.resize(start + 64, 0);
        bytes[start + 4..start + 8].copy_from_slice(&kind.to_le_bytes());
        bytes[start + 24..start + 32].copy_from_slice(&(offset as u64).to_le_bytes());
        bytes[start + 32..start + 40].copy_from_slice(&(size as u64).to_le_bytes());
        bytes[start + 40..start + 44].copy_from_slice(&link.to_le_bytes());
    };
    section(0, 0, 0, 0);
    section(11, 2, first, table.len());
    section(3, 0, second, strings.len());
    bytes.extend(table);
    bytes.extend(strings);
    bytes
}

fn read(bytes: &[u8]) -> Option<Vec<String>> {
    undefined_symbols(&mut |offset, size| {
        let offset = usize::try_from(offset).ok()?;
        Some(bytes.get(offset..offset.checked_add(usize::try_from(size).ok()?)?)?.to_vec())
    })
}

#[test]
fn undefined_symbols_are_needed() {
    let bytes = file(&[("napi_create_object", false, 0), ("own", false, 7), ("__cxa_finalize", true, 0)]);
    assert_eq!(read(&bytes), Some(vec!["napi_create_object".to_owned()]));
}

#[test]
fn a_file_that_is_cut_has_no_answer() {
    let bytes = file(&[("napi_create_object", false, 0)]);
    for length in 0..bytes.len() {
        let _ = read(&bytes[..length]);
    }
    assert_eq!(read(&bytes[..63]), None);
    assert_eq!(read(b"#!/bin/sh\n"), None);
}
