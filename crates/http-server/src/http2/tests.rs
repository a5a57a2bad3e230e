//! A server and a client session on loopback, in one thread. Names follow the sections of RFC 9113.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rusk_base::sys::socket::SocketAddr;
use rusk_http2::error::code;
use rusk_http2::frame::{PREFACE, kind, write_frame};
use rusk_http2::{HeaderField, Http2Session, SessionEvent, SessionOptions, SessionRole};
use rusk_testkit::project::Project;

use super::{request_head, response_fields};
use crate::*;

const PATIENCE: Duration = Duration::from_secs(20);

struct Pair {
    server: Server,
    stream: TcpStream,
    session: Http2Session,
    events: Vec<SessionEvent>,
    aborted: usize,
    has_stopped: bool,
    is_closed: bool,
}

impl Pair {
    fn new(routes: RouteTable, limits: Limits) -> Pair {
        let options = ListenOptions::Inet {
            host: Some("127.0.0.1".to_owned()),
            port: 0,
            reuse_port: false,
            is_ipv6_only: false,
        };
        let mut server = Server::new(listen(&options).unwrap(), routes, limits).unwrap();
        server.set_protocols(Protocols { http1: true, http2: true });
        let Some(SocketAddr::Inet(address)) = server.local_addr() else { panic!("it listens") };
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nonblocking(true).unwrap();
        let mut session = Http2Session::new(SessionRole::Client, SessionOptions::default());
        session.settings(&[]).unwrap();
        let (aborted, has_stopped, is_closed) = (0, false, false);
        Pair { server, stream, session, events: Vec::new(), aborted, has_stopped, is_closed }
    }

    fn request(&mut self, method: &str, path: &str, ends_stream: bool) -> u32 {
        let pairs = [(":method", method), (":scheme", "http"), (":authority", "one.test"), (":path", path)];
        let fields = pairs.iter().map(|(name, value)| HeaderField::new(name, value)).collect();
        let stream = self.session.request(fields, ends_stream, None).unwrap();
        self.session.set_reading(stream, true);
        stream
    }

    /// Moves bytes both ways, and answers requests, until something is so.
    fn run_until(&mut self, mut handle: impl FnMut(&mut Server, Event), is_done: impl Fn(&Pair) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !is_done(self) {
            assert!(Instant::now() < end, "{:?}", self.events);
            let mut output = &self.session.take_output(usize::MAX)[..];
            while !output.is_empty() {
                match self.stream.write(output) {
                    Ok(count) => output = &output[count..],
                    Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => self.serve(&mut handle),
                    Err(_) => break,
                }
            }
            self.serve(&mut handle);
            let mut bytes = [0; 1 << 16];
            match self.stream.read(&mut bytes) {
                Ok(0) => self.is_closed = true,
                Ok(count) => self.session.receive(&bytes[..count], 0).unwrap(),
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                Err(_) => self.is_closed = true,
            }
            self.events.extend(std::iter::from_fn(|| self.session.next_event()));
        }
    }

    fn serve(&mut self, handle: &mut impl FnMut(&mut Server, Event)) {
        self.server.poll(Some(Duration::from_millis(1))).unwrap();
        while let Some(event) = self.server.next_event() {
            match event {
                Event::Aborted(_) => self.aborted += 1,
                Event::Stopped => self.has_stopped = true,
                event => handle(&mut self.server, event),
            }
        }
        self.server.flush();
    }

    fn closed(&self, stream: u32) -> Option<u32> {
        self.events.iter().find_map(|event| match event {
            SessionEvent::StreamClosed { stream: closed, code } if *closed == stream => Some(*code),
            _ => None,
        })
    }

    /// Status, fields and body of a response.
    fn response(&self, stream: u32) -> (String, Vec<HeaderField>, Vec<u8>) {
        let (mut fields, mut body) = (Vec::new(), Vec::new());
        for event in &self.events {
            match event {
                SessionEvent::Headers { stream: own, fields: found, .. } if *own == stream => {
                    fields.clone_from(found);
                }
                SessionEvent::Data { stream: own, bytes } if *own == stream => body.extend_from_slice(bytes),
                _ => {}
            }
        }
        let status = String::from_utf8(fields.remove(0).value).unwrap();
        (status, fields, body)
    }

    fn finish(&mut self, stream: u32) -> (String, Vec<u8>) {
        self.run_until(echo, |pair| pair.closed(stream).is_some());
        assert_eq!(self.closed(stream), Some(code::NO_ERROR));
        let (status, _, body) = self.response(stream);
        (status, body)
    }
}

/// Answers with method, target, host and body.
fn echo(server: &mut Server, event: Event) {
    let (Event::Request { id, .. } | Event::Body(id)) = event else { return };
    let Some(view) = server.request(id) else { return };
    let mut answer = [view.method_name().as_bytes(), view.target(), view.field(b"host").unwrap()].join(&b' ');
    if view.has_body() {
        match server.read_whole_body(id) {
            BodyRead::Bytes(body) => answer.extend_from_slice(&body),
            BodyRead::End => {}
            BodyRead::Pending | BodyRead::Gone => return,
        }
    }
    server.respond(id, &ResponseHead::default(), &answer);
}

fn text(body: &[u8]) -> String {
    String::from_utf8_lossy(body).into_owned()
}

#[test]
fn section_5_requests_are_answered_at_once() {
    let mut pair = Pair::new(RouteTable::default(), Limits::default());
    let streams: Vec<u32> = (0..50).map(|index| pair.request("GET", &format!("/{index}"), true)).collect();
    for (index, stream) in streams.into_iter().enumerate() {
        let (status, body) = pair.finish(stream);
        assert_eq!((status.as_str(), text(&body)), ("200", format!("GET /{index} one.test")));
    }
    assert_eq!((pair.server.in_flight(), pair.server.connection_count()), (0, 1));
}

#[test]
fn section_8_1_bodies_travel_in_both_directions() {
    let mut pair = Pair::new(RouteTable::default(), Limits::default());
    let sent = vec![b'x'; 3_000_000];
    let stream = pair.request("POST", "/", false);
    pair.session.write(stream, sent.clone()).unwrap();
    pair.session.end(stream, false);
    let (status, body) = pair.finish(stream);
    assert_eq!(status, "200");
    assert!(body.strip_prefix(b"POST / one.test").is_some_and(|body| body == sent));
}

#[test]
fn section_8_1_a_response_ends_a_request_that_goes_on() {
    let mut pair = Pair::new(RouteTable::default(), Limits::default());
    let stream = pair.request("POST", "/", false);
    let respond = |server: &mut Server, event| {
        if let Event::Request { id, .. } = event {
            server.respond(id, &ResponseHead { status: 403, ..ResponseHead::default() }, b"no");
        }
    };
    pair.run_until(respond, |pair| pair.closed(stream).is_some());
    assert_eq!((pair.response(stream).0, pair.closed(stream)), ("403".to_owned(), Some(code::NO_ERROR)));
}

#[test]
fn section_8_2_2_fields_of_the_connection_are_left_out() {
    let fields = b"Connection: close\r\nX-One: 1 \r\nTransfer-Encoding: chunked\r\n".to_vec();
    let head = [b"HTTP/1.1 201 Made\r\n", &fields[..], b"\r\n"].concat();
    let expected = [HeaderField::new(":status", "201"), HeaderField::new("x-one", "1")];
    assert_eq!(response_fields(&head), expected);
}

#[test]
fn section_8_3_1_a_request_becomes_a_head() {
    let pairs = [(":method", "GET"), (":path", "/a?b"), (":scheme", "https"), (":authority", "one.test:1")];
    let mut fields: Vec<_> = pairs.iter().map(|(name, value)| HeaderField::new(name, value)).collect();
    fields.extend([HeaderField::new("host", "two.test"), HeaderField::new("cookie", "a=1")]);
    let head = text(&request_head(&fields));
    assert_eq!(head, "GET /a?b HTTP/1.1\r\nhost: one.test:1\r\ncookie: a=1\r\n\r\n");
}

#[test]
fn section_8_3_1_what_is_no_target_is_refused() {
    let mut pair = Pair::new(RouteTable::default(), Limits::default());
    for path in ["/a b", "/ HTTP/1.1\u{e4}"] {
        let stream = pair.request("GET", path, true);
        assert_eq!(pair.finish(stream).0, "400");
    }
}

#[test]
fn section_6_9_a_client_that_does_not_read_holds_up_its_stream_only() {
    let mut pair = Pair::new(RouteTable::default(), Limits::default());
    let slow = pair.request("GET", "/large", true);
    pair.session.set_reading(slow, false);
    let answer = |server: &mut Server, event| match event {
        Event::Request { id, .. } if server.request(id).is_some_and(|view| view.path() == b"/large") => {
            server.respond(id, &ResponseHead::default(), &vec![b'x'; 1 << 20]);
        }
        event => echo(server, event),
    };
    let quick = pair.request("GET", "/quick", true);
    pair.run_until(answer, |pair| pair.closed(quick).is_some());
    assert_eq!(pair.closed(slow), None);
    pair.session.set_reading(slow, true);
    assert_eq!(pair.finish(slow).1.len(), 1 << 20);
}

#[test]
fn section_6_4_a_reset_aborts_one_request() {
    let mut pair = Pair::new(RouteTable::default(), Limits::default());
    let (first, second) = (pair.request("GET", "/1", true), pair.request("GET", "/2", true));
    let mut held = Vec::new();
    pair.run_until(|_, event| held.push(event), |pair| pair.server.in_flight() == 2);
    pair.session.reset_stream(first, code::CANCEL);
    pair.run_until(|_, _| {}, |pair| pair.aborted == 1);
    held.into_iter().for_each(|event| echo(&mut pair.server, event));
    assert_eq!(pair.finish(second).0, "200");
}

#[test]
fn section_5_2_a_body_over_the_limit_is_refused() {
    let mut pair = Pair::new(RouteTable::default(), Limits { body_bytes_max: 10, ..Limits::default() });
    let stream = pair.request("POST", "/", false);
    pair.session.write(stream, vec![b'x'; 20]).unwrap();
    assert_eq!(pair.finish(stream).0, "413");
    assert_eq!(pair.server.in_flight(), 0);
}

#[test]
fn section_6_8_a_server_that_stops_answers_what_it_has_begun() {
    let mut pair = Pair::new(RouteTable::default(), Limits::default());
    let stream = pair.request("GET", "/", true);
    let mut held = Vec::new();
    pair.run_until(|_, event| held.push(event), |pair| pair.server.in_flight() == 1);
    pair.server.stop();
    pair.run_until(
        |_, _| {},
        |pair| pair.events.iter().any(|event| matches!(event, SessionEvent::GoAway { code: 0, .. })),
    );
    held.into_iter().for_each(|event| echo(&mut pair.server, event));
    assert_eq!(pair.finish(stream).0, "200");
    pair.run_until(|_, _| {}, |pair| pair.has_stopped && pair.is_closed);
}

#[test]
fn section_9_1_an_idle_connection_is_closed() {
    let limits = Limits { idle_timeout: Duration::from_millis(200), ..Limits::default() };
    let mut pair = Pair::new(RouteTable::default(), limits);
    let stream = pair.request("GET", "/", true);
    assert_eq!(pair.finish(stream).0, "200");
    pair.run_until(|_, _| {}, |pair| pair.is_closed);
    assert_eq!(pair.server.connection_count(), 0);
}

#[test]
fn section_10_5_floods_end_the_connection() {
    let floods: [fn(u32) -> Vec<u8>; 3] = [
        |_| {
            let mut ping = Vec::new();
            write_frame(&mut ping, kind::PING, 0, 0, &[0; 8]);
            ping
        },
        |_| {
            let mut settings = Vec::new();
            write_frame(&mut settings, kind::SETTINGS, 0, 0, &[]);
            settings
        },
        |stream| {
            // GET / of the static table, with `:authority: a`.
            let mut reset = Vec::new();
            write_frame(&mut reset, kind::HEADERS, 5, stream, &[0x82, 0x86, 0x84, 0x01, 0x01, b'a']);
            write_frame(&mut reset, kind::RST_STREAM, 0, stream, &code::CANCEL.to_be_bytes());
            reset
        },
    ];
    for flood in floods {
        let mut pair = Pair::new(RouteTable::default(), Limits::default());
        let mut input = PREFACE.to_vec();
        write_frame(&mut input, kind::SETTINGS, 0, 0, &[]);
        (0..5000).for_each(|index| input.extend_from_slice(&flood(index * 2 + 1)));
        pair.stream.set_nonblocking(false).unwrap();
        let mut writer = pair.stream.try_clone().unwrap();
        let client = std::thread::spawn(move || drop(writer.write_all(&input)));
        let end = Instant::now() + PATIENCE;
        while pair.server.connection_count() > 0 || !client.is_finished() {
            assert!(Instant::now() < end, "{} connections", pair.server.connection_count());
            pair.serve(&mut |_: &mut Server, _| {});
        }
        client.join().unwrap();
        assert_eq!(pair.server.in_flight(), 0);
    }
}

#[test]
fn files_and_static_routes_are_answered_without_an_event() {
    let directory = Project::new();
    std::fs::write(directory.path().join("file.bin"), vec![b'f'; 1_000_000]).unwrap();
    let mut routes = RouteTable::default();
    let fixed = StaticResponse::new(&ResponseHead::default(), b"static".to_vec(), None);
    routes.add(Route { path: "/static", method: None, target: RouteTarget::Static(Rc::new(fixed)) });
    let files = Directory::open(&directory.path(), "/files/*", [].into()).unwrap();
    routes.add(Route { path: "/files/*", method: None, target: RouteTarget::Directory(Rc::new(files)) });
    let mut pair = Pair::new(routes, Limits::default());
    let streams = ["/static", "/files/file.bin"].map(|path| pair.request("GET", path, true));
    let unexpected = |_: &mut Server, event| panic!("{event:?}");
    pair.run_until(unexpected, |pair| streams.iter().all(|stream| pair.closed(*stream).is_some()));
    assert_eq!(pair.response(streams[0]).2, b"static");
    let (status, fields, body) = pair.response(streams[1]);
    let length = fields.iter().find(|field| field.name == b"content-length").unwrap();
    assert_eq!((status.as_str(), &length.value[..], body.len()), ("200", &b"1000000"[..], 1_000_000));
}
