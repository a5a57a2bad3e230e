//! The targets of `rusk-http` and `rusk-http-server`: the HTTP/1.1 parsers.

use rusk_http::parser::{
    ErrorCode, MessageKind, Parser, ParserEvent, ParserOptions, RequestHead, RequestMethod,
};
use rusk_http_server::BodyDecoder;

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

/// Larger than any input.
const UNLIMITED_BYTES: usize = 1 << 24;

/// The parser in place reads what the event parser reads, also if the head comes in pieces, and the
/// body is the same however it is split.
pub fn requests(input: &[u8]) {
    let mut head = RequestHead::default();
    let parsed = head.parse(input, UNLIMITED_BYTES);
    let options =
        ParserOptions { kind: MessageKind::Request, head_bytes_max: UNLIMITED_BYTES, is_lenient: false };
    let (mut parser, mut events) = (Parser::new(options), Vec::new());
    let result = parser.execute(input, &mut events);
    let head_bytes = match parsed {
        Ok(None) => return,
        // Only the parser in place limits the number of fields.
        Err(error) if error.code == ErrorCode::HeaderOverflow => return,
        Err(error) => {
            assert!(result.is_err(), "only one parser refuses it: {error:?}");
            return;
        }
        Ok(Some(head_bytes)) => head_bytes,
    };
    let Some(ParserEvent::Head(expected)) = events.first() else {
        panic!("only one parser finds a head: {result:?}");
    };
    assert_eq!(head_text(&head, input), expected.text);
    for end in (0..head_bytes).step_by(PIECE_BYTES) {
        let piece = RequestHead::default().parse(&input[..end], UNLIMITED_BYTES);
        assert_eq!(piece, Ok(None), "a part of a head");
    }
    let framing = head.body.expect("a complete head has a framing");
    let rest = &input[head_bytes..];
    assert_eq!(
        decode(BodyDecoder::new(framing), rest, rest.len().max(1)),
        decode(BodyDecoder::new(framing), rest, PIECE_BYTES)
    );
}

/// As the event parser writes it.
fn head_text(head: &RequestHead, input: &[u8]) -> String {
    let mut text = format!("{}\n", head.method_name());
    let fields = head.fields.iter().flat_map(|field| [field.name, field.value]);
    for part in std::iter::once(head.target).chain(fields) {
        text.extend(part.of_buffer(input).iter().map(|&byte| char::from(byte)));
        text.push('\n');
    }
    text
}

/// The body, and how many bytes were read; `None`: it is malformed.
fn decode(mut decoder: BodyDecoder, input: &[u8], piece_bytes: usize) -> Option<(Vec<u8>, usize)> {
    let (mut body, mut read) = (Vec::new(), 0);
    for piece in input.chunks(piece_bytes) {
        let count = decoder.decode(piece, &mut body).ok()?;
        read += count;
        if count < piece.len() {
            break;
        }
    }
    Some((body, read))
}
