//! Cases of the protocol: `fixtures/websocket/protocol-cases.txt`.

use super::*;

const CASES: &str = include_str!("../../../fixtures/websocket/protocol-cases.txt");
const KEY: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];
const MESSAGE_BYTES_MAX: usize = 16 << 20;

#[test]
fn cases_have_the_expected_reactions() {
    let cases: Vec<&str> = CASES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    assert!(cases.len() > 250, "{}", cases.len());
    let wrong: Vec<String> = cases.iter().filter_map(|case| compare(case)).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

fn compare(case: &str) -> Option<String> {
    let columns: Vec<&str> = case.split(" | ").collect();
    let [number, description, frames, pieces, reactions] = columns[..] else { panic!("{case}") };
    let bytes: Vec<u8> = frames.split(' ').flat_map(frame).collect();
    let piece_bytes = pieces.parse().unwrap_or(bytes.len());
    let found = react(&bytes, piece_bytes);
    let expected: Vec<String> = reactions.split(' ').flat_map(reaction).collect();
    (found != expected).then(|| format!("{number} {description}: {found:.300?}"))
}

/// The bytes of `BYTE:PAYLOAD` or `raw:BYTES`, masked, maybe repeated.
fn frame(text: &str) -> Vec<u8> {
    let parts: Vec<&str> = text.split(':').collect();
    let content = payload(parts[1]);
    if parts[0] == "raw" {
        return content;
    }
    let first = u8::from_str_radix(parts[0], 16).unwrap();
    let mut bytes = Vec::new();
    // The opcode and the bits may be invalid: the encoder makes the rest of the frame.
    encode_frame(&mut bytes, Opcode::Text, &content, false, Some(KEY));
    bytes[0] = first;
    bytes.repeat(repetitions(&parts))
}

/// The reactions of `NAME:PAYLOAD`, in the form of `react`.
fn reaction(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split(':').collect();
    let one = match parts[0] {
        "close" => format!(
            "close {:?} {}",
            parts.get(1).map(|code| code.parse::<u16>().unwrap()),
            String::from_utf8(parts.get(2).map_or(Vec::new(), |reason| payload(reason))).unwrap()
        ),
        "error" => format!("error {}", parts[1]),
        name => show(name, &payload(parts[1])),
    };
    vec![one; repetitions(&parts)]
}

fn repetitions(parts: &[&str]) -> usize {
    parts.get(2).and_then(|part| part.strip_prefix('x')).map_or(1, |count| count.parse().unwrap())
}

fn payload(text: &str) -> Vec<u8> {
    if let Some(count) = text.strip_prefix('*') {
        return vec![b'*'; count.parse().unwrap()];
    }
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

fn react(bytes: &[u8], piece_bytes: usize) -> Vec<String> {
    let mut decoder = MessageDecoder::new(DecoderOptions {
        endpoint: Endpoint::Server,
        message_bytes_max: MESSAGE_BYTES_MAX,
        inflater: None,
    });
    let mut reactions = Vec::new();
    for mut piece in bytes.chunks(piece_bytes) {
        loop {
            match decoder.next_event(&mut piece) {
                Ok(None) => break,
                Ok(Some(event)) => reactions.push(describe(&event)),
                Err(error) => reactions.push(format!("error {}", error.code as u16)),
            }
        }
        assert!(piece.is_empty());
    }
    reactions
}

fn describe(event: &WebSocketEvent) -> String {
    match event {
        WebSocketEvent::Text(payload) => show("text", payload),
        WebSocketEvent::Binary(payload) => show("binary", payload),
        WebSocketEvent::Ping(payload) => show("ping", payload),
        WebSocketEvent::Pong(payload) => show("pong", payload),
        WebSocketEvent::Close { code, reason } => format!("close {code:?} {reason}"),
    }
}

fn show(name: &str, payload: &[u8]) -> String {
    match payload.len() {
        ..=200 => format!("{name} {}", payload.escape_ascii()),
        length if payload.iter().all(|&byte| byte == b'*') => format!("{name} *{length}"),
        length => format!("{name} other {length}"),
    }
}

#[test]
fn a_client_refuses_masked_frames_and_a_server_plain_ones() {
    for (endpoint, key) in [(Endpoint::Client, Some(KEY)), (Endpoint::Server, None)] {
        let mut bytes = Vec::new();
        encode_frame(&mut bytes, Opcode::Text, b"a", false, key);
        let options = DecoderOptions { endpoint, message_bytes_max: 10, inflater: None };
        let error = MessageDecoder::new(options).next_event(&mut &bytes[..]).unwrap_err();
        assert_eq!(error.code, CloseCode::ProtocolError);
    }
}

#[test]
fn messages_have_a_limit_also_in_fragments_and_by_their_announced_length() {
    let options = || DecoderOptions { endpoint: Endpoint::Server, message_bytes_max: 10, inflater: None };
    for frames in ["81:*11", "01:*6 80:*5", "raw:81ffffffffffffffffff00000000"] {
        let bytes: Vec<u8> = frames.split(' ').flat_map(frame).collect();
        let error = MessageDecoder::new(options()).next_event(&mut &bytes[..]).unwrap_err();
        assert_eq!(error.code, CloseCode::MessageTooBig, "{frames}");
    }
    let mut exact = &frame("81:*10")[..];
    assert!(MessageDecoder::new(options()).next_event(&mut exact).unwrap().is_some());
}

#[test]
fn reasons_are_cut_at_a_character() {
    assert_eq!(close_payload(None, "x"), b"");
    assert_eq!(close_payload(Some(1000), "x"), b"\x03\xe8x");
    let long = "é".repeat(100);
    assert_eq!(close_payload(Some(1000), &long).len(), 2 + 122);
}
