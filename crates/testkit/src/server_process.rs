//! A server in a process of its own, with a limited number of descriptors, and its clients. In: a
//! program, which prints its port. Out: connections, answers, memory. It is killed when dropped.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/// How long an answer may take, on a busy machine and behind thousands of other connections.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct ServerProcess {
    child: Child,
    output: BufReader<ChildStdout>,
    port: u16,
}

impl ServerProcess {
    /// `rusk -e program`, which may open so many files.
    pub fn start(rusk: &Path, program: &str, descriptors: u64) -> ServerProcess {
        let mut child = Command::new("sh")
            .args(["-c", &format!("ulimit -n {descriptors}; exec \"$@\""), "sh"])
            .arg(rusk)
            .args(["-e", program])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("sh starts");
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
        output.read_line(&mut line).expect("the program prints its port");
        ServerProcess { port: line.trim().parse().expect("a port"), child, output }
    }

    pub fn connect(&self) -> Option<TcpStream> {
        let connection = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        connection.set_read_timeout(Some(PATIENCE)).expect("not zero");
        Some(connection)
    }

    /// So many connections; each has sent `bytes`.
    pub fn connect_all(&self, count: usize, bytes: &[u8]) -> Vec<TcpStream> {
        let connect = |_| {
            let mut connection = self.connect().expect("the server accepts");
            connection.write_all(bytes).expect("the server holds it");
            connection
        };
        (0..count).map(connect).collect()
    }

    /// The body of the answer to a new connection.
    pub fn ask(&self) -> Option<String> {
        self.connect().and_then(ask)
    }

    /// What the program prints when it is written to.
    pub fn ask_itself(&mut self) -> String {
        self.child.stdin.as_mut().expect("it is piped").write_all(b"\n").expect("it reads");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it answers");
        line.trim_end().to_owned()
    }

    pub fn resident_bytes(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("Linux has it");
        line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") * 1024
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it is a child");
    }
}

/// The body of the answer; `None`: the connection was dropped.
pub fn ask(mut connection: TcpStream) -> Option<String> {
    connection.write_all(REQUEST).ok()?;
    let mut answer = String::new();
    connection.read_to_string(&mut answer).ok()?;
    answer.split_once("\r\n\r\n").map(|(_, body)| body.trim_end().to_owned())
}
