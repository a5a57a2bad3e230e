//! Decompression: damage and bodies that are too large are different errors, whatever the trailer
//! says.

use libdeflater::{CompressionLvl, Compressor};

use super::*;

const BYTES_MAX: usize = 1 << 20;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut compressor = Compressor::new(CompressionLvl::default());
    let mut compressed = vec![0; compressor.gzip_compress_bound(bytes.len())];
    let length = compressor.gzip_compress(bytes, &mut compressed).expect("it fits");
    compressed.truncate(length);
    compressed
}

fn check(bytes: &[u8], expected: Result<usize, GunzipError>) {
    assert_eq!(gunzip(bytes, BYTES_MAX, &mut Vec::new()).map(<[u8]>::len), expected);
}

#[test]
fn whole_bodies_are_decompressed() {
    check(&gzip(b"{}"), Ok(2));
    check(&gzip(&[b' '; BYTES_MAX]), Ok(BYTES_MAX));
    check(&gzip(&[b' '; BYTES_MAX + 1]), Err(GunzipError::TooLarge));
}

#[test]
fn a_body_that_was_cut_short_is_damaged_not_too_large() {
    let text: Vec<u8> = (0..90_000_u32).flat_map(|number| number.to_string().into_bytes()).collect();
    let whole = gzip(&text);
    for length in (0..whole.len()).step_by(997) {
        check(&whole[..length], Err(GunzipError::Corrupt));
    }
}

#[test]
fn a_wrong_trailer_is_damage() {
    for claimed in [0, 1, 4, u32::MAX] {
        let mut bytes = gzip(b"{\"a\":1}");
        let end = bytes.len();
        bytes[end - 4..].copy_from_slice(&claimed.to_le_bytes());
        check(&bytes, Err(GunzipError::Corrupt));
    }
}
