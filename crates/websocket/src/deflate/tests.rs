//! Tests of `deflate`.

use super::*;
use crate::close::CloseCode;

const BYTES_MAX: usize = 1 << 20;

/// RFC 7692, 7.2.3.1 to 7.2.3.6.
#[test]
fn examples_of_the_rfc() {
    let check = |payload: &[u8]| {
        assert_eq!(Inflater::new(true).inflate(payload, BYTES_MAX), Ok(b"Hello".to_vec()), "{payload:x?}");
    };
    check(&[0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]);
    check(&[0x00, 0x05, 0x00, 0xfa, 0xff, 0x48, 0x65, 0x6c, 0x6c, 0x6f, 0x00]);
    check(&[0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00]);
    check(&[0xf2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xff, 0xff, 0xca, 0xc9, 0xc9, 0x07, 0x00]);
    let mut inflater = Inflater::new(true);
    for payload in [&[0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00][..], &[0xf2, 0x00, 0x11, 0x00, 0x00]] {
        assert_eq!(inflater.inflate(payload, BYTES_MAX), Ok(b"Hello".to_vec()));
    }
    // Without the messages before, the second one refers to nothing.
    let mut inflater = Inflater::new(false);
    inflater.inflate(&[0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00], BYTES_MAX).unwrap();
    inflater.inflate(&[0xf2, 0x00, 0x11, 0x00, 0x00], BYTES_MAX).unwrap_err();
}

#[test]
fn a_final_block_keeps_the_context() {
    let mut inflater = Inflater::new(true);
    let final_block = [0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00];
    assert_eq!(inflater.inflate(&final_block, BYTES_MAX), Ok(b"Hello".to_vec()));
    assert_eq!(inflater.inflate(&[0xf2, 0x00, 0x11, 0x00, 0x00], BYTES_MAX), Ok(b"Hello".to_vec()));
}

#[test]
fn messages_of_all_sizes_pass_with_all_parameters() {
    for window_bits in [9, 12, 15] {
        for keeps_context in [false, true] {
            let mut deflater = Deflater::new(window_bits, keeps_context);
            let mut inflater = Inflater::new(keeps_context);
            for bytes in [0, 16, 64, 256, 1024, 4096, 8192, 16384, 32768, 65536, 131_072] {
                let message: Vec<u8> =
                    (0..bytes).map(|index: u32| (index.wrapping_mul(index) >> 7) as u8).collect();
                for _ in 0..3 {
                    let mut payload = Vec::new();
                    deflater.deflate(&message, &mut payload);
                    assert_eq!(inflater.inflate(&payload, BYTES_MAX).as_ref(), Ok(&message), "{bytes}");
                }
            }
        }
    }
}

#[test]
fn a_small_payload_with_a_huge_message_is_refused() {
    let mut payload = Vec::new();
    Deflater::new(15, false).deflate(&vec![0; 4 * BYTES_MAX], &mut payload);
    assert!(payload.len() < 10_000);
    let error = Inflater::new(false).inflate(&payload, BYTES_MAX).unwrap_err();
    assert_eq!(error.code, CloseCode::MessageTooBig);
}

#[test]
fn what_is_not_deflate_is_refused() {
    let error = Inflater::new(true).inflate(&[0xff, 0xff, 0xff], BYTES_MAX).unwrap_err();
    assert_eq!(error.code, CloseCode::InvalidPayload);
}
