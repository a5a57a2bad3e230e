//! Exchanges with a server on loopback that answers what it was told to, whatever it is asked.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use rusk_base::sys::epoll::{Epoll, EventFlags};
use rusk_zlib::{Codec, Mode, Settings};

use crate::client::WAITING_BYTES_MAX;
use crate::decode::PIECE_BYTES;
use crate::{Client, Event, Failure, Request, Trust, Upload};

/// A port, and what each request was. A connection is a list of answers, each to one request, and
/// is closed behind the last.
fn server(connections: Vec<Vec<Vec<u8>>>) -> (u16, Receiver<String>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let (seen, requests) = channel();
    thread::spawn(move || {
        for answers in connections {
            let (mut stream, _) = listener.accept().unwrap();
            for answer in answers {
                seen.send(read_request(&mut stream)).unwrap();
                if stream.write_all(&answer).is_err() {
                    break;
                }
            }
        }
    });
    (port, requests)
}

/// Until an empty line, and as much as follows by its own word.
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

fn request(port: u16, upload: Upload) -> Request {
    let method = if matches!(upload, Upload::None) { "GET" } else { "POST" };
    Request {
        method: method.to_owned(),
        is_secure: false,
        host: "127.0.0.1".to_owned(),
        port,
        target: "/path?question".to_owned(),
        headers: vec![("x-one".to_owned(), b"1".to_vec())],
        upload,
        unpacks: true,
    }
}

/// What an answer was, with its body in one.
#[derive(Debug)]
struct Answer {
    status: u16,
    reason: String,
    body: Vec<u8>,
    pieces: usize,
    failure: Option<Failure>,
}

/// Events as they come, until there is one that satisfies.
fn wait(client: &Client, mut is_last: impl FnMut(Event) -> bool) {
    let (epoll, waker) = (Epoll::new().unwrap(), client.waker().unwrap());
    epoll.add(waker.as_fd(), 0, EventFlags::IN).unwrap();
    loop {
        epoll.wait(&mut Vec::new(), None).unwrap();
        for (_, event) in client.take().unwrap() {
            if is_last(event) {
                return;
            }
        }
    }
}

fn fetch(client: &Client, request: Request) -> Answer {
    let exchange = client.begin(request);
    let mut answer = Answer { status: 0, reason: String::new(), body: Vec::new(), pieces: 0, failure: None };
    wait(client, |event| {
        match event {
            Event::Room => {}
            Event::Head { status, reason, .. } => (answer.status, answer.reason) = (status, reason),
            Event::Piece(bytes) => {
                exchange.taken(bytes.len());
                answer.pieces += 1;
                answer.body.extend(bytes);
            }
            Event::End => return true,
            Event::Failed(failure) => {
                answer.failure = Some(failure);
                return true;
            }
        }
        false
    });
    answer
}

fn plain(body: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 Fine\r\ncontent-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fn packed(mode: Mode, body: &[u8], name: &str) -> Vec<u8> {
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
    Codec::new(settings).unwrap().whole(body, &mut bytes, 4, usize::MAX);
    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-encoding: {name}\r\ncontent-length: {}\r\n\r\n", bytes.len());
    [head.into_bytes(), bytes].concat()
}

#[test]
fn requests_to_one_origin_share_a_connection() {
    let (port, requests) = server(vec![vec![plain("one"), plain("two")]]);
    let client = Client::start(Trust::default()).unwrap();
    for body in ["one", "two"] {
        let answer = fetch(&client, request(port, Upload::None));
        assert_eq!((answer.status, answer.reason.as_str(), &answer.body[..]), (200, "Fine", body.as_bytes()));
        let seen = requests.recv().unwrap();
        assert_eq!(
            seen,
            format!(
                "GET /path?question HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: keep-alive\r\nx-one: 1\r\n\r\n"
            )
        );
    }
}

#[test]
fn a_connection_that_was_closed_meanwhile_is_replaced() {
    let (port, requests) = server(vec![vec![plain("one")], vec![plain("two")]]);
    let client = Client::start(Trust::default()).unwrap();
    for body in ["one", "two"] {
        let answer = fetch(&client, request(port, Upload::None));
        assert_eq!((answer.failure, &answer.body[..]), (None, body.as_bytes()));
        requests.recv().unwrap();
    }
}

#[test]
fn bodies_go_up_whole_and_in_pieces() {
    let (port, requests) = server(vec![vec![plain(""), plain("")]]);
    let client = Client::start(Trust::default()).unwrap();
    fetch(&client, request(port, Upload::Whole(b"all of it".to_vec())));
    assert!(requests.recv().unwrap().ends_with("content-length: 9\r\n\r\nall of it"));
    let mut exchange = client.begin(request(port, Upload::Pieces(None)));
    exchange.write(b"piece".to_vec());
    let mut left = vec![b"another".to_vec()];
    wait(&client, |event| {
        if let Event::Room = event {
            match left.pop() {
                Some(piece) => exchange.write(piece),
                None => exchange.end(),
            }
        }
        matches!(event, Event::End)
    });
    let seen = requests.recv().unwrap();
    assert!(seen.ends_with("\r\n\r\n5\r\npiece\r\n7\r\nanother\r\n0\r\n\r\n"), "{seen}");
}

#[test]
fn what_was_packed_arrives_unpacked() {
    let text = b"text and more text ".repeat(1000);
    let cases = [
        (Mode::Gzip, "gzip"),
        (Mode::Gzip, "X-GZIP"),
        (Mode::Deflate, "deflate"),
        (Mode::DeflateRaw, "deflate"),
    ];
    for (mode, name) in cases {
        let (port, _requests) = server(vec![vec![packed(mode, &text, name)]]);
        let client = Client::start(Trust::default()).unwrap();
        let answer = fetch(&client, request(port, Upload::None));
        assert!(answer.failure.is_none() && answer.body == text, "{mode:?} {name} {:?}", answer.failure);
    }
}

#[test]
fn a_bomb_waits_for_whoever_takes_it() {
    let bomb = packed(Mode::Gzip, &vec![0; 20 << 20], "gzip");
    let (port, _requests) = server(vec![vec![bomb]]);
    let client = Client::start(Trust::default()).unwrap();
    let exchange = client.begin(request(port, Upload::None));
    let (mut arrived, mut most, mut waiting) = (0, 0, 0);
    wait(&client, |event| {
        if let Event::Piece(bytes) = &event {
            (arrived, waiting) = (arrived + bytes.len(), waiting + bytes.len());
            most = most.max(waiting);
            // Only when the next piece may find no room.
            if waiting + PIECE_BYTES > WAITING_BYTES_MAX {
                exchange.taken(std::mem::take(&mut waiting));
            }
        }
        matches!(event, Event::End)
    });
    assert_eq!(arrived, 20 << 20);
    assert!(most <= WAITING_BYTES_MAX, "{most}");
}

#[test]
fn what_goes_wrong_says_so() {
    let failure = |answers| {
        let (port, _requests) = server(vec![answers]);
        fetch(&Client::start(Trust::default()).unwrap(), request(port, Upload::None)).failure
    };
    assert_eq!(
        failure(vec![b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf".to_vec()]),
        Some(Failure::Closed)
    );
    assert_eq!(failure(vec![Vec::new()]), Some(Failure::Closed));
    assert!(matches!(failure(vec![b"no such protocol\r\n\r\n".to_vec()]), Some(Failure::Protocol(_))));
    let damaged = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc".to_vec();
    assert!(matches!(failure(vec![damaged]), Some(Failure::Encoding { code: -3, .. })));
    let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    match fetch(&Client::start(Trust::default()).unwrap(), request(port, Upload::None)).failure {
        Some(Failure::Connect(refusals)) => assert_eq!(refusals[0].1, 111),
        other => panic!("{other:?}"),
    }
}
