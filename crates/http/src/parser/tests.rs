//! Messages, whole, cut anywhere, and wrong.

use super::*;

const LENIENT: bool = true;
const STRICT: bool = false;

fn parser(side: Side, is_lenient: bool) -> Parser {
    Parser::new(Settings { side, head_bytes_max: 1024, is_lenient })
}

/// Events in words, as they would be if bodies came whole.
fn told(side: Side, is_lenient: bool, pieces: &[&[u8]]) -> String {
    let mut parser = parser(side, is_lenient);
    let mut words = String::new();
    for piece in pieces {
        let mut events = Vec::new();
        let outcome = parser.feed(piece, &mut events);
        for event in events {
            match event {
                Event::Head(head) => {
                    let flags = [(head.keeps_alive, " alive"), (head.is_upgrade, " upgrade")];
                    let flags: String = flags.iter().filter(|flag| flag.0).map(|flag| flag.1).collect();
                    let text = head.text.replace('\n', "|");
                    words += &format!("[{} {} {:?}{flags}]", text, head.status, head.version);
                }
                Event::Body(range) => words += &String::from_utf8_lossy(&piece[range]),
                Event::End { trailers } => words += &format!("<{}>", trailers.replace('\n', "|")),
            }
        }
        match outcome {
            Ok(count) if count < piece.len() => return words + &format!("+{}", piece.len() - count),
            Ok(_) => {}
            Err(fault) => return words + fault.code.name(),
        }
    }
    let mut events = Vec::new();
    match parser.finish(&mut events) {
        Ok(()) if events.is_empty() => words,
        Ok(()) => words + "<eof>",
        Err(fault) => words + fault.code.name(),
    }
}

fn check(side: Side, text: &str, expected: &str) {
    assert_eq!(told(side, STRICT, &[text.as_bytes()]), expected, "{text:?}");
    for cut in 1..text.len() {
        let (first, second) = text.as_bytes().split_at(cut);
        let found = told(side, STRICT, &[first, second]);
        // Bytes behind an upgrade are counted of the last piece.
        if !expected.contains('+') {
            assert_eq!(found, expected, "{text:?} cut at {cut}");
        }
    }
}

#[test]
fn requests_are_told_one_after_the_other() {
    let one = "GET /a?b HTTP/1.1\r\nHost: x\r\nA:  b c \r\n\r\n";
    let head = "[GET|/a?b|Host|x|A|b c| 0 (1, 1) alive]<>";
    check(Side::Requests, one, head);
    check(Side::Requests, &format!("\r\n{one}{one}"), &format!("{head}{head}"));
    check(Side::Requests, "GET /\r\n\r\n", "[GET|/| 0 (0, 9)]<>");
    check(
        Side::Requests,
        "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.0\r\n\r\n",
        "[POST|/|Content-Length|5| 0 (1, 1) alive]hello<>[GET|/| 0 (1, 0)]<>",
    );
    check(
        Side::Requests,
        "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3;a=b\r\nabc\r\nA\r\n0123456789\r\n0\r\nT: u\r\n\r\n",
        "[POST|/|Transfer-Encoding|gzip, chunked| 0 (1, 1) alive]abc0123456789<T|u|>",
    );
}

#[test]
fn responses_end_as_they_say() {
    check(
        Side::Responses,
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        "[Continue|| 100 (1, 1) alive]<>[OK||Content-Length|2| 200 (1, 1) alive]hi<>",
    );
    check(
        Side::Responses,
        "HTTP/1.1 304\r\nContent-Length: 2\r\n\r\n",
        "[||Content-Length|2| 304 (1, 1) alive]<>",
    );
    check(Side::Responses, "HTTP/1.1 304 x\r\nA: b;\r\n c\r\n\r\n", "[x||A|b; c| 304 (1, 1) alive]<>");
    check(Side::Responses, "HTTP/1.0 200 OK\r\n\r\nall of it", "[OK|| 200 (1, 0)]all of it<eof>");
    let mut parser = parser(Side::Responses, STRICT);
    parser.set_answers(Answers::Head);
    let mut events = Vec::new();
    parser.feed(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", &mut events).unwrap();
    assert!(matches!(events[..], [Event::Head(_), Event::End { .. }]));
}

#[test]
fn whoever_may_change_the_protocol_decides() {
    let text =
        "GET / HTTP/1.1\r\nConnection: keep-alive, Upgrade\r\nUpgrade: x\r\nContent-Length: 2\r\n\r\nok";
    let fields = "Connection|keep-alive, Upgrade|Upgrade|x|Content-Length|2|";
    check(Side::Requests, text, &format!("[GET|/|{fields} 0 (1, 1) alive upgrade]+2"));
    check(Side::Requests, "CONNECT a:1 HTTP/1.1\r\n\r\n\x16\x03", "[CONNECT|a:1| 0 (1, 1) alive upgrade]+2");
    let mut parser = parser(Side::Requests, STRICT);
    let mut events = Vec::new();
    let read = parser.feed(text.as_bytes(), &mut events).unwrap();
    parser.proceed();
    parser.feed(&text.as_bytes()[read..], &mut events).unwrap();
    assert!(matches!(events[1..], [Event::Body(Range { start: 0, end: 2 }), Event::End { .. }]));
}

#[test]
fn what_could_be_read_in_two_ways_is_refused() {
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
        check(Side::Requests, &format!("{head}{fields}\r\n"), code);
    }
    let chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    let told = "[POST|/|Transfer-Encoding|chunked| 0 (1, 1) alive]";
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
        check(Side::Requests, &format!("{chunked}{body}"), &format!("{told}{code}"));
    }
}

#[test]
fn first_lines_are_checked() {
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
        check(Side::Requests, &format!("{line}\r\n\r\n"), code);
    }
    for (line, code) in [
        ("GET / HTTP/1.1", "HPE_INVALID_CONSTANT"),
        ("HTTP/1.1 20 OK", "HPE_INVALID_STATUS"),
        ("HTTP/1.1  200", "HPE_INVALID_STATUS"),
        ("HTTP/1.1 2000 OK", "HPE_INVALID_STATUS"),
        ("HTTP/1.1200 OK", "HPE_INVALID_VERSION"),
    ] {
        check(Side::Responses, &format!("{line}\r\n\r\n"), code);
    }
}

#[test]
fn heads_have_a_limit_and_the_closed_are_closed() {
    let long = format!("GET / HTTP/1.1\r\nA: {}\r\n\r\n", "b".repeat(1024));
    check(Side::Requests, &long, "HPE_HEADER_OVERFLOW");
    let last = "GET / HTTP/1.1\r\nConnection: close\r\n\r\n";
    let told = "[GET|/|Connection|close| 0 (1, 1)]<>";
    check(Side::Requests, &format!("{last}\r\n"), told);
    check(Side::Requests, &format!("{last}GET"), &format!("{told}HPE_CLOSED_CONNECTION"));
    check(Side::Requests, "GET / HT", "HPE_INVALID_EOF_STATE");
}

#[test]
fn the_lenient_take_less() {
    let text = b"POST / HTTP/1.1\nContent-Length: 3\nTransfer-Encoding: chunked\n\n1\na\n0\n\n";
    let expected = "[POST|/|Content-Length|3|Transfer-Encoding|chunked| 0 (1, 1) alive]a<>";
    assert_eq!(told(Side::Requests, LENIENT, &[text]), expected);
}
