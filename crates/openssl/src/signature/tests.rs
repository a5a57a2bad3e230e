//! Signatures in both encodings, and malformed ones.

use super::*;

#[test]
fn both_encodings_are_converted() {
    for (p1363, der) in [
        (&[1_u8, 2][..], &[0x30_u8, 6, 2, 1, 1, 2, 1, 2][..]),
        (&[0, 1, 0xff, 0], &[0x30, 8, 2, 1, 1, 2, 3, 0, 0xff, 0]),
        (&[0, 0, 0, 0], &[0x30, 6, 2, 1, 0, 2, 1, 0]),
    ] {
        assert_eq!(p1363_to_der(p1363, p1363.len() / 2).as_deref(), Some(der));
        assert_eq!(der_to_p1363(der, p1363.len() / 2).as_deref(), Some(p1363));
    }
}

#[test]
fn malformed_signatures_are_refused() {
    assert_eq!(p1363_to_der(&[1, 2, 3], 2), None);
    for der in [&[][..], &[0x30, 3, 2, 1, 1], &[0x30, 7, 2, 2, 1, 1, 2, 1, 2], &[0x31, 6, 2, 1, 1, 2, 1, 2]] {
        assert_eq!(der_to_p1363(der, 1), None, "{der:?}");
    }
}
