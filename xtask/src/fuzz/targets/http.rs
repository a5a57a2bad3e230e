//! Fuzz target of `rusk-http`: bytes of a connection.

use rusk_http::message::{Answers, Event, Parser, Settings, Side};

const HEAD_BYTES_MAX: usize = 512;
/// A prime, so that chunks divide no message evenly.
const PIECE_BYTES: usize = 7;

/// The events that a program gets, with bodies joined.
#[derive(Debug, Default, PartialEq)]
struct ParsedMessages {
    heads: Vec<String>,
    bodies: Vec<Vec<u8>>,
    trailers: Vec<String>,
    fault: Option<&'static str>,
    /// Another protocol follows after so many bytes.
    left_at: Option<usize>,
}

/// Events are the same however the bytes are split, and body chunks are parts of the input.
pub fn messages(input: &[u8]) {
    for side in [Side::Requests, Side::Responses] {
        for is_lenient in [false, true] {
            let settings = Settings { side, head_bytes_max: HEAD_BYTES_MAX, is_lenient };
            let whole = parse(settings, input, input.len().max(1));
            let pieces = parse(settings, input, PIECE_BYTES);
            assert_eq!(whole, pieces, "{settings:?}");
        }
    }
}

fn parse(settings: Settings, input: &[u8], piece_bytes: usize) -> ParsedMessages {
    let mut parser = Parser::new(settings);
    parser.set_answers(Answers::Any);
    let mut parse = ParsedMessages::default();
    let mut body = Vec::new();
    for (index, piece) in input.chunks(piece_bytes).enumerate() {
        let mut events = Vec::new();
        let outcome = parser.feed(piece, &mut events);
        for event in events {
            match event {
                Event::Head(head) => parse.heads.push(format!("{head:?}")),
                Event::Body(range) => body.extend_from_slice(&piece[range]),
                Event::End { trailers } => {
                    parse.bodies.push(std::mem::take(&mut body));
                    parse.trailers.push(trailers);
                }
            }
        }
        match outcome {
            Ok(count) if count < piece.len() => {
                parse.left_at = Some(index * piece_bytes + count);
                return parse;
            }
            Ok(_) => {}
            Err(fault) => {
                assert!(fault.bytes_read <= piece.len(), "{fault:?}");
                parse.fault = Some(fault.code.name());
                break;
            }
        }
    }
    parse.bodies.push(body);
    parse
}
