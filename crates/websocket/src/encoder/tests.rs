//! Tests of `encoder`.

use super::*;

#[test]
fn lengths_have_the_shortest_form() {
    for (bytes, header) in [
        (0, vec![0x82, 0]),
        (125, vec![0x82, 125]),
        (126, vec![0x82, 126, 0, 126]),
        (65535, vec![0x82, 126, 255, 255]),
        (65536, vec![0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
    ] {
        let mut output = Vec::new();
        encode_frame(&mut output, Opcode::Binary, &vec![7; bytes], false, None);
        assert_eq!((&output[..header.len()], output.len()), (&header[..], header.len() + bytes));
    }
}

/// The example of RFC 6455, 5.7.
#[test]
fn a_client_masks() {
    let mut output = Vec::new();
    encode_frame(&mut output, Opcode::Text, b"Hello", false, Some([0x37, 0xfa, 0x21, 0x3d]));
    assert_eq!(output, [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]);
}
