//! A server and clients on loopback, in one process: what clients read for what they write.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::rc::Rc;
use std::thread;
use std::time::Duration;

use rusk_base::sys::socket::SocketAddr;
use rusk_testkit::project::Project;

use super::*;

/// How long a test waits for what has to come.
const PATIENCE: Duration = Duration::from_secs(20);

fn server(routes: RouteTable, limits: Limits) -> Server {
    let options = ListenOptions::Inet {
        host: Some("127.0.0.1".to_owned()),
        port: 0,
        reuse_port: false,
        is_ipv6_only: false,
    };
    Server::new(listen(&options).unwrap(), routes, limits).unwrap()
}

fn connect(server: &Server) -> TcpStream {
    let Some(SocketAddr::Inet(address)) = server.local_addr() else { panic!("it listens") };
    let client = TcpStream::connect(address).unwrap();
    client.set_read_timeout(Some(PATIENCE)).unwrap();
    client
}

/// Runs the server until the client has read all that comes for its input.
fn exchange_with(mut server: Server, input: &str, mut handle: impl FnMut(&mut Server, Event)) -> String {
    let mut client = connect(&server);
    let input = input.as_bytes().to_vec();
    let reader = thread::spawn(move || {
        client.write_all(&input).unwrap();
        let mut output = Vec::new();
        client.read_to_end(&mut output).unwrap();
        output
    });
    while !reader.is_finished() {
        server.poll(Some(Duration::from_millis(5))).unwrap();
        while let Some(event) = server.next_event() {
            handle(&mut server, event);
        }
        server.flush();
    }
    assert_eq!(server.in_flight(), 0);
    without_dates(&String::from_utf8(reader.join().unwrap()).unwrap())
}

fn without_dates(text: &str) -> String {
    text.split_inclusive("\r\n").filter(|line| !line.starts_with("Date: ")).collect::<String>()
}

/// Answers with method, target and body.
fn echo(server: &mut Server, event: Event) {
    let (Event::Request { id, .. } | Event::Body(id)) = event else { return };
    let Some(view) = server.request(id) else { return };
    let mut answer =
        format!("{} {}", view.method_name(), String::from_utf8_lossy(view.target())).into_bytes();
    if view.has_body() {
        let BodyRead::Bytes(body) = server.read_whole_body(id) else { return };
        answer.push(b' ');
        answer.extend_from_slice(&body);
    }
    server.respond(id, &ResponseHead::default(), &answer);
}

fn exchange(input: &str) -> String {
    exchange_with(server(RouteTable::default(), Limits::default()), input, echo)
}

const LAST: &str = "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
const LAST_ANSWER: &str = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nGET /last";

#[test]
fn pipelined_requests_are_answered_in_order() {
    let input = format!(
        "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPOST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc{LAST}"
    );
    let expected = format!(
        "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nGET /1HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nPOST /2 abc{LAST_ANSWER}"
    );
    assert_eq!(exchange(&input), expected);
}

#[test]
fn a_chunked_body_is_read_as_a_whole() {
    let input = format!(
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n{LAST}"
    );
    let expected = format!("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nPOST / abc{LAST_ANSWER}");
    assert_eq!(exchange(&input), expected);
}

#[test]
fn head_has_the_length_and_no_body() {
    let input = format!("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n{LAST}");
    assert_eq!(exchange(&input), format!("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n{LAST_ANSWER}"));
}

#[test]
fn http_1_0_closes_unless_it_asks_for_more() {
    assert_eq!(
        exchange("GET / HTTP/1.0\r\n\r\n"),
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nGET /"
    );
    let input = format!("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n{LAST}");
    let first = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\nGET /";
    assert_eq!(exchange(&input), format!("{first}{LAST_ANSWER}"));
}

#[test]
fn what_is_no_request_is_refused_and_nothing_after_it_is_read() {
    let long = format!("GET / HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n", "x".repeat(20_000));
    for (input, status) in [
        ("GET / HTTP/1.1\r\n\r\n", "400 Bad Request"),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400 Bad Request"),
        ("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "400 Bad Request"),
        ("nonsense\r\n\r\n", "400 Bad Request"),
        (
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
            "400 Bad Request",
        ),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "400 Bad Request"),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999999\r\n\r\n", "413 Payload Too Large"),
        ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", "505 HTTP Version Not Supported"),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505 HTTP Version Not Supported"),
        (long.as_str(), "431 Request Header Fields Too Large"),
    ] {
        let expected = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        assert_eq!(exchange(&format!("{input}{LAST}")), expected, "{input:?}");
    }
}

#[test]
fn a_chunked_body_over_the_limit_is_refused() {
    let limits = Limits { body_bytes_max: 4, ..Limits::default() };
    let input = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n";
    let output = exchange_with(server(RouteTable::default(), limits), input, echo);
    assert!(output.starts_with("HTTP/1.1 413 "), "{output}");
}

#[test]
fn a_head_that_does_not_come_is_timed_out() {
    let limits = Limits { head_timeout: Duration::from_millis(150), ..Limits::default() };
    let output = exchange_with(server(RouteTable::default(), limits), "GET / HTTP/1.1\r\nHo", echo);
    assert_eq!(output, "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

#[test]
fn an_idle_connection_is_closed() {
    let limits = Limits { idle_timeout: Duration::from_millis(150), ..Limits::default() };
    let output = exchange_with(server(RouteTable::default(), limits), "", echo);
    assert_eq!(output, "");
}

#[test]
fn a_program_asks_for_the_body_with_100_continue() {
    let input = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\n";
    let mut server = server(RouteTable::default(), Limits::default());
    let mut client = connect(&server);
    client.write_all(input.as_bytes()).unwrap();
    let client = thread::spawn(move || {
        let mut interim = [0; 25];
        client.read_exact(&mut interim).unwrap();
        assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");
        client.write_all(b"abc").unwrap();
        let mut output = String::new();
        client.read_to_string(&mut output).unwrap();
        output
    });
    while !client.is_finished() {
        server.poll(Some(Duration::from_millis(5))).unwrap();
        while let Some(event) = server.next_event() {
            echo(&mut server, event);
        }
        server.flush();
    }
    assert!(client.join().unwrap().ends_with("POST / abc"));
}

#[test]
fn a_response_in_pieces_is_chunked() {
    let input = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    let handle = |server: &mut Server, event: Event| {
        let Event::Request { id, .. } = event else { return };
        server.begin(id, &ResponseHead { fields: b"X: y\r\n", ..ResponseHead::default() });
        server.write(id, b"first");
        server.write(id, b"");
        server.write(id, &[b'-'; 16]);
        server.end(id);
    };
    let output = exchange_with(server(RouteTable::default(), Limits::default()), input, handle);
    let head = "HTTP/1.1 200 OK\r\nX: y\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
    assert_eq!(output, format!("{head}5\r\nfirst\r\n10\r\n----------------\r\n0\r\n\r\n"));
}

#[test]
fn a_response_of_a_known_length_has_no_chunks() {
    let input = "GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(2);
    let mut requests = 0;
    let handle = |server: &mut Server, event: Event| {
        let Event::Request { id, .. } = event else { return };
        server.begin(id, &ResponseHead { length_of_head: Some(7), ..ResponseHead::default() });
        server.write(id, b"first");
        if requests == 0 {
            // What is longer is not sent.
            server.write(id, b"second");
        }
        requests += 1;
        server.end(id);
    };
    let output = exchange_with(server(RouteTable::default(), Limits::default()), &input, handle);
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n";
    // The second one is too short, which only the end of the connection says.
    assert_eq!(output, format!("{head}firstse{head}first"));
}

#[test]
fn borrowed_pieces_are_chunked_whether_the_socket_takes_them_or_not() {
    const PIECE_BYTES: usize = 0x20000;
    let input = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    let (mut sent, mut waiting_max) = (0, 0);
    let handle = |server: &mut Server, event: Event| {
        let id = match event {
            Event::Request { id, .. } => {
                server.begin(id, &ResponseHead::default());
                id
            }
            Event::Drain(id) => id,
            _ => return,
        };
        // More than a socket takes, then small ones.
        while sent < 120 {
            sent += 1;
            let count = if sent <= 100 { PIECE_BYTES } else { 3 };
            let piece = vec![b'a' + sent % 26; count];
            let waiting = server.write_borrowed(id, count, |take| take(&piece)).unwrap();
            waiting_max = waiting_max.max(waiting);
            if waiting > PIECE_BYTES {
                server.wait_for_drain(id);
                return;
            }
        }
        server.end(id);
    };
    let output = exchange_with(server(RouteTable::default(), Limits::default()), input, handle);
    let expected: String = (1..=120_u8)
        .map(|index| {
            let count = if index <= 100 { PIECE_BYTES } else { 3 };
            format!("{count:x}\r\n{}\r\n", char::from(b'a' + index % 26).to_string().repeat(count))
        })
        .collect();
    assert!(output.split_once("\r\n\r\n").unwrap().1 == expected + "0\r\n\r\n", "the chunks are intact");
    assert!(waiting_max > 0, "the socket did not take all");
}

#[test]
fn a_large_response_waits_for_the_client() {
    const PIECES: usize = 200;
    let input = "GET / HTTP/1.0\r\n\r\n";
    let (mut sent, mut waited) = (0, 0);
    let handle = |server: &mut Server, event: Event| {
        let id = match event {
            Event::Request { id, .. } => {
                server.begin(id, &ResponseHead::default());
                id
            }
            Event::Drain(id) => id,
            _ => return,
        };
        while sent < PIECES {
            sent += 1;
            let waiting = server.write(id, &[b'x'; 100_000]).unwrap();
            assert!(waiting < 1_000_000, "output is bounded");
            if waiting > 100_000 {
                waited += 1;
                server.wait_for_drain(id);
                return;
            }
        }
        server.end(id);
    };
    let output = exchange_with(server(RouteTable::default(), Limits::default()), input, handle);
    let body = output.split_once("\r\n\r\n").unwrap().1;
    assert_eq!(body.len(), PIECES * 100_000);
    assert!(waited > 0);
}

#[test]
fn a_static_route_is_answered_without_an_event() {
    let mut routes = RouteTable::default();
    let head = ResponseHead { fields: b"X: y\r\n", ..ResponseHead::default() };
    let response = StaticResponse::new(&head, b"static".to_vec(), None);
    let target = RouteTarget::Static(Rc::new(response));
    routes.add(Route { path: "/s", method: None, target });
    let etag = String::from_utf8(etag_of(b"static")).unwrap();
    let input = format!(
        "GET /s HTTP/1.1\r\nHost: a\r\n\r\nGET /s HTTP/1.1\r\nHost: a\r\nIf-None-Match: {etag}\r\nConnection: close\r\n\r\n"
    );
    let output = exchange_with(server(routes, Limits::default()), &input, |_, event| panic!("{event:?}"));
    let expected = format!(
        "HTTP/1.1 200 OK\r\nX: y\r\nETag: {etag}\r\nContent-Length: 6\r\n\r\nstatic\
         HTTP/1.1 304 Not Modified\r\nX: y\r\nETag: {etag}\r\nConnection: close\r\n\r\n"
    );
    assert_eq!(output, expected);
}

fn file_route(path: PathBuf) -> RouteTable {
    let mut routes = RouteTable::default();
    let response = FileResponse {
        path,
        status: 200,
        reason: Vec::new(),
        fields: b"X: y\r\n".to_vec(),
        sets: FileFields { has_last_modified: true, ..FileFields::default() },
        start: 0,
        end: None,
        slice: SliceMeaning::Resource,
    };
    routes.add(Route { path: "/f", method: None, target: RouteTarget::File(Rc::new(response)) });
    routes
}

#[test]
fn a_file_is_sent_whole_or_in_part() {
    let directory = Project::new();
    let path = directory.path().join("f");
    std::fs::write(&path, "0123456789").unwrap();
    let get = |fields: &str| {
        let input = format!("GET /f HTTP/1.1\r\nHost: a\r\n{fields}Connection: close\r\n\r\n");
        exchange_with(server(file_route(path.clone()), Limits::default()), &input, |_, event| {
            panic!("{event:?}")
        })
    };
    let head = |status: &str, range: &str, length: usize| {
        format!(
            "HTTP/1.1 {status}\r\nX: y\r\nAccept-Ranges: bytes\r\n{range}Content-Length: {length}\r\nConnection: close\r\n\r\n"
        )
    };
    assert_eq!(get(""), head("200 OK", "", 10) + "0123456789");
    let range = "Content-Range: bytes 2-4/10\r\n";
    assert_eq!(get("Range: bytes=2-4\r\n"), head("206 Partial Content", range, 3) + "234");
    assert!(get("If-Unmodified-Since: Tue, 15 Nov 1994 12:45:26 GMT\r\n").starts_with("HTTP/1.1 412 "));
    assert!(get("If-None-Match: *\r\n").starts_with("HTTP/1.1 304 "));
    let range = "Content-Range: bytes */10\r\n";
    assert_eq!(get("Range: bytes=20-\r\n"), head("416 Range Not Satisfiable", range, 0));
    std::fs::remove_file(&path).unwrap();
    assert!(get("").starts_with("HTTP/1.1 404 Not Found\r\n"));
}

#[test]
fn a_directory_is_served_and_nothing_beside_it() {
    let directory = Project::new();
    let public = directory.path().join("public");
    std::fs::create_dir_all(public.join("sub")).unwrap();
    std::fs::write(public.join("a b.txt"), "spaced").unwrap();
    std::fs::write(public.join("sub/index.html"), "index").unwrap();
    std::fs::write(directory.path().join("secret"), "secret").unwrap();
    std::os::unix::fs::symlink("../secret", public.join("link")).unwrap();
    let get = |path: &str| {
        let types = [("txt".to_owned(), "text/plain".to_owned())].into();
        let mut routes = RouteTable::default();
        let target = RouteTarget::Directory(Rc::new(Directory::open(&public, "/d/*", types).unwrap()));
        routes.add(Route { path: "/d/*", method: None, target });
        let input = format!("GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        exchange_with(server(routes, Limits::default()), &input, |_, event| panic!("{event:?}"))
    };
    let text = get("/d/a%20b.txt");
    assert!(text.contains("Content-Type: text/plain\r\n") && text.ends_with("spaced"), "{text}");
    assert!(get("/d/sub/").ends_with("index"));
    assert!(get("/d/sub").contains("301 Moved Permanently\r\nLocation: /d/sub/\r\n"));
    assert!(get("/d/sub?a=b").contains("\r\nLocation: /d/sub/?a=b\r\n"));
    for path in [
        "/d/../secret",
        "/d/%2e%2e/secret",
        "/d/..%2fsecret",
        "/d/link",
        "/d//sub/",
        "/d/absent",
        "/d/%61",
        "/d/",
    ] {
        assert!(get(path).starts_with("HTTP/1.1 404 "), "{path}");
    }
}

#[test]
fn an_upgrade_gives_up_the_connection() {
    let mut server = server(RouteTable::default(), Limits::default());
    let mut client = connect(&server);
    client.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nearly").unwrap();
    let upgraded = loop {
        server.poll(Some(PATIENCE)).unwrap();
        if let Some(Event::Request { id, .. }) = server.next_event() {
            break server.upgrade(id, b"Upgrade: x\r\nConnection: Upgrade\r\n").unwrap();
        }
    };
    assert_eq!(upgraded.head, b"early");
    assert_eq!((server.in_flight(), server.connection_count()), (0, 0));
    rusk_base::sys::write(upgraded.transport.as_fd(), b"later").unwrap();
    drop(upgraded);
    let mut output = String::new();
    client.read_to_string(&mut output).unwrap();
    let head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n";
    assert_eq!(without_dates(&output), format!("{head}later"));
}

#[test]
fn a_client_that_leaves_aborts_its_request() {
    let mut server = server(RouteTable::default(), Limits::default());
    let mut client = connect(&server);
    client.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
    let mut begun = None;
    loop {
        server.poll(Some(PATIENCE)).unwrap();
        match server.next_event() {
            Some(Event::Request { id, .. }) => {
                begun = Some(id);
                client.shutdown(Shutdown::Both).unwrap();
            }
            Some(Event::Aborted(id)) => {
                assert_eq!(Some(id), begun);
                assert!(!server.respond(id, &ResponseHead::default(), b"late"));
                break;
            }
            _ => {}
        }
    }
    assert_eq!((server.in_flight(), server.connection_count()), (0, 0));
}

#[test]
fn a_stopped_server_answers_what_it_has_begun() {
    let mut server = server(RouteTable::default(), Limits::default());
    let (_idle, mut busy) = (connect(&server), connect(&server));
    busy.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
    let mut is_stopped = false;
    while !is_stopped {
        server.poll(Some(PATIENCE)).unwrap();
        while let Some(event) = server.next_event() {
            match event {
                Event::Request { id, .. } => {
                    server.stop();
                    assert_eq!(server.connection_count(), 1, "idle ones are closed");
                    server.respond(id, &ResponseHead::default(), b"done");
                }
                Event::Stopped => is_stopped = true,
                _ => {}
            }
        }
        server.flush();
    }
    let mut output = String::new();
    busy.read_to_string(&mut output).unwrap();
    assert!(output.contains("Connection: close\r\n") && output.ends_with("done"), "{output}");
}

#[test]
fn a_response_is_written_also_if_no_further_event_is_taken() {
    let mut server = server(RouteTable::default(), Limits::default());
    let mut client = connect(&server);
    client.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
    let mut take = |server: &mut Server| loop {
        server.poll(Some(PATIENCE)).unwrap();
        if let Some(Event::Request { id, .. }) = server.next_event() {
            server.respond(id, &ResponseHead::default(), b"!");
            server.flush();
            let mut output = [0; 256];
            let count = client.read(&mut output).unwrap();
            return without_dates(&String::from_utf8_lossy(&output[..count]));
        }
    };
    let expected = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n!";
    assert_eq!(take(&mut server), expected);
    assert_eq!(take(&mut server), expected);
}
