//! The target of `rusk-http`: the HTTP/1.1 parser.

use rusk_http::parser::{MessageKind, Parser, ParserEvent, ParserOptions, RequestMethod};

const HEAD_BYTES_MAX: usize = 512;
/// Divides no buffer size.
const PIECE_BYTES: usize = 7;

/// The events of one stream, with each body as a whole.
#[derive(Debug, Default, PartialEq)]
struct ParsedStream {
    heads: Vec<String>,
    bodies: Vec<Vec<u8>>,
    trailers: Vec<String>,
    error: Option<&'static str>,
    /// Offset at which another protocol follows.
    left_at: Option<usize>,
}

/// The events are the same however the input is split.
pub fn messages(input: &[u8]) {
    for kind in [MessageKind::Request, MessageKind::Response] {
        for is_lenient in [false, true] {
            let options = ParserOptions { kind, head_bytes_max: HEAD_BYTES_MAX, is_lenient };
            let whole = parse(options, input, input.len().max(1));
            let pieces = parse(options, input, PIECE_BYTES);
            assert_eq!(whole, pieces, "{options:?}");
        }
    }
}

fn parse(options: ParserOptions, input: &[u8], piece_bytes: usize) -> ParsedStream {
    let mut parser = Parser::new(options);
    parser.set_request_method(RequestMethod::Other);
    let mut parsed = ParsedStream::default();
    let mut body = Vec::new();
    for (index, piece) in input.chunks(piece_bytes).enumerate() {
        let mut events = Vec::new();
        let outcome = parser.execute(piece, &mut events);
        for event in events {
            match event {
                ParserEvent::Head(head) => parsed.heads.push(format!("{head:?}")),
                ParserEvent::Body(range) => body.extend_from_slice(&piece[range]),
                ParserEvent::End { trailers } => {
                    parsed.bodies.push(std::mem::take(&mut body));
                    parsed.trailers.push(trailers);
                }
            }
        }
        match outcome {
            Ok(count) if count < piece.len() => {
                parsed.left_at = Some(index * piece_bytes + count);
                return parsed;
            }
            Ok(_) => {}
            Err(error) => {
                assert!(error.bytes_read <= piece.len(), "{error:?}");
                parsed.error = Some(error.code.name());
                break;
            }
        }
    }
    parsed.bodies.push(body);
    parsed
}
