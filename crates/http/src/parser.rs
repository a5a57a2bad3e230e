//! HTTP/1.1 message parser, in the role of llhttp (RFC 9112). In: bytes of a connection, split
//! anywhere. Out: events: head, ranges of body bytes, end with trailers; or an error with llhttp's
//! code, which programs test for. Whatever two parsers could read differently is an error, as that
//! allows request smuggling. Absent: the meaning of fields for programs, connections, writing.

mod error;
mod fields;
mod framing;
mod request_head;
mod start_line;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::mem;
use std::ops::Range;

pub use error::{ErrorCode, ParseError};
use fields::{FieldRules, Fields};
pub use framing::{BodyFraming, Framing};
pub use request_head::{FieldSpan, RequestHead, TextSpan};
pub use start_line::METHODS;
use start_line::StartLine;

/// Limit of chunk extensions, which hardly any program uses.
const EXTENSION_BYTES_MAX: usize = 16 * 1024;

/// Longest method with the space after it.
const METHOD_BYTES_MAX: usize = 16;

/// Bytes of a start line besides the target, at most: method, version, spaces, line end.
const START_LINE_OVERHEAD_BYTES: usize = 64;
/// Bytes of a field line besides name and value: colon, space, line end.
const FIELD_LINE_OVERHEAD_BYTES: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// From clients.
    Request,
    /// From servers.
    Response,
}

#[derive(Clone, Copy, Debug)]
pub struct ParserOptions {
    pub kind: MessageKind,
    /// Limit of the start line and the fields together; the trailers have the same limit.
    pub head_bytes_max: usize,
    /// Accept lines that end with LF alone, and a `Content-Length` beside chunked coding.
    pub is_lenient: bool,
}

/// Method of the request that the next response belongs to, as far as it decides whether there is a
/// body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RequestMethod {
    #[default]
    Other,
    Head,
    Connect,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParserEvent {
    Head(Head),
    /// Range of body bytes within the input.
    Body(Range<usize>),
    /// Names and values in turn, each terminated by LF.
    End {
        trailers: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Request: method and target. Response: reason phrase and an empty string. Then names and
    /// values of the fields in turn. Each is terminated by LF, which none contains. Bytes are
    /// decoded as Latin-1.
    pub text: String,
    /// 0 in requests.
    pub status: u16,
    pub version: (u8, u8),
    /// Whether another message may follow on the connection.
    pub should_keep_alive: bool,
    /// The connection may switch to another protocol. The parser pauses until the program calls
    /// [`Parser::resume`] or takes over the connection.
    pub is_upgrade: bool,
}

enum Phase {
    Start,
    Fields,
    Body(u64),
    UntilClose,
    ChunkSize,
    ChunkData(u64),
    ChunkEnd,
    Trailers,
    /// Waits for `resume`; the state to continue with.
    Paused(Box<Phase>),
    /// No message may follow.
    Closed,
    Failed(ParseError),
}

pub struct Parser {
    options: ParserOptions,
    state: Phase,
    /// The beginning of an incomplete line.
    partial: Vec<u8>,
    /// Bytes of the head, or of the trailers, so far.
    head_bytes: usize,
    start_line: StartLine,
    fields: Fields,
    should_keep_alive: bool,
    request_method: RequestMethod,
    /// Only one body is parsed.
    pauses_at_end: bool,
}

impl Parser {
    pub fn new(options: ParserOptions) -> Parser {
        Parser {
            options,
            state: Phase::Start,
            partial: Vec::new(),
            head_bytes: 0,
            start_line: StartLine::default(),
            fields: Fields::default(),
            should_keep_alive: true,
            request_method: RequestMethod::Other,
            pauses_at_end: false,
        }
    }

    /// A parser of a chunked body alone, whose head was read by [`RequestHead`]. It pauses after
    /// the body.
    pub fn of_chunked_body(head_bytes_max: usize) -> Parser {
        let options = ParserOptions { kind: MessageKind::Request, head_bytes_max, is_lenient: false };
        Parser { state: Phase::ChunkSize, pauses_at_end: true, ..Parser::new(options) }
    }

    pub fn set_request_method(&mut self, request_method: RequestMethod) {
        self.request_method = request_method;
    }

    /// Continues after a head that offered an upgrade which the program declined.
    pub fn resume(&mut self) {
        if let Phase::Paused(next) = mem::replace(&mut self.state, Phase::Start) {
            self.state = *next;
        }
    }

    /// Returns the number of bytes consumed: all, unless the parser pauses. After an error it
    /// consumes no more.
    pub fn execute(&mut self, bytes: &[u8], events: &mut Vec<ParserEvent>) -> Result<usize, ParseError> {
        let mut at = 0;
        let outcome = self.execute_from(bytes, &mut at, events);
        outcome.map(|()| at).inspect_err(|error| self.state = Phase::Failed(*error))
    }

    /// The connection has ended.
    pub fn finish(&mut self, events: &mut Vec<ParserEvent>) -> Result<(), ParseError> {
        match self.state {
            Phase::UntilClose => self.end(String::new(), events),
            Phase::Start if self.partial.is_empty() => {}
            // The error was returned before.
            Phase::Closed | Phase::Paused(_) | Phase::Failed(_) => {}
            _ => {
                let error = ParseError::new(ErrorCode::InvalidEofState, "Invalid EOF state");
                self.state = Phase::Failed(error);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Whether no message has begun, so the connection is idle.
    pub fn is_idle(&self) -> bool {
        matches!(self.state, Phase::Start | Phase::Closed) && self.partial.is_empty()
    }

    fn execute_from(
        &mut self,
        bytes: &[u8],
        at: &mut usize,
        events: &mut Vec<ParserEvent>,
    ) -> Result<(), ParseError> {
        loop {
            match self.state {
                Phase::Body(left) => {
                    let Some(count) = piece(bytes, at, left, events) else { return Ok(()) };
                    self.state = Phase::Body(left - count);
                    if left == count {
                        self.end(String::new(), events);
                    }
                }
                Phase::ChunkData(left) => {
                    let Some(count) = piece(bytes, at, left, events) else { return Ok(()) };
                    self.state = if left == count { Phase::ChunkEnd } else { Phase::ChunkData(left - count) };
                }
                Phase::UntilClose => {
                    piece(bytes, at, u64::MAX, events);
                    return Ok(());
                }
                Phase::Paused(_) => return Ok(()),
                Phase::Failed(error) => return Err(error),
                Phase::Closed => {
                    let blank = bytes[*at..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
                    *at += blank;
                    let error =
                        ParseError::new(ErrorCode::ClosedConnection, "Data after `Connection: close`");
                    return if *at < bytes.len() { Err(error.at(*at)) } else { Ok(()) };
                }
                _ => {
                    // Bytes of the line that came with an earlier input.
                    let before = self.partial.len();
                    let begin = *at;
                    let Some(line) = self.take_line(bytes, at)? else { return Ok(()) };
                    self.read_line(&line, events).map_err(|error| error.offset_by(begin, before))?;
                }
            }
        }
    }

    /// A complete line without its line end; `None` if it is incomplete.
    fn take_line<'b>(
        &mut self,
        bytes: &'b [u8],
        at: &mut usize,
    ) -> Result<Option<Cow<'b, [u8]>>, ParseError> {
        if let Phase::Start = self.state
            && self.partial.is_empty()
        {
            // Some old clients send extra line ends after a body (RFC 9112, 2.2).
            *at += bytes[*at..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        }
        let rest = &bytes[*at..];
        if rest.is_empty() {
            return Ok(None);
        }
        let end = rest.iter().position(|&byte| byte == b'\n');
        let piece = &rest[..end.map_or(rest.len(), |end| end + 1)];
        self.check_prefix(piece).map_err(|error| error.offset_by(*at, self.partial.len()))?;
        self.count(piece.len()).map_err(|error| error.at(*at + piece.len()))?;
        if end.is_none() {
            self.partial.extend_from_slice(piece);
            *at = bytes.len();
            return Ok(None);
        }
        let before = self.partial.len();
        let placed = |error: ParseError| error.offset_by(*at, before);
        let line = match before {
            0 => Cow::Borrowed(self.strip_line_end(piece).map_err(placed)?),
            _ => {
                let mut line = mem::take(&mut self.partial);
                line.extend_from_slice(piece);
                line.truncate(self.strip_line_end(&line).map_err(placed)?.len());
                Cow::Owned(line)
            }
        };
        *at += piece.len();
        Ok(Some(line))
    }

    /// Rejects what cannot become a message before its first line is complete.
    fn check_prefix(&self, piece: &[u8]) -> Result<(), ParseError> {
        if !matches!(self.state, Phase::Start) || self.partial.len() >= METHOD_BYTES_MAX {
            return Ok(());
        }
        let beginning: Vec<u8> = self.partial.iter().chain(piece).copied().take(METHOD_BYTES_MAX).collect();
        start_line::check_prefix(self.options.kind, &beginning)
    }

    fn strip_line_end<'l>(&self, line: &'l [u8]) -> Result<&'l [u8], ParseError> {
        let line = match line {
            [line @ .., b'\r', b'\n'] => line,
            [line @ .., b'\n'] if self.options.is_lenient => line,
            _ => return Err(self.missing_cr().at(line.len())),
        };
        match line.iter().position(|&byte| byte == b'\r') {
            Some(place) => Err(self.bare_cr().at(place + 1)),
            None => Ok(line),
        }
    }

    fn count(&mut self, bytes: usize) -> Result<(), ParseError> {
        let line_bytes = self.partial.len() + bytes;
        match self.state {
            Phase::ChunkSize if line_bytes > EXTENSION_BYTES_MAX => {
                Err(ParseError::new(ErrorCode::ChunkExtensionsOverflow, "Chunk extensions overflow"))
            }
            Phase::ChunkEnd if line_bytes > 2 => {
                Err(ParseError::new(ErrorCode::Strict, "Expected LF after chunk data"))
            }
            Phase::ChunkSize | Phase::ChunkEnd => Ok(()),
            _ => {
                let overhead = if let Phase::Start = self.state {
                    START_LINE_OVERHEAD_BYTES
                } else {
                    FIELD_LINE_OVERHEAD_BYTES
                };
                match self.head_bytes + line_bytes >= self.options.head_bytes_max + overhead {
                    true => Err(overflow()),
                    false => Ok(()),
                }
            }
        }
    }

    /// Counts target, names and values, as Node does.
    fn add_to_head(&mut self, bytes: usize) -> Result<(), ParseError> {
        self.head_bytes += bytes;
        if self.head_bytes < self.options.head_bytes_max { Ok(()) } else { Err(overflow()) }
    }

    fn missing_cr(&self) -> ParseError {
        match self.state {
            Phase::Start if self.options.kind == MessageKind::Request => {
                ParseError::new(ErrorCode::InvalidVersion, "Expected CRLF after version")
            }
            Phase::Start => ParseError::new(ErrorCode::CrExpected, "Missing expected CR after response line"),
            Phase::ChunkSize => {
                ParseError::new(ErrorCode::CrExpected, "Missing expected CR after chunk size")
            }
            Phase::ChunkEnd => ParseError::new(ErrorCode::CrExpected, "Missing expected CR after chunk data"),
            _ => ParseError::new(ErrorCode::CrExpected, "Missing expected CR after header value"),
        }
    }

    fn bare_cr(&self) -> ParseError {
        match self.state {
            Phase::Start => ParseError::new(ErrorCode::Strict, "Expected CRLF after version"),
            Phase::ChunkSize => {
                ParseError::new(ErrorCode::LfExpected, "Missing expected LF after chunk size")
            }
            _ => ParseError::new(ErrorCode::LfExpected, "Missing expected LF after header value"),
        }
    }

    fn read_line(&mut self, line: &[u8], events: &mut Vec<ParserEvent>) -> Result<(), ParseError> {
        match self.state {
            Phase::Start => {
                self.start_line = StartLine::parse(self.options.kind, line)?;
                self.add_to_head(self.start_line.limited_bytes)?;
                let rules = FieldRules {
                    allow_obs_fold: self.options.kind == MessageKind::Response || self.options.is_lenient,
                    allow_any_byte: self.options.is_lenient,
                };
                self.fields = Fields::begin(mem::take(&mut self.start_line.text), rules);
                self.state = Phase::Fields;
            }
            Phase::Fields if line.is_empty() => {
                self.head_bytes = 0;
                self.end_head(events)?;
            }
            Phase::Fields => {
                let bytes = self.fields.add(line)?;
                self.add_to_head(bytes)?;
            }
            Phase::ChunkSize => match chunk_size(line)? {
                0 => {
                    self.fields = Fields::begin(
                        String::new(),
                        FieldRules { allow_any_byte: self.options.is_lenient, ..FieldRules::default() },
                    );
                    self.state = Phase::Trailers;
                }
                size => self.state = Phase::ChunkData(size),
            },
            Phase::ChunkEnd => self.state = Phase::ChunkSize,
            Phase::Trailers if line.is_empty() => {
                self.head_bytes = 0;
                let trailers = mem::take(&mut self.fields.text);
                self.end(trailers, events);
            }
            Phase::Trailers => {
                let bytes = self.fields.add_trailer(line)?;
                self.add_to_head(bytes)?;
            }
            _ => unreachable!("the other states have no lines"),
        }
        Ok(())
    }

    fn end_head(&mut self, events: &mut Vec<ParserEvent>) -> Result<(), ParseError> {
        let (version, status) = (self.start_line.version, self.start_line.status);
        let body = self.body_framing()?;
        let is_unknown = matches!(body, BodyFraming::Unknown);
        let wants_keep_alive = self.fields.framing.should_keep_alive(version);
        self.should_keep_alive = wants_keep_alive && !matches!(body, BodyFraming::UntilClose);
        let is_upgrade = match self.options.kind {
            MessageKind::Request => self.start_line.is_connect || self.fields.framing.is_upgrade(),
            MessageKind::Response => {
                self.request_method == RequestMethod::Connect
                    || (status == 101 && self.fields.framing.is_upgrade())
            }
        };
        let text = mem::take(&mut self.fields.text);
        events.push(ParserEvent::Head(Head {
            text,
            status,
            version,
            should_keep_alive: self.should_keep_alive,
            is_upgrade,
        }));
        if is_unknown {
            let reason = "Request has invalid `Transfer-Encoding`";
            return Err(ParseError::new(ErrorCode::InvalidTransferEncoding, reason));
        }
        self.state = match body {
            BodyFraming::None | BodyFraming::Unknown => Phase::Start,
            BodyFraming::Length(bytes) => Phase::Body(bytes),
            BodyFraming::Chunked => Phase::ChunkSize,
            BodyFraming::UntilClose => Phase::UntilClose,
        };
        if is_upgrade {
            self.state = Phase::Paused(Box::new(mem::replace(&mut self.state, Phase::Start)));
        } else if matches!(body, BodyFraming::None) {
            self.end(String::new(), events);
        }
        Ok(())
    }

    /// How the length of the body is determined (RFC 9112, 6.3).
    fn body_framing(&self) -> Result<BodyFraming, ParseError> {
        let is_request = self.options.kind == MessageKind::Request;
        let framing = &self.fields.framing;
        if !self.options.is_lenient {
            framing.check_conflict()?;
        }
        if is_request {
            return Ok(framing.request_body());
        }
        let has_none = matches!(self.start_line.status, 100..=199 | 204 | 304)
            || self.request_method == RequestMethod::Head;
        if has_none {
            return Ok(BodyFraming::None);
        }
        Ok(match framing.content_length {
            _ if framing.is_chunked => BodyFraming::Chunked,
            _ if framing.has_transfer_encoding => BodyFraming::UntilClose,
            Some(0) => BodyFraming::None,
            Some(bytes) => BodyFraming::Length(bytes),
            None => BodyFraming::UntilClose,
        })
    }

    fn end(&mut self, trailers: String, events: &mut Vec<ParserEvent>) {
        events.push(ParserEvent::End { trailers });
        let is_interim =
            self.options.kind == MessageKind::Response && matches!(self.start_line.status, 100..=199);
        self.state = match self.should_keep_alive || is_interim {
            true if self.pauses_at_end => Phase::Paused(Box::new(Phase::Start)),
            true => Phase::Start,
            false => Phase::Closed,
        };
    }
}

fn overflow() -> ParseError {
    ParseError::new(ErrorCode::HeaderOverflow, "Header overflow")
}

/// Emits at most `left` bytes of the body; `None` if there are none.
fn piece(bytes: &[u8], at: &mut usize, left: u64, events: &mut Vec<ParserEvent>) -> Option<u64> {
    let count = left.min((bytes.len() - *at) as u64);
    if count == 0 {
        return None;
    }
    let begin = *at;
    *at += count as usize;
    events.push(ParserEvent::Body(begin..*at));
    Some(count)
}

/// Hexadecimal digits, then extensions after a semicolon (RFC 9112, 7.1).
fn chunk_size(line: &[u8]) -> Result<u64, ParseError> {
    let digits = line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let extensions = match &line[digits..] {
        [] if digits > 0 => &[],
        [b';', extensions @ ..] if digits > 0 => extensions,
        _ => {
            return Err(
                ParseError::new(ErrorCode::InvalidChunkSize, "Invalid character in chunk size").at(digits)
            );
        }
    };
    if !extensions.split(|&byte| byte == b';').all(fields::is_extension) {
        return Err(
            ParseError::new(ErrorCode::Strict, "Invalid character in chunk extensions").at(digits + 1)
        );
    }
    let digits = std::str::from_utf8(&line[..digits]).expect("digits are ASCII");
    let overflow = || ParseError::new(ErrorCode::InvalidChunkSize, "Chunk size overflow").at(digits.len());
    u64::from_str_radix(digits, 16).map_err(|_| overflow())
}
