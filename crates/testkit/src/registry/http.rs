//! As much of HTTP/1.1 as a registry's clients use: requests without a body in, answers with one
//! out.

use std::io::{BufRead, Read, Result, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A connection that is idle for this long is closed.
pub const IDLE_MAX: Duration = Duration::from_secs(30);
/// Longer request heads are not answered.
const HEAD_BYTES_MAX: u64 = 64 * 1024;

/// A client's request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub method: String,
    /// Decoded, without the query: `/@scope/ui`.
    pub path: String,
    /// As sent, without the question mark.
    pub query: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// Reads one request; `None` at the end of the connection or when it is not HTTP.
pub fn read_request(reader: &mut impl BufRead) -> Option<Request> {
    let mut head = reader.take(HEAD_BYTES_MAX);
    let mut line = String::new();
    head.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?);
    let target = without_origin(target);
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let (path, query) = (decoded(path), query.to_owned());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        if head.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':')?;
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.map_or(Some(0), |(_, length)| length.parse().ok())?;
    let mut body = Vec::new();
    head.into_inner().take(length).read_to_end(&mut body).ok()?;
    Some(Request { method, path, query, headers, body })
}

/// A client sends whole URLs to its proxy, which this server then is.
fn without_origin(target: &str) -> &str {
    let Some(rest) = target.strip_prefix("http://") else { return target };
    rest.find('/').map_or("/", |at| &rest[at..])
}

/// Decodes percent-encoding.
pub fn decoded(path: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let [first, behind @ ..] = rest {
        let hex = behind.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match hex.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            _ => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What is sent back. `content-length` is added when it is written.
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn new(status: u16, body: Vec<u8>) -> Answer {
        Answer { status, headers: Vec::new(), body }
    }

    pub fn json(status: u16, body: &str) -> Answer {
        let mut answer = Answer::new(status, body.into());
        answer.header("content-type", "application/json");
        answer
    }

    pub fn header(&mut self, name: &str, value: &str) {
        self.headers.push((name.to_owned(), value.to_owned()));
    }

    /// Status and headers as they are sent, the blank line included.
    pub fn head(&self) -> String {
        let mut head = format!("HTTP/1.1 {} -\r\ncontent-length: {}\r\n", self.status, self.body.len());
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head + "\r\n"
    }

    pub fn write(&self, mut stream: &TcpStream) -> Result<()> {
        stream.write_all(self.head().as_bytes())?;
        stream.write_all(&self.body)
    }
}
