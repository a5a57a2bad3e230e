//! DER elements: lengths, object identifiers, malformed bytes.

use super::*;

#[test]
fn elements_are_read_with_short_and_long_lengths() {
    let long = write_tlv(0x04, &[7; 300]);
    assert_eq!(long[..4], [0x04, 0x82, 0x01, 0x2c]);
    let (element, rest) = read_tlv(&long).expect("it was written here");
    assert_eq!((element.tag, element.content.len(), rest.len()), (0x04, 300, 0));
}

#[test]
fn malformed_bytes_are_refused() {
    for bytes in
        [&[][..], &[0x30], &[0x30, 0x80, 0, 0], &[0x30, 0x85, 0, 0, 0, 0, 1], &[0x30, 5, 1], &[0x1f, 1, 1]]
    {
        assert_eq!(read_tlv(bytes), None, "{bytes:?}");
    }
}

#[test]
fn object_identifiers_are_rendered() {
    assert_eq!(object_id(&[0x2b, 6, 1, 5, 5, 7, 3, 1]).as_deref(), Some("1.3.6.1.5.5.7.3.1"));
    assert_eq!(object_id(&[0x88, 0x37, 3]).as_deref(), Some("2.999.3"));
    assert_eq!(object_id(&[0x2b, 0x86]), None);
    assert_eq!(object_id(&[0xff; 12]), None);
}
