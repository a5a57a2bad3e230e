//! Exchanges with a loopback server that sends prepared responses, whatever the request.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use rusk_base::sys::epoll::{Epoll, EventFlags};
use rusk_base::sys::socket::{self, SocketAddr};
use rusk_brotli_zstd::{CodecFormat, CodecSettings};
use rusk_zlib::{Codec, Mode, Settings};

use crate::client::BUFFERED_BYTES_MAX;
use crate::content_decoder::CHUNK_BYTES_MAX;
use crate::{Client, ClientError, Event, HttpVersions, Request, RequestBody, TlsOptions};

/// Returns the port and the requests received. A connection is a list of responses, one per
/// request; it is closed after the last.
fn server(connections: Vec<Vec<Vec<u8>>>) -> (u16, Receiver<String>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let (received, requests) = channel();
    thread::spawn(move || {
        for responses in connections {
            let (mut stream, _) = listener.accept().unwrap();
            for response in responses {
                received.send(read_request(&mut stream)).unwrap();
                if stream.write_all(&response).is_err() {
                    break;
                }
            }
        }
    });
    (port, requests)
}

/// Reads up to the empty line, and the body as `content-length` or `transfer-encoding` says.
fn read_request(stream: &mut TcpStream) -> String {
    let (mut request, mut byte) = (Vec::new(), [0]);
    let mut end = None;
    while end != Some(request.len()) && stream.read(&mut byte).unwrap_or(0) == 1 {
        request.push(byte[0]);
        let text = String::from_utf8_lossy(&request);
        if text.contains("transfer-encoding") {
            end = text.ends_with("\r\n0\r\n\r\n").then_some(request.len());
        } else if end.is_none() && text.ends_with("\r\n\r\n") {
            let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
            end = Some(request.len() + length.map_or(0, |length| length.parse::<usize>().unwrap()));
        }
    }
    String::from_utf8(request).unwrap()
}

fn request(port: u16, body: RequestBody) -> Request {
    let method = if matches!(body, RequestBody::None) { "GET" } else { "POST" };
    Request {
        method: method.to_owned(),
        is_secure: false,
        host: "127.0.0.1".to_owned(),
        port,
        path_and_query: "/path?query".to_owned(),
        headers: vec![("x-one".to_owned(), b"1".to_vec())],
        body,
        tls_options: None,
        decompress: true,
        versions: HttpVersions::Any,
    }
}

/// A response with its whole body.
#[derive(Debug)]
struct Response {
    status: u16,
    reason: String,
    body: Vec<u8>,
    chunks: usize,
    error: Option<ClientError>,
}

/// Passes events on as they arrive until `is_last` returns true.
fn wait(client: &Client, mut is_last: impl FnMut(Event) -> bool) {
    let (epoll, waker) = (Epoll::new().unwrap(), client.waker().unwrap());
    epoll.add(waker.as_fd(), 0, EventFlags::IN).unwrap();
    loop {
        epoll.wait(&mut Vec::new(), None).unwrap();
        for (_, event) in client.take_events().unwrap() {
            if is_last(event) {
                return;
            }
        }
    }
}

fn fetch(client: &Client, request: Request) -> Response {
    let exchange = client.send(request);
    let mut response =
        Response { status: 0, reason: String::new(), body: Vec::new(), chunks: 0, error: None };
    wait(client, |event| {
        match event {
            Event::Drain => {}
            Event::Head { status, reason, .. } => (response.status, response.reason) = (status, reason),
            Event::Data(bytes) => {
                exchange.release_capacity(bytes.len());
                response.chunks += 1;
                response.body.extend(bytes);
            }
            Event::End => return true,
            Event::Error(error) => {
                response.error = Some(error);
                return true;
            }
        }
        false
    });
    response
}

fn plain(body: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 Fine\r\ncontent-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fn encoded(mode: Mode, body: &[u8], name: &str) -> Vec<u8> {
    let settings = Settings {
        mode,
        level: 9,
        window_bits: 15,
        memory_level: 8,
        strategy: 0,
        dictionary: None,
        is_single: false,
    };
    let mut bytes = Vec::new();
    Codec::new(settings).unwrap().convert(body, &mut bytes, 4, usize::MAX);
    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-encoding: {name}\r\ncontent-length: {}\r\n\r\n", bytes.len());
    [head.into_bytes(), bytes].concat()
}

/// A response with a body in a format of `rusk-brotli-zstd`, in two streams if `is_split`.
fn encoded_by_library(format: CodecFormat, body: &[u8], name: &str, is_split: bool) -> Vec<u8> {
    let compress = |part: &[u8]| {
        let (parameters, dictionary, source_bytes) = (Vec::new(), None, None);
        let settings = CodecSettings { format, parameters, dictionary, source_bytes };
        let mut bytes = vec![0; 1 << 20];
        let step = rusk_brotli_zstd::Codec::new(settings).unwrap().step(part, &mut bytes, 2);
        bytes.truncate(step.written_bytes);
        bytes
    };
    let (first, second) = body.split_at(if is_split { body.len() / 2 } else { body.len() });
    let bytes = if is_split { [compress(first), compress(second)].concat() } else { compress(first) };
    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-encoding: {name}\r\ncontent-length: {}\r\n\r\n", bytes.len());
    [head.into_bytes(), bytes].concat()
}

#[test]
fn brotli_and_zstandard_bodies_are_decoded() {
    let body = b"to be or not to be, ".repeat(20_000);
    let answers = [
        encoded_by_library(CodecFormat::BrotliEncode, &body, "br", false),
        encoded_by_library(CodecFormat::ZstdCompress, &body, "zstd", false),
        encoded_by_library(CodecFormat::ZstdCompress, &body, "zstd", true),
    ];
    for answer in answers {
        let (port, _requests) = server(vec![vec![answer]]);
        let client = Client::start(TlsOptions::default()).unwrap();
        let response = fetch(&client, request(port, RequestBody::None));
        assert!(response.body == body && response.error.is_none());
    }
    assert_eq!(crate::accept_encoding(), "gzip, deflate, br, zstd");
}

#[test]
fn requests_to_one_origin_share_a_connection() {
    let (port, requests) = server(vec![vec![plain("one"), plain("two")]]);
    let client = Client::start(TlsOptions::default()).unwrap();
    for body in ["one", "two"] {
        let response = fetch(&client, request(port, RequestBody::None));
        assert_eq!(
            (response.status, response.reason.as_str(), &response.body[..]),
            (200, "Fine", body.as_bytes())
        );
        let received = requests.recv().unwrap();
        assert_eq!(
            received,
            format!(
                "GET /path?query HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: keep-alive\r\nx-one: 1\r\n\r\n"
            )
        );
    }
}

#[test]
fn a_closed_idle_connection_is_replaced() {
    let (port, requests) = server(vec![vec![plain("one")], vec![plain("two")]]);
    let client = Client::start(TlsOptions::default()).unwrap();
    for body in ["one", "two"] {
        let response = fetch(&client, request(port, RequestBody::None));
        assert_eq!((response.error, &response.body[..]), (None, body.as_bytes()));
        requests.recv().unwrap();
    }
}

#[test]
fn request_bodies_are_sent_whole_or_streamed() {
    let (port, requests) = server(vec![vec![plain(""), plain("")]]);
    let client = Client::start(TlsOptions::default()).unwrap();
    fetch(&client, request(port, RequestBody::Full(b"all of it".to_vec())));
    assert!(requests.recv().unwrap().ends_with("content-length: 9\r\n\r\nall of it"));
    let mut exchange = client.send(request(port, RequestBody::Stream(None)));
    exchange.write(b"piece".to_vec());
    let mut left = vec![b"another".to_vec()];
    wait(&client, |event| {
        if let Event::Drain = event {
            match left.pop() {
                Some(piece) => exchange.write(piece),
                None => exchange.end(),
            }
        }
        matches!(event, Event::End)
    });
    let received = requests.recv().unwrap();
    assert!(received.ends_with("\r\n\r\n5\r\npiece\r\n7\r\nanother\r\n0\r\n\r\n"), "{received}");
}

#[test]
fn encoded_bodies_are_decoded() {
    let text = b"text and more text ".repeat(1000);
    let cases = [
        (Mode::Gzip, "gzip"),
        (Mode::Gzip, "X-GZIP"),
        (Mode::Deflate, "deflate"),
        (Mode::DeflateRaw, "deflate"),
    ];
    for (mode, name) in cases {
        let (port, _requests) = server(vec![vec![encoded(mode, &text, name)]]);
        let client = Client::start(TlsOptions::default()).unwrap();
        let response = fetch(&client, request(port, RequestBody::None));
        assert!(response.error.is_none() && response.body == text, "{mode:?} {name} {:?}", response.error);
    }
}

#[test]
fn a_decompression_bomb_waits_for_its_reader() {
    let bomb = encoded(Mode::Gzip, &vec![0; 20 << 20], "gzip");
    let (port, _requests) = server(vec![vec![bomb]]);
    let client = Client::start(TlsOptions::default()).unwrap();
    let exchange = client.send(request(port, RequestBody::None));
    let (mut arrived, mut most, mut waiting) = (0, 0, 0);
    wait(&client, |event| {
        if let Event::Data(bytes) = &event {
            (arrived, waiting) = (arrived + bytes.len(), waiting + bytes.len());
            most = most.max(waiting);
            // Only when the next chunk might not fit.
            if waiting + CHUNK_BYTES_MAX > BUFFERED_BYTES_MAX {
                exchange.release_capacity(std::mem::take(&mut waiting));
            }
        }
        matches!(event, Event::End)
    });
    assert_eq!(arrived, 20 << 20);
    assert!(most <= BUFFERED_BYTES_MAX, "{most}");
}

#[test]
fn errors_name_their_cause() {
    let error = |responses| {
        let (port, _requests) = server(vec![responses]);
        fetch(&Client::start(TlsOptions::default()).unwrap(), request(port, RequestBody::None)).error
    };
    assert_eq!(
        error(vec![b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf".to_vec()]),
        Some(ClientError::Closed)
    );
    assert_eq!(error(vec![Vec::new()]), Some(ClientError::Closed));
    assert!(matches!(error(vec![b"no such protocol\r\n\r\n".to_vec()]), Some(ClientError::Protocol(_))));
    let damaged = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc".to_vec();
    assert!(matches!(error(vec![damaged]), Some(ClientError::Encoding { code: -3, .. })));
    // Bound, so that no other process gets the port, and no process listens.
    let silent = socket::open(socket::Family::Inet).unwrap();
    let address = SocketAddr::parse_ip("127.0.0.1", 0).unwrap();
    socket::bind(silent.as_fd(), &address, socket::BindOptions::default()).unwrap();
    let Ok(SocketAddr::Inet(address)) = socket::local_addr(silent.as_fd()) else { panic!("it is bound") };
    let port = address.port();
    match fetch(&Client::start(TlsOptions::default()).unwrap(), request(port, RequestBody::None)).error {
        Some(ClientError::Connect(refusals)) => assert_eq!(refusals[0].1, 111),
        other => panic!("{other:?}"),
    }
}
