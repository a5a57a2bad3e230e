//! Request heads: those of the event parser, and what is refused.

use super::*;
use crate::parser::{Parser, ParserEvent, ParserOptions};

/// The head as the event parser writes it.
fn text(bytes: &[u8]) -> Result<Option<String>, &'static str> {
    let mut head = RequestHead::default();
    let Some(_) = head.parse(bytes, 64 * 1024).map_err(|error| error.code.name())? else { return Ok(None) };
    let latin1 = |bytes: &[u8]| bytes.iter().map(|&byte| char::from(byte)).collect::<String>();
    let mut text = format!("{}\n{}\n", head.method_name(), latin1(head.target.of_buffer(bytes)));
    for field in &head.fields {
        text +=
            &format!("{}\n{}\n", latin1(field.name.of_buffer(bytes)), latin1(field.value.of_buffer(bytes)));
    }
    Ok(Some(text))
}

fn event_text(bytes: &[u8]) -> Result<Option<String>, &'static str> {
    let options = ParserOptions { kind: MessageKind::Request, head_bytes_max: 64 * 1024, is_lenient: false };
    let (mut parser, mut events) = (Parser::new(options), Vec::new());
    let result = parser.execute(bytes, &mut events);
    match (events.first(), result) {
        (Some(ParserEvent::Head(head)), _) => Ok(Some(head.text.clone())),
        (_, Err(error)) => Err(error.code.name()),
        _ => Ok(None),
    }
}

#[test]
fn a_head_is_read_as_by_the_event_parser() {
    for request in [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "\r\nPOST /x?y HTTP/1.0\r\nContent-Length: 3\r\nX:  spaced \t\r\n\r\nabc",
        "CONNECT a.b:443 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET http://a/b HTTP/1.1\r\nhost: a\r\nhost: b\r\nX-\u{e9}: y\r\n\r\n",
        "M-SEARCH * HTTP/1.1\r\n\r\n",
        "GET /\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n",
        "GE",
    ] {
        assert_eq!(text(request.as_bytes()).ok(), event_text(request.as_bytes()).ok(), "{request:?}");
    }
}

#[test]
fn what_allows_request_smuggling_is_refused() {
    for request in [
        "POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked, gzip\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: +3\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 3,3\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length : 3\r\n\r\n",
        "GET / HTTP/1.1\r\nX: a\r\n Content-Length: 3\r\n\r\n",
        "GET / HTTP/1.1\r\nX: a\nContent-Length: 3\r\n\r\n",
        "GET / HTTP/1.1\r\nX: a\rContent-Length: 3\r\n\r\n",
        "GET / HTTP/1.1\r\nX: a\0b\r\n\r\n",
        "GET / HTTP/1.1\r\n: a\r\n\r\n",
        "GET / HTTP/3.1\r\n\r\n",
        "GET /\tx HTTP/1.1\r\n\r\n",
        "get / HTTP/1.1\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\x16\x03\x01\x02\0",
    ] {
        assert!(text(request.as_bytes()).is_err(), "{request:?}");
    }
}

#[test]
fn a_head_over_the_limit_is_refused() {
    let mut head = RequestHead::default();
    let long = format!("GET / HTTP/1.1\r\nX: {}", "a".repeat(1000));
    let code = head.parse(long.as_bytes(), 500).unwrap_err().code;
    assert_eq!(code, ErrorCode::HeaderOverflow);
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a:b\r\n".repeat(FIELDS_MAX + 1));
    assert_eq!(head.parse(many.as_bytes(), 64 * 1024).unwrap_err().code, ErrorCode::HeaderOverflow);
}
