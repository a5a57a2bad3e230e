//! The target of `rusk-websocket`: the decoder of messages, and the negotiation.

use rusk_websocket::{
    DecoderOptions, DeflateSupport, Deflater, Endpoint, Inflater, MessageDecoder, Opcode, WebSocketEvent,
    accept_offer, accept_response, encode_frame,
};

const MESSAGE_BYTES_MAX: usize = 4 << 10;
const KEY: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];
/// Divides no buffer size.
const PIECE_BYTES: usize = 7;

/// The events are the same however the input is split, and within the limits. An event that is
/// sent is read again.
pub fn messages(input: &[u8]) {
    for endpoint in [Endpoint::Client, Endpoint::Server] {
        for deflates in [false, true] {
            let whole = events(input, input.len().max(1), endpoint, deflates);
            assert_eq!(whole, events(input, PIECE_BYTES, endpoint, deflates));
            whole.0.iter().for_each(check);
        }
    }
    let header = String::from_utf8_lossy(input);
    let support =
        DeflateSupport { server_keeps_context: true, client_keeps_context: false, server_window_bits: 15 };
    if let Some((parameters, response)) = accept_offer(&header, support) {
        let again = accept_response(&response).expect("a valid response").expect("it has the extension");
        assert_eq!(again.server_window_bits, parameters.server_window_bits);
    }
}

type Outcome = (Vec<WebSocketEvent>, Option<&'static str>);

fn events(input: &[u8], piece_bytes: usize, endpoint: Endpoint, deflates: bool) -> Outcome {
    let inflater = deflates.then(|| Inflater::new(true));
    let mut decoder =
        MessageDecoder::new(DecoderOptions { endpoint, message_bytes_max: MESSAGE_BYTES_MAX, inflater });
    let mut events = Vec::new();
    for mut piece in input.chunks(piece_bytes) {
        loop {
            match decoder.next_event(&mut piece) {
                Ok(None) => break,
                Ok(Some(event)) => events.push(event),
                Err(error) => return (events, Some(error.reason)),
            }
        }
    }
    (events, None)
}

fn check(event: &WebSocketEvent) {
    let (opcode, payload) = match event {
        WebSocketEvent::Text(payload) => {
            assert!(std::str::from_utf8(payload).is_ok());
            (Opcode::Text, payload)
        }
        WebSocketEvent::Binary(payload) => (Opcode::Binary, payload),
        WebSocketEvent::Ping(payload) => (Opcode::Ping, payload),
        WebSocketEvent::Pong(payload) => (Opcode::Pong, payload),
        WebSocketEvent::Close { .. } => return,
    };
    assert!(payload.len() <= MESSAGE_BYTES_MAX);
    let mut bytes = Vec::new();
    encode_frame(&mut bytes, opcode, payload, false, Some(KEY));
    let (again, error) = events(&bytes, bytes.len(), Endpoint::Server, false);
    assert_eq!((&again[..], error), (std::slice::from_ref(event), None));
}

/// Frames of both ends, plain and compressed, and values of the header.
pub fn streams() -> Vec<Vec<u8>> {
    let mut compressed = Vec::new();
    Deflater::new(15, true).deflate(b"Hello, Hello", &mut compressed);
    let mut all = vec![
        b"permessage-deflate; client_max_window_bits, permessage-deflate; server_max_window_bits=10".to_vec(),
        b"permessage-deflate; server_no_context_takeover; client_no_context_takeover".to_vec(),
    ];
    for key in [None, Some(KEY)] {
        let mut stream = Vec::new();
        encode_frame(&mut stream, Opcode::Text, "Grüße".as_bytes(), false, key);
        encode_frame(&mut stream, Opcode::Ping, b"a", false, key);
        encode_frame(&mut stream, Opcode::Text, &compressed, true, key);
        encode_frame(&mut stream, Opcode::Binary, &[7; 300], false, key);
        encode_frame(&mut stream, Opcode::Close, b"\x03\xe8bye", false, key);
        all.push(stream);
        let mut fragments = Vec::new();
        encode_frame(&mut fragments, Opcode::Text, b"one", false, key);
        fragments[0] &= 0x7f;
        encode_frame(&mut fragments, Opcode::Continuation, b"two", false, key);
        all.push(fragments);
    }
    all
}
