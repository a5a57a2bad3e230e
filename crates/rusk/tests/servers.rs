//! Servers with too many connections: a process that may open 60 files and gets 120 connections
//! drops what it cannot accept, and answers again when there are fewer; 10,000 connections at once
//! are held, with bounded memory.

use rusk_testkit::server_process::{ServerProcess, ask};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::path::Path;

const CONNECTIONS: usize = 120;
const DESCRIPTORS: u64 = 60;
/// What a server must hold at once.
const CONNECTIONS_AT_ONCE: usize = 10_000;
const DESCRIPTORS_AT_ONCE: u64 = CONNECTIONS_AT_ONCE as u64 + 500;
/// Of one more connection, in a debug build, with what the kernel does not count.
const BYTES_PER_CONNECTION_MAX: u64 = 32 * 1024;
/// OpenSSL allocates buffers before the handshake. Node takes as much.
const BYTES_PER_HANDSHAKE_MAX: u64 = 96 * 1024;
const RUSK: &str = env!("CARGO_BIN_EXE_rusk");
const HTTP: &str = "const server = require('http').createServer((request, response) => response.end('fine'))\
                    .listen(0, '127.0.0.1', () => console.log(server.address().port));";
const SERVE: &str =
    "console.log(Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('fine') }).port);";

#[test]
fn a_server_survives_without_descriptors() {
    for program in [HTTP, SERVE] {
        let server = ServerProcess::start(Path::new(RUSK), program, DESCRIPTORS);
        let connections: Vec<_> = (0..CONNECTIONS).map(|_| server.connect()).collect();
        // A server that first runs when the requests come has descriptors for all of them in turn.
        if let Some(Some(last)) = connections.last() {
            let dropped = last.peek(&mut [0]);
            assert!(matches!(dropped, Ok(0)) || is_reset(&dropped), "the last one: {dropped:?}");
        }
        let answered = connections.into_iter().filter_map(|connection| ask(connection?)).count();
        assert!(answered > 0 && answered < CONNECTIONS, "{answered} of {CONNECTIONS} were answered");
        assert_eq!(server.ask().as_deref(), Some("fine"), "{program}");
    }
}

/// The second time memory may not grow again.
#[test]
fn ten_thousand_connections_are_held() {
    allow_descriptors();
    for program in [HTTP, SERVE] {
        let server = ServerProcess::start(Path::new(RUSK), program, DESCRIPTORS_AT_ONCE);
        assert_eq!(server.ask().as_deref(), Some("fine"), "{program}");
        let idle = server.resident_bytes();
        for _ in 0..2 {
            let connections =
                server.connect_all(CONNECTIONS_AT_ONCE, b"GET / HTTP/1.1\r\nHost: localhost\r\n");
            assert_eq!(server.ask().as_deref(), Some("fine"), "{program}");
            let each = server.resident_bytes().saturating_sub(idle) / CONNECTIONS_AT_ONCE as u64;
            assert!(each < BYTES_PER_CONNECTION_MAX, "{each} bytes for each connection: {program}");
            drop(connections);
        }
        assert_eq!(server.ask().as_deref(), Some("fine"), "{program}");
    }
}

#[test]
fn ten_thousand_half_open_handshakes_are_held() {
    let certificates = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/programs/tls");
    let program = format!(
        "const fs = require('fs'), tls = require('tls');
         const [cert, key] = ['certificate.pem', 'key.pem'].map((name) => fs.readFileSync(`{certificates}/${{name}}`));
         let failed = 0;
         const server = tls.createServer({{ cert, key }}, (socket) => socket.end('fine'));
         server.on('tlsClientError', (error, socket) => {{ failed += 1; socket.destroy(); }});
         server.listen(0, '127.0.0.1', () => console.log(server.address().port));
         process.stdin.on('data', () => {{
           const client = tls.connect({{ port: server.address().port, ca: cert, servername: 'localhost' }});
           client.on('data', (text) => console.log(String(text), failed));
         }});"
    );
    allow_descriptors();
    let mut server = ServerProcess::start(Path::new(RUSK), &program, DESCRIPTORS_AT_ONCE);
    assert_eq!(server.ask_itself(), "fine 0");
    let idle = server.resident_bytes();
    // The first bytes of a record that never ends.
    let connections = server.connect_all(CONNECTIONS_AT_ONCE, &[0x16, 3, 1, 0, 5, 1]);
    assert_eq!(server.ask_itself(), "fine 0");
    let each = server.resident_bytes().saturating_sub(idle) / CONNECTIONS_AT_ONCE as u64;
    assert!(each < BYTES_PER_HANDSHAKE_MAX, "{each} bytes for each handshake");
    drop(connections);
    let all = format!("fine {CONNECTIONS_AT_ONCE}");
    while server.ask_itself() != all {}
    assert_eq!(server.ask_itself(), all);
}

/// This process has the clients.
fn allow_descriptors() {
    let limit = getrlimit(Resource::Nofile);
    assert!(limit.maximum.is_none_or(|most| most >= DESCRIPTORS_AT_ONCE), "{limit:?}");
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).expect("up to the maximum");
}

fn is_reset(read: &std::io::Result<usize>) -> bool {
    matches!(read, Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset)
}
