//! The targets of `rusk-http2`: sessions of both roles, and header compression.

use rusk_http2::frame::{PREFACE, write_frame};
use rusk_http2::hpack::{HeaderField, HpackDecoder, HpackEncoder};
use rusk_http2::{Http2Session, SessionEvent, SessionOptions, SessionRole};

/// Divides no frame size.
const PIECE_BYTES: usize = 7;
const OUTPUT_BYTES: usize = 256 << 10;
/// A block of a few bytes can stand for this many fields.
const FIELDS_MAX: usize = 1000;

/// The events are the same however the input is split; the output has an end.
pub fn sessions(input: &[u8]) {
    for role in [SessionRole::Server, SessionRole::Client] {
        let whole = events(role, input, input.len().max(1));
        assert_eq!(whole, events(role, input, PIECE_BYTES));
    }
}

fn events(role: SessionRole, input: &[u8], piece_bytes: usize) -> (Vec<SessionEvent>, Option<i32>) {
    let mut session = Http2Session::new(role, SessionOptions::default());
    session.settings(&[(3, 100)]).expect("a valid setting");
    if role == SessionRole::Client {
        session.request(request(), false, None).expect("the first stream");
        session.write(1, vec![1; 100_000]).expect("an open stream");
    } else {
        session.receive(PREFACE, 0).expect("the preface");
    }
    let (mut events, mut error) = (Vec::new(), None);
    for piece in input.chunks(piece_bytes) {
        if let Err(reason) = session.receive(piece, 0) {
            error = Some(reason.number());
            break;
        }
    }
    events.extend(std::iter::from_fn(|| session.next_event()));
    let _sent = session.take_output(OUTPUT_BYTES);
    (events, error)
}

/// Fields that are decoded are the same after they are encoded and decoded again.
pub fn hpack(input: &[u8]) {
    let mut decoder = HpackDecoder::new(4096);
    let mut fields = Vec::new();
    let result = decoder.decode(input, |field| fields.push(field));
    if result.is_err() || fields.len() > FIELDS_MAX {
        return;
    }
    let mut encoder = HpackEncoder::new(4096);
    let mut again = HpackDecoder::new(4096);
    for _ in 0..2 {
        let (mut block, mut decoded) = (Vec::new(), Vec::new());
        encoder.encode(&fields, &mut block);
        again.decode(&block, |field| decoded.push(field)).expect("what was encoded");
        assert!(fields.iter().map(pair).eq(decoded.iter().map(pair)));
    }
}

fn pair(field: &HeaderField) -> (&[u8], &[u8]) {
    (&field.name, &field.value)
}

fn request() -> Vec<HeaderField> {
    [(":method", "POST"), (":scheme", "http"), (":authority", "a"), (":path", "/")]
        .map(|(name, value)| HeaderField::new(name, value))
        .to_vec()
}

pub fn blocks() -> Vec<Vec<u8>> {
    let mut block = Vec::new();
    HpackEncoder::new(4096).encode(&request(), &mut block);
    vec![block, b"\x3f\xe1\x1f\x88\x40\x01a\x01b\xbe\x10\x01c\x82\xf8\xff".to_vec()]
}

pub fn streams() -> Vec<Vec<u8>> {
    let block = &blocks()[0];
    let mut of_client = Vec::new();
    for (kind, flags, stream, payload) in [
        (4, 0, 0, &[0, 4, 0, 0, 0, 9, 0, 1, 0, 0, 0, 0][..]),
        (4, 1, 0, &[]),
        (1, 4, 1, block),
        (0, 8, 1, b"\x02content\0\0"),
        (2, 0, 3, &[0, 0, 0, 1, 7]),
        (8, 0, 1, &[0, 0, 1, 0]),
        (1, 0, 3, &block[..2]),
        (9, 4, 3, &block[2..]),
        (3, 0, 1, &[0, 0, 0, 8]),
        (6, 0, 0, &[1; 8]),
        (7, 0, 0, &[0; 9]),
    ] {
        write_frame(&mut of_client, kind, flags, stream, payload);
    }
    let mut of_server = Vec::new();
    for (kind, flags, stream, payload) in [
        (4, 0, 0, &[][..]),
        (5, 4, 1, &[&[0, 0, 0, 2][..], block].concat()),
        (1, 4, 1, &[0x88]),
        (0, 1, 1, b"content"),
        (10, 0, 0, b"\0\x01ah2"),
        (12, 0, 0, b"\0\x01a"),
        (1, 5, 2, &[0x88]),
    ] {
        write_frame(&mut of_server, kind, flags, stream, payload);
    }
    vec![of_client, of_server]
}
