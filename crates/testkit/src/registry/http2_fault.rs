//! Faults of HTTP/2 (RFC 9113): streams that are reset, half closed or never ended, connections
//! that go away, lengths that lie, frames that are none. In: an answer, a fault. Out: frames.
//! Absent: flow control; answers are smaller than the window that each client begins with.

use std::io::{Error, ErrorKind, Result, Write};
use std::time::Duration;

use rusk_http2::frame::{DEFAULT_PAYLOAD_BYTES, FrameHeader, flag, kind};
use rusk_http2::hpack::{DEFAULT_TABLE_BYTES, HeaderField, HpackEncoder};

use super::fault::Fault;
use super::http::Answer;
use super::secure::write_one;

/// SETTINGS_INITIAL_WINDOW_SIZE before SETTINGS.
const WINDOW_BYTES: usize = 65_535;

/// `INTERNAL_ERROR`, `REFUSED_STREAM` … (RFC 9113, section 7).
pub type ErrorCode = u32;

/// How an answer over HTTP/2 is spoiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Http2Fault {
    /// RST_STREAM instead of an answer.
    Reset(ErrorCode),
    /// RST_STREAM after the header fields.
    ResetAfterHead(ErrorCode),
    /// RST_STREAM after half of the body.
    ResetInBody(ErrorCode),
    /// GOAWAY before any answer, as if the request had not been seen; the connection is closed.
    GoAwayBefore(ErrorCode),
    /// GOAWAY after half of the body; the connection is closed.
    GoAwayInBody(ErrorCode),
    /// The connection ends within a DATA frame that announced the whole body.
    CutInData,
    /// Header fields, and nothing more: the stream stays half closed.
    HeadOnly,
    /// Half of the body, and nothing more.
    HalfBody,
    /// The whole body on a stream that does not end.
    Unended,
    /// The stream ends with its header fields, which announce a body.
    EndsWithHead,
    /// The stream ends after half of the body.
    EndsInBody,
    /// The `content-length` is so much more than the body has, or if below zero less.
    Length(isize),
    /// DATA frames of as many bytes, with a pause after each.
    Slow(usize, Duration),
    /// Another DATA frame on the stream that has ended.
    DataAfterEnd,
    /// A DATA frame longer than SETTINGS_MAX_FRAME_SIZE allows.
    LargeFrame,
    /// Header fields that cannot be decoded.
    BadHeaderBlock,
}

/// An answer on a stream.
pub struct Http2Answer {
    pub stream: u32,
    pub answer: Answer,
}

impl Http2Answer {
    /// Writes the answer, spoiled or not; an error ends the connection.
    pub fn write(mut self, fault: Option<Fault>, out: &mut impl Write) -> Result<()> {
        assert!(self.answer.body.len() < WINDOW_BYTES, "flow control is absent here");
        match fault {
            None => self.write_whole(out),
            Some(Fault::Http2(fault)) => self.write_spoiled(fault, out),
            Some(Fault::Status(status)) => {
                self.answer = Answer::json(status, r#"{"error":"as the test wished"}"#);
                self.write_whole(out)
            }
            Some(Fault::WrongBytes) => {
                let middle = self.answer.body.len() / 2;
                self.answer.body[middle] ^= 1;
                self.write_whole(out)
            }
            Some(other) => panic!("{other:?} is a fault of HTTP/1.1"),
        }
    }

    fn write_whole(&self, out: &mut impl Write) -> Result<()> {
        self.head(0, 0, out)?;
        self.data(&self.answer.body, flag::END_STREAM, out)
    }

    fn write_spoiled(&self, fault: Http2Fault, out: &mut impl Write) -> Result<()> {
        let body = &self.answer.body;
        let half = &body[..body.len() / 2];
        match fault {
            Http2Fault::Reset(code) => self.reset(code, out),
            Http2Fault::ResetAfterHead(code) => {
                self.head(0, 0, out)?;
                self.reset(code, out)
            }
            Http2Fault::ResetInBody(code) => {
                self.head(0, 0, out)?;
                self.data(half, 0, out)?;
                self.reset(code, out)
            }
            Http2Fault::GoAwayBefore(code) => go_away(self.stream.saturating_sub(2), code, out),
            Http2Fault::GoAwayInBody(code) => {
                self.head(0, 0, out)?;
                self.data(half, 0, out)?;
                go_away(self.stream, code, out)
            }
            Http2Fault::CutInData => {
                self.head(0, 0, out)?;
                let payload_bytes = u32::try_from(body.len()).expect("a small body");
                let mut bytes = Vec::new();
                let stream = self.stream;
                FrameHeader { payload_bytes, kind: kind::DATA, flags: flag::END_STREAM, stream }
                    .write(&mut bytes);
                bytes.extend_from_slice(half);
                out.write_all(&bytes)?;
                out.flush()?;
                closed()
            }
            Http2Fault::HeadOnly => self.head(0, 0, out),
            Http2Fault::HalfBody => {
                self.head(0, 0, out)?;
                self.data(half, 0, out)
            }
            Http2Fault::Unended => {
                self.head(0, 0, out)?;
                self.data(body, 0, out)
            }
            Http2Fault::EndsWithHead => self.head(0, flag::END_STREAM, out),
            Http2Fault::EndsInBody => {
                self.head(0, 0, out)?;
                self.data(half, flag::END_STREAM, out)
            }
            Http2Fault::Length(more) => {
                self.head(more, 0, out)?;
                self.data(body, flag::END_STREAM, out)
            }
            Http2Fault::Slow(bytes, pause) => {
                self.head(0, 0, out)?;
                for part in body.chunks(bytes.max(1)) {
                    self.data(part, 0, out)?;
                    std::thread::sleep(pause);
                }
                self.data(&[], flag::END_STREAM, out)
            }
            Http2Fault::DataAfterEnd => {
                self.write_whole(out)?;
                self.data(b"more", flag::END_STREAM, out)
            }
            Http2Fault::LargeFrame => {
                self.head(0, 0, out)?;
                let large = vec![0; DEFAULT_PAYLOAD_BYTES as usize * 2];
                write_one(out, kind::DATA, flag::END_STREAM, self.stream, &large)
            }
            // The index 0 of a field is an error (RFC 7541, 6.1).
            Http2Fault::BadHeaderBlock => {
                write_one(out, kind::HEADERS, flag::END_HEADERS, self.stream, &[0x80])
            }
        }
    }

    /// HEADERS. Each block is encoded without the table of the connection.
    fn head(&self, more_length: isize, flags: u8, out: &mut impl Write) -> Result<()> {
        let Answer { status, headers, body } = &self.answer;
        let length = body.len().saturating_add_signed(more_length);
        let mut fields = vec![
            HeaderField::new(":status", &status.to_string()),
            HeaderField::new("content-length", &length.to_string()),
        ];
        fields.extend(headers.iter().map(|(name, value)| HeaderField::new(name, value)));
        for field in &mut fields {
            field.is_sensitive = true;
        }
        let mut block = Vec::new();
        HpackEncoder::new(DEFAULT_TABLE_BYTES).encode(&fields, &mut block);
        write_one(out, kind::HEADERS, flag::END_HEADERS | flags, self.stream, &block)
    }

    /// DATA, in frames that each client accepts; the last one has the flags.
    fn data(&self, bytes: &[u8], flags: u8, out: &mut impl Write) -> Result<()> {
        let mut parts = bytes.chunks(DEFAULT_PAYLOAD_BYTES as usize).peekable();
        if parts.peek().is_none() {
            return write_one(out, kind::DATA, flags, self.stream, &[]);
        }
        while let Some(part) = parts.next() {
            let flags = if parts.peek().is_none() { flags } else { 0 };
            write_one(out, kind::DATA, flags, self.stream, part)?;
        }
        Ok(())
    }

    fn reset(&self, code: ErrorCode, out: &mut impl Write) -> Result<()> {
        write_one(out, kind::RST_STREAM, 0, self.stream, &code.to_be_bytes())
    }
}

/// Says which stream was the last one that is answered, and closes the connection.
fn go_away(last_stream: u32, code: ErrorCode, out: &mut impl Write) -> Result<()> {
    let payload = [last_stream.to_be_bytes(), code.to_be_bytes()].concat();
    write_one(out, kind::GOAWAY, 0, 0, &payload)?;
    closed()
}

fn closed() -> Result<()> {
    Err(Error::from(ErrorKind::ConnectionAborted))
}
