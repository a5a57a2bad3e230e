//! HTTP server with scripted responses, byte for byte.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often an idle connection checks whether the test is over.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A received request.
#[derive(Clone, Debug)]
pub struct ReceivedRequest {
    /// Method and target.
    pub line: String,
    headers: Vec<(String, String)>,
    /// Counted from 0, over all connections.
    pub number: usize,
    /// Number of the connection, from 0.
    pub connection: usize,
}

impl ReceivedRequest {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub fn path(&self) -> &str {
        self.line.split(' ').nth(1).unwrap_or_default()
    }
}

/// The response to one request.
pub struct Reply {
    bytes: Vec<u8>,
    then: Then,
}

enum Then {
    Listen,
    Close,
    /// Keeps the connection open and sends nothing until the test is over.
    Hang,
    /// Sends the body byte by byte, with this pause before each.
    Trickle(Duration),
}

impl Reply {
    pub fn new(status: &str, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Reply {
        let body = body.as_ref();
        let mut head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n", body.len());
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        let mut bytes = (head + "\r\n").into_bytes();
        bytes.extend_from_slice(body);
        Reply { bytes, then: Then::Listen }
    }

    pub fn ok(body: impl AsRef<[u8]>) -> Reply {
        Reply::new("200 OK", &[], body)
    }

    pub fn redirect(target: &str) -> Reply {
        Reply::new("302 Found", &[("Location", target)], "")
    }

    pub fn raw(bytes: impl AsRef<[u8]>) -> Reply {
        Reply { bytes: bytes.as_ref().to_vec(), then: Then::Close }
    }

    /// Closes the connection without a response.
    pub fn nothing() -> Reply {
        Reply::raw("")
    }

    pub fn then_close(self) -> Reply {
        Reply { then: Then::Close, ..self }
    }

    /// Sends all but the last `count` bytes, then closes.
    pub fn short_by(mut self, count: usize) -> Reply {
        self.bytes.truncate(self.bytes.len() - count);
        self.then_close()
    }

    /// Sends all but the last `count` bytes, then nothing.
    pub fn stuck_before(mut self, count: usize) -> Reply {
        self.bytes.truncate(self.bytes.len() - count);
        Reply { then: Then::Hang, ..self }
    }

    pub fn trickling(self, pause: Duration) -> Reply {
        Reply { then: Then::Trickle(pause), ..self }
    }

    pub fn silence() -> Reply {
        Reply { bytes: Vec::new(), then: Then::Hang }
    }
}

type Script = dyn Fn(&ReceivedRequest) -> Reply + Send + Sync;

/// Listens until it is dropped.
pub struct Server {
    address: SocketAddr,
    received: Arc<Mutex<Vec<ReceivedRequest>>>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub fn start(script: impl Fn(&ReceivedRequest) -> Reply + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("loopback has a free port");
        let address = listener.local_addr().expect("it is bound");
        let (received, over) = (Arc::default(), Arc::new(AtomicBool::new(false)));
        let connection = Connection {
            script: Arc::new(script),
            received: Arc::clone(&received),
            over: Arc::clone(&over),
            number: 0,
        };
        let thread = std::thread::spawn(move || accept(&listener, connection));
        Server { address, received, over, thread: Some(thread) }
    }

    /// Its URL as a registry.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// `host:port`.
    pub fn authority(&self) -> String {
        self.address.to_string()
    }

    pub fn received(&self) -> Vec<ReceivedRequest> {
        self.received.lock().expect("no script panics").clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[derive(Clone)]
struct Connection {
    script: Arc<Script>,
    received: Arc<Mutex<Vec<ReceivedRequest>>>,
    over: Arc<AtomicBool>,
    number: usize,
}

fn accept(listener: &TcpListener, mut connection: Connection) {
    let mut threads = Vec::new();
    for stream in listener.incoming() {
        if connection.over.load(Ordering::SeqCst) {
            break;
        }
        let Ok(stream) = stream else { break };
        let serving = connection.clone();
        threads.push(std::thread::spawn(move || serving.serve(stream)));
        connection.number += 1;
    }
    for thread in threads {
        let _ = thread.join();
    }
}

impl Connection {
    fn serve(&self, mut stream: TcpStream) {
        stream.set_read_timeout(Some(LOOK_EVERY)).expect("a timeout above zero");
        let mut reader = BufReader::new(stream.try_clone().expect("descriptors are left"));
        while let Some((line, headers)) = self.read_head(&mut reader) {
            let received = {
                let mut all = self.received.lock().expect("no script panics");
                let received = ReceivedRequest { line, headers, number: all.len(), connection: self.number };
                all.push(received.clone());
                received
            };
            let reply = (self.script)(&received);
            let (first, trickled) = match reply.then {
                Then::Trickle(_) => {
                    let head = reply.bytes.windows(4).position(|end| end == b"\r\n\r\n");
                    reply.bytes.split_at(head.expect("a reply has a head") + 4)
                }
                _ => (&reply.bytes[..], &[][..]),
            };
            if stream.write_all(first).is_err() {
                return;
            }
            match reply.then {
                Then::Listen => {}
                Then::Close => return,
                Then::Trickle(pause) => {
                    for byte in trickled {
                        std::thread::sleep(pause);
                        if self.over.load(Ordering::SeqCst) || stream.write_all(&[*byte]).is_err() {
                            return;
                        }
                    }
                }
                Then::Hang => {
                    while !self.over.load(Ordering::SeqCst) && still_open(&mut reader) {}
                    return;
                }
            }
        }
    }

    fn read_head(&self, reader: &mut BufReader<TcpStream>) -> Option<(String, Vec<(String, String)>)> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            match reader.read_line(&mut head) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) if is_timeout(&error) && !self.over.load(Ordering::SeqCst) => {}
                Err(_) => return None,
            }
        }
        let mut lines = head.lines();
        let line = lines.next()?.trim_end_matches(" HTTP/1.1").to_owned();
        let headers = lines.filter_map(|line| line.split_once(": "));
        Some((line, headers.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect()))
    }
}

fn still_open(reader: &mut BufReader<TcpStream>) -> bool {
    match reader.read(&mut [0; 16]) {
        Ok(count) => count > 0,
        Err(error) => is_timeout(&error),
    }
}

fn is_timeout(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
}
