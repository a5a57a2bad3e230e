//! What can go wrong between a registry and its client, made to happen for a path and a number of
//! times.

use super::http::Answer;
use super::http2_fault::Http2Fault;
use std::collections::{BTreeMap, VecDeque};
use std::io::{Error, ErrorKind, Result, Write};
use std::net::TcpStream;
use std::time::Duration;

/// How an answer is spoiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// This status instead, with an error in JSON.
    Status(u16),
    /// 429 with `Retry-After`, in seconds.
    RetryAfter(u32),
    /// 302 to this URL.
    Redirect(String),
    /// The right answer, this much later.
    Delay(Duration),
    /// The connection is closed before any answer.
    Close,
    /// The connection is closed after half the body.
    HalfBody,
    /// The connection is closed after so many bytes of head and body; below zero: so many before
    /// their end.
    Cut(isize),
    /// The `content-length` is more than the body has, or if below zero less.
    Length(isize),
    /// As many bytes at once, with a pause after each part.
    Slow(usize, Duration),
    /// The right length, one bit of the body's middle turned.
    WrongBytes,
    /// This body instead, with status 200.
    Body(Vec<u8>),
    /// One that only HTTP/2 can have, of a registry with TLS.
    Http2(Http2Fault),
}

impl Fault {
    /// Writes the spoiled answer; an error ends the connection.
    pub fn write(self, mut answer: Answer, mut stream: &TcpStream) -> Result<()> {
        let closed = || Err(Error::from(ErrorKind::ConnectionAborted));
        match self {
            Fault::Status(status) => Answer::json(status, r#"{"error":"as the test wished"}"#).write(stream),
            Fault::RetryAfter(seconds) => {
                let mut answer = Answer::json(429, r#"{"error":"slow down"}"#);
                answer.header("retry-after", &seconds.to_string());
                answer.write(stream)
            }
            Fault::Redirect(url) => {
                let mut answer = Answer::new(302, Vec::new());
                answer.header("location", &url);
                answer.write(stream)
            }
            Fault::Delay(duration) => {
                std::thread::sleep(duration);
                answer.write(stream)
            }
            Fault::Close => closed(),
            Fault::HalfBody => {
                stream.write_all(answer.head().as_bytes())?;
                stream.write_all(&answer.body[..answer.body.len() / 2])?;
                closed()
            }
            Fault::Cut(at) => {
                let bytes = [answer.head().as_bytes(), &answer.body].concat();
                let end = if at < 0 { bytes.len().saturating_add_signed(at) } else { at.unsigned_abs() };
                stream.write_all(&bytes[..end.min(bytes.len())])?;
                closed()
            }
            Fault::Length(more) => {
                let length = answer.body.len();
                let told = length.saturating_add_signed(more).to_string();
                let head = answer.head().replace(
                    &format!("content-length: {length}\r\n"),
                    &format!("content-length: {told}\r\n"),
                );
                stream.write_all(head.as_bytes())?;
                stream.write_all(&answer.body)?;
                closed()
            }
            Fault::Slow(bytes, pause) => {
                stream.write_all(answer.head().as_bytes())?;
                for part in answer.body.chunks(bytes.max(1)) {
                    stream.write_all(part)?;
                    std::thread::sleep(pause);
                }
                Ok(())
            }
            Fault::WrongBytes => {
                let middle = answer.body.len() / 2;
                if let Some(byte) = answer.body.get_mut(middle) {
                    *byte ^= 1;
                }
                answer.write(stream)
            }
            Fault::Body(body) => Answer::new(200, body).write(stream),
            Fault::Http2(fault) => panic!("{fault:?} is a fault of HTTP/2"),
        }
    }
}

/// The faults that wait for a request of their path.
#[derive(Default)]
pub struct Faults(BTreeMap<String, VecDeque<(Fault, usize)>>);

impl Faults {
    pub fn add(&mut self, path: &str, fault: Fault, times: usize) {
        self.0.entry(path.to_owned()).or_default().push_back((fault, times));
    }

    pub fn take(&mut self, path: &str) -> Option<Fault> {
        let waiting = self.0.get_mut(path)?;
        while let Some((fault, times)) = waiting.front_mut() {
            if *times > 0 {
                *times -= 1;
                return Some(fault.clone());
            }
            waiting.pop_front();
        }
        None
    }
}
