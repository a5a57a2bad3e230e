//! Servers without descriptors: a process that may open 60 files and gets 120 connections drops
//! what it cannot accept, and answers again when there are fewer.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const CONNECTIONS: usize = 120;
const DESCRIPTORS: u32 = 60;
const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

#[test]
fn a_server_survives_without_descriptors() {
    let http = "const server = require('http').createServer((request, response) => response.end('fine'))\
                .listen(0, '127.0.0.1', () => console.log(server.address().port));";
    let serve =
        "console.log(Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('fine') }).port);";
    for program in [http, serve] {
        let server = LimitedServer::start(program);
        let connections: Vec<_> = (0..CONNECTIONS).map(|_| server.connect()).collect();
        // A server that first runs when the requests come has descriptors for all of them in turn.
        if let Some(Some(last)) = connections.last() {
            let dropped = last.peek(&mut [0]);
            assert!(matches!(dropped, Ok(0)) || is_reset(&dropped), "the last one: {dropped:?}");
        }
        let answered = connections.into_iter().filter_map(|connection| ask(connection?)).count();
        assert!(answered > 0 && answered < CONNECTIONS, "{answered} of {CONNECTIONS} were answered");
        assert_eq!(server.connect().and_then(ask).as_deref(), Some("fine"), "{program}");
    }
}

fn is_reset(read: &std::io::Result<usize>) -> bool {
    matches!(read, Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset)
}

struct LimitedServer {
    child: Child,
    port: u16,
}

impl LimitedServer {
    fn start(program: &str) -> LimitedServer {
        let mut child = Command::new("sh")
            .args(["-c", &format!("ulimit -n {DESCRIPTORS}; exec \"$@\""), "sh"])
            .args([env!("CARGO_BIN_EXE_rusk"), "-e", program])
            .stdout(Stdio::piped())
            .spawn()
            .expect("sh starts");
        let mut line = String::new();
        let output = child.stdout.as_mut().expect("it is piped");
        BufReader::new(output).read_line(&mut line).expect("the program prints its port");
        LimitedServer { port: line.trim().parse().expect("a port"), child }
    }

    fn connect(&self) -> Option<TcpStream> {
        let connection = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        connection.set_read_timeout(Some(Duration::from_secs(5))).expect("not zero");
        Some(connection)
    }
}

impl Drop for LimitedServer {
    fn drop(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it is a child");
    }
}

/// The body of the answer; `None`: the connection was dropped.
fn ask(mut connection: TcpStream) -> Option<String> {
    connection.write_all(REQUEST).ok()?;
    let mut answer = String::new();
    connection.read_to_string(&mut answer).ok()?;
    answer.split_once("\r\n\r\n").map(|(_, body)| body.trim_end().to_owned())
}
