//! Message framing: the messages are the same however the stream is split into chunks.

use super::*;

/// Decodes the stream in one chunk, byte by byte, and in chunks of three bytes.
#[track_caller]
fn check(framing: Framing, bytes: &[u8], messages: &[&[u8]], ended: Result<bool, ProtocolError>) {
    for size in [bytes.len().max(1), 1, 3] {
        let (mut decoder, mut decoded) = (FrameDecoder::new(framing), Vec::new());
        let mut outcome = Ok(());
        for piece in bytes.chunks(size) {
            outcome =
                outcome.and_then(|()| decoder.decode(piece, |message, _| decoded.push(message.to_vec())));
        }
        assert_eq!(decoded, messages, "in chunks of {size}");
        assert_eq!(outcome.map(|()| decoder.has_partial_message()), ended, "in chunks of {size}");
    }
}

#[test]
fn each_line_is_a_message() {
    check(Framing::Lines, b"", &[], Ok(false));
    check(Framing::Lines, b"{}\n[1]\n\n\"x", &[b"{}", b"[1]", b""], Ok(true));
    check(Framing::Lines, b"1\n", &[b"1"], Ok(false));
}

#[test]
fn node_messages_have_a_length_prefix() {
    let bytes = [0, 0, 0, 2, 0xff, 15, 0, 0, 0, 0, 0, 0, 0, 3, 7];
    check(Framing::LengthPrefix, &bytes, &[&[0xff, 15], &[]], Ok(true));
    check(Framing::LengthPrefix, &[0, 0, 1], &[], Ok(true));
}

#[test]
fn bun_messages_have_a_type_and_a_length() {
    let bytes = [1, 2, 0, 0, 0, 2, 1, 0, 0, 0, 9, 3, 1, 0, 0, 0, 8, 2, 0, 0, 0, 0];
    check(Framing::TypeAndLengthPrefix, &bytes, &[&[9], &[]], Ok(false));
    check(Framing::TypeAndLengthPrefix, &[7, 0, 0, 0, 0], &[], Err(ProtocolError::UnknownType(7)));
}

#[test]
fn too_long_lengths_are_rejected_at_once() {
    check(Framing::LengthPrefix, &[0xff; 9], &[], Err(ProtocolError::TooLong));
    check(Framing::LengthPrefix, &[0x20, 0, 0, 1], &[], Err(ProtocolError::TooLong));
    check(Framing::LengthPrefix, &[0x20, 0, 0, 0], &[], Ok(true));
    check(Framing::TypeAndLengthPrefix, &[2, 0xff, 0xff, 0xff, 0xff], &[], Err(ProtocolError::TooLong));
}

#[test]
fn a_length_prefix_alone_allocates_nothing() {
    let mut decoder = FrameDecoder::new(Framing::LengthPrefix);
    decoder.decode(&[0x20, 0, 0, 0, 1, 2, 3], |_, _| panic!("it is incomplete")).expect("an allowed length");
    assert!(decoder.partial.capacity() < 4096);
}

#[test]
fn an_endless_line_is_rejected() {
    let mut decoder = FrameDecoder::new(Framing::Lines);
    let piece = vec![b' '; 64 << 20];
    let outcomes: Vec<_> = (0..9).map(|_| decoder.decode(&piece, |_, _| panic!("no line ended"))).collect();
    assert_eq!(outcomes[7], Ok(()));
    assert_eq!(outcomes[8], Err(ProtocolError::TooLong));
}

#[test]
fn bun_greeting_is_recognized_with_node_framing() {
    check(Framing::LengthPrefix, &BUN_GREETING, &[], Err(ProtocolError::BunGreeting));
}

#[test]
fn the_buffer_of_a_long_message_is_freed() {
    let mut decoder = FrameDecoder::new(Framing::LengthPrefix);
    let length = 8_u32 << 20;
    let mut decoded = 0;
    decoder.decode(&length.to_be_bytes(), |_, _| decoded += 1).expect("a length");
    for _ in 0..8 {
        decoder.decode(&vec![0; 1 << 20], |message, _| decoded += message.len()).expect("a message");
    }
    assert_eq!((decoded, decoder.has_partial_message()), (8 << 20, false));
    assert!(decoder.partial.capacity() <= RETAINED_BYTES_MAX);
}

#[test]
fn encoded_messages_decode_to_themselves() {
    for framing in [Framing::Lines, Framing::LengthPrefix, Framing::TypeAndLengthPrefix] {
        let bytes = framing.encode(b"abc").expect("it is short");
        check(framing, &bytes, &[b"abc"], Ok(false));
    }
}
