//! Messages: complete, split at every byte, and malformed.

use super::*;

const LENIENT: bool = true;
const STRICT: bool = false;

fn parser(kind: MessageKind, is_lenient: bool) -> Parser {
    Parser::new(ParserOptions { kind, head_bytes_max: 1024, is_lenient })
}

/// Renders events as a string, with each body as a whole.
fn events_of(kind: MessageKind, is_lenient: bool, pieces: &[&[u8]]) -> String {
    let mut parser = parser(kind, is_lenient);
    let mut output = String::new();
    for piece in pieces {
        let mut events = Vec::new();
        let outcome = parser.execute(piece, &mut events);
        for event in events {
            match event {
                ParserEvent::Head(head) => {
                    let flags = [(head.should_keep_alive, " alive"), (head.is_upgrade, " upgrade")];
                    let flags: String = flags.iter().filter(|flag| flag.0).map(|flag| flag.1).collect();
                    let text = head.text.replace('\n', "|");
                    output += &format!("[{} {} {:?}{flags}]", text, head.status, head.version);
                }
                ParserEvent::Body(range) => output += &String::from_utf8_lossy(&piece[range]),
                ParserEvent::End { trailers } => output += &format!("<{}>", trailers.replace('\n', "|")),
            }
        }
        match outcome {
            Ok(count) if count < piece.len() => return output + &format!("+{}", piece.len() - count),
            Ok(_) => {}
            Err(error) => return output + error.code.name(),
        }
    }
    let mut events = Vec::new();
    match parser.finish(&mut events) {
        Ok(()) if events.is_empty() => output,
        Ok(()) => output + "<eof>",
        Err(error) => output + error.code.name(),
    }
}

fn check(kind: MessageKind, text: &str, expected: &str) {
    assert_eq!(events_of(kind, STRICT, &[text.as_bytes()]), expected, "{text:?}");
    for cut in 1..text.len() {
        let (first, second) = text.as_bytes().split_at(cut);
        let found = events_of(kind, STRICT, &[first, second]);
        // After an upgrade the rest of the last input is counted.
        if !expected.contains('+') {
            assert_eq!(found, expected, "{text:?} cut at {cut}");
        }
    }
}

#[test]
fn pipelined_requests_are_parsed_in_order() {
    let one = "GET /a?b HTTP/1.1\r\nHost: x\r\nA:  b c \r\n\r\n";
    let head = "[GET|/a?b|Host|x|A|b c| 0 (1, 1) alive]<>";
    check(MessageKind::Request, one, head);
    check(MessageKind::Request, &format!("\r\n{one}{one}"), &format!("{head}{head}"));
    check(MessageKind::Request, "GET /\r\n\r\n", "[GET|/| 0 (0, 9)]<>");
    check(
        MessageKind::Request,
        "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.0\r\n\r\n",
        "[POST|/|Content-Length|5| 0 (1, 1) alive]hello<>[GET|/| 0 (1, 0)]<>",
    );
    check(
        MessageKind::Request,
        "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3;a=b\r\nabc\r\nA\r\n0123456789\r\n0\r\nT: u\r\n\r\n",
        "[POST|/|Transfer-Encoding|gzip, chunked| 0 (1, 1) alive]abc0123456789<T|u|>",
    );
}

#[test]
fn responses_end_as_their_framing_says() {
    check(
        MessageKind::Response,
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        "[Continue|| 100 (1, 1) alive]<>[OK||Content-Length|2| 200 (1, 1) alive]hi<>",
    );
    check(
        MessageKind::Response,
        "HTTP/1.1 304\r\nContent-Length: 2\r\n\r\n",
        "[||Content-Length|2| 304 (1, 1) alive]<>",
    );
    check(MessageKind::Response, "HTTP/1.1 304 x\r\nA: b;\r\n c\r\n\r\n", "[x||A|b; c| 304 (1, 1) alive]<>");
    check(MessageKind::Response, "HTTP/1.0 200 OK\r\n\r\nall of it", "[OK|| 200 (1, 0)]all of it<eof>");
    let mut parser = parser(MessageKind::Response, STRICT);
    parser.set_request_method(RequestMethod::Head);
    let mut events = Vec::new();
    parser.execute(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", &mut events).unwrap();
    assert!(matches!(events[..], [ParserEvent::Head(_), ParserEvent::End { .. }]));
}

#[test]
fn an_upgrade_pauses_the_parser() {
    let text =
        "GET / HTTP/1.1\r\nConnection: keep-alive, Upgrade\r\nUpgrade: x\r\nContent-Length: 2\r\n\r\nok";
    let fields = "Connection|keep-alive, Upgrade|Upgrade|x|Content-Length|2|";
    check(MessageKind::Request, text, &format!("[GET|/|{fields} 0 (1, 1) alive upgrade]+2"));
    check(
        MessageKind::Request,
        "CONNECT a:1 HTTP/1.1\r\n\r\n\x16\x03",
        "[CONNECT|a:1| 0 (1, 1) alive upgrade]+2",
    );
    let mut parser = parser(MessageKind::Request, STRICT);
    let mut events = Vec::new();
    let read = parser.execute(text.as_bytes(), &mut events).unwrap();
    parser.resume();
    parser.execute(&text.as_bytes()[read..], &mut events).unwrap();
    assert!(matches!(events[1..], [ParserEvent::Body(Range { start: 0, end: 2 }), ParserEvent::End { .. }]));
}

#[test]
fn ambiguous_messages_are_rejected() {
    let head = "POST / HTTP/1.1\r\n";
    for (fields, code) in [
        ("Content-Length: 1\r\nContent-Length: 1\r\n", "HPE_UNEXPECTED_CONTENT_LENGTH"),
        ("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", "HPE_INVALID_TRANSFER_ENCODING"),
        ("Transfer-Encoding: chunked\r\nContent-Length: 1\r\n", "HPE_INVALID_CONTENT_LENGTH"),
        ("Transfer-Encoding: chunked, gzip\r\n", "HPE_INVALID_TRANSFER_ENCODING"),
        ("Content-Length: +1\r\n", "HPE_INVALID_CONTENT_LENGTH"),
        ("Content-Length: 1 2\r\n", "HPE_INVALID_CONTENT_LENGTH"),
        ("Content-Length: 99999999999999999999\r\n", "HPE_INVALID_CONTENT_LENGTH"),
        ("Content-Length : 1\r\n", "HPE_INVALID_HEADER_TOKEN"),
        ("A: b\n", "HPE_CR_EXPECTED"),
        ("A: b\rC: d\r\n", "HPE_LF_EXPECTED"),
        ("Content-Length: 1\r\n 2\r\n", "HPE_INVALID_HEADER_TOKEN"),
        ("Transfer-Encoding: chunked\r\n , gzip\r\n", "HPE_INVALID_HEADER_TOKEN"),
        (" A: b\r\n", "HPE_UNEXPECTED_SPACE"),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "HPE_INVALID_TRANSFER_ENCODING"),
        ("A\0: b\r\n", "HPE_INVALID_HEADER_TOKEN"),
        ("A: b\0\r\n", "HPE_INVALID_HEADER_TOKEN"),
        (": b\r\n", "HPE_INVALID_HEADER_TOKEN"),
        ("nothing\r\n", "HPE_INVALID_HEADER_TOKEN"),
    ] {
        check(MessageKind::Request, &format!("{head}{fields}\r\n"), code);
    }
    let empty = "[POST|/|Transfer-Encoding|| 0 (1, 1) alive]HPE_INVALID_TRANSFER_ENCODING";
    check(MessageKind::Request, &format!("{head}Transfer-Encoding:\r\n\r\n"), empty);
    let chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    let events = "[POST|/|Transfer-Encoding|chunked| 0 (1, 1) alive]";
    for (body, code) in [
        ("x\r\n", "HPE_INVALID_CHUNK_SIZE"),
        ("-1\r\n", "HPE_INVALID_CHUNK_SIZE"),
        ("1 \r\na\r\n", "HPE_INVALID_CHUNK_SIZE"),
        ("fffffffffffffffff\r\n", "HPE_INVALID_CHUNK_SIZE"),
        ("1\na\r\n", "HPE_CR_EXPECTED"),
        ("1; a\r\na\r\n", "HPE_STRICT"),
        ("1;a=\"b;\r\na\r\n", "HPE_STRICT"),
        ("1\r\nabc\r\n", "aHPE_STRICT"),
        ("1\r\na", "aHPE_INVALID_EOF_STATE"),
        ("0\r\nContent-Length: 5\r\n\r\n", "HPE_INVALID_CONTENT_LENGTH"),
        ("0\r\nTransfer-Encoding: chunked\r\n\r\n", "HPE_INVALID_TRANSFER_ENCODING"),
    ] {
        check(MessageKind::Request, &format!("{chunked}{body}"), &format!("{events}{code}"));
    }
}

#[test]
fn start_lines_are_checked() {
    for (line, code) in [
        ("GETT / HTTP/1.1", "HPE_INVALID_METHOD"),
        ("get / HTTP/1.1", "HPE_INVALID_METHOD"),
        ("\x16\x03\x01", "HPE_INVALID_METHOD"),
        ("GET  HTTP/1.1", "HPE_INVALID_URL"),
        ("GET /a\x7f HTTP/1.1", "HPE_INVALID_URL"),
        ("GET a HTTP/1.1", "HPE_INVALID_URL"),
        ("GET ?a HTTP/1.1", "HPE_INVALID_URL"),
        ("GET", "HPE_INVALID_METHOD"),
        ("GET / HTTPS/1.1", "HPE_INVALID_CONSTANT"),
        ("GET / HTTP/1.2", "HPE_INVALID_VERSION"),
        ("GET / HTTP/1.1 ", "HPE_INVALID_VERSION"),
        ("PRI * HTTP/2.0", "HPE_PAUSED_H2_UPGRADE"),
    ] {
        check(MessageKind::Request, &format!("{line}\r\n\r\n"), code);
    }
    for (line, code) in [
        ("GET / HTTP/1.1", "HPE_INVALID_CONSTANT"),
        ("HTTP/1.1 20 OK", "HPE_INVALID_STATUS"),
        ("HTTP/1.1  200", "HPE_INVALID_STATUS"),
        ("HTTP/1.1 2000 OK", "HPE_INVALID_STATUS"),
        ("HTTP/1.1200 OK", "HPE_INVALID_VERSION"),
    ] {
        check(MessageKind::Response, &format!("{line}\r\n\r\n"), code);
    }
}

#[test]
fn heads_are_limited_and_nothing_follows_a_close() {
    let long = format!("GET / HTTP/1.1\r\nA: {}\r\n\r\n", "b".repeat(1024));
    check(MessageKind::Request, &long, "HPE_HEADER_OVERFLOW");
    let last = "GET / HTTP/1.1\r\nConnection: close\r\n\r\n";
    let events = "[GET|/|Connection|close| 0 (1, 1)]<>";
    check(MessageKind::Request, &format!("{last}\r\n"), events);
    check(MessageKind::Request, &format!("{last}GET"), &format!("{events}HPE_CLOSED_CONNECTION"));
    check(MessageKind::Request, "GET / HT", "HPE_INVALID_EOF_STATE");
}

#[test]
fn a_lenient_parser_accepts_more() {
    let text = b"POST / HTTP/1.1\nContent-Length: 3\nTransfer-Encoding: chunked\n\n1\na\n0\n\n";
    let expected = "[POST|/|Content-Length|3|Transfer-Encoding|chunked| 0 (1, 1) alive]a<>";
    assert_eq!(events_of(MessageKind::Request, LENIENT, &[text]), expected);
}
