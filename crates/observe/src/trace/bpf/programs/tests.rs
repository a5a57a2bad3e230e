//! Parsing of records.

use super::*;

#[test]
fn a_record_is_parsed() {
    let mut bytes = vec![0; HEADER_BYTES];
    let mut put =
        |at: i16, value: &[u8]| bytes[at as usize..at as usize + value.len()].copy_from_slice(value);
    put(KIND, &KIND_CALL.to_ne_bytes());
    put(PATH_LENGTH, &3_u32.to_ne_bytes());
    put(PROCESS, &77_i32.to_ne_bytes());
    put(RESULT, &(-2_i64).to_ne_bytes());
    put(ARGUMENTS + 24, &9_u64.to_ne_bytes());
    bytes.extend(*b"/a\0");
    let raw = RawRecord::parse(&bytes).expect("a record");
    assert_eq!((raw.process, raw.result, raw.arguments, raw.path), (77, -2, [0, 0, 0, 9], &b"/a"[..]));
}

#[test]
fn a_short_record_is_none() {
    assert_eq!(RawRecord::parse(&[0; HEADER_BYTES - 1]), None);
}
