//! Messages of HTTP/1 as they come over a connection, of clients or of servers. In: bytes, in
//! pieces cut anywhere. Out: events: a head, pieces of its body as places within the bytes, an end
//! with its trailers; or what is wrong, by the names that llhttp gave it, for programs ask by
//! those. Anything of which two readers could think differently is refused. Absent: what fields
//! mean to programs; connections; writing.

mod fault;
mod fields;
mod first_line;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::mem;
use std::ops::Range;

pub use fault::{Code, Fault};
use fields::{Fields, Rules};
use first_line::FirstLine;

/// Extensions of one chunk's size, which nobody uses, are no longer than that.
const EXTENSION_BYTES_MAX: usize = 16 * 1024;

/// No method is longer, with the blank behind it.
const BEGINNING_BYTES: usize = 16;

/// Beside the target a first line has at most so many bytes: method, version, blanks, its end.
const FIRST_BYTES_BESIDES: usize = 64;
/// And others beside name and value: a colon, a blank, its end.
const BYTES_BESIDES: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// What clients say.
    Requests,
    /// What servers answer.
    Responses,
}

#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub side: Side,
    /// First line and fields together; trailers likewise.
    pub head_bytes_max: usize,
    /// Lines may end with a line feed alone, and chunked bodies may have a length besides.
    pub is_lenient: bool,
}

/// What the next response answers, where that decides whether it has a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Answers {
    #[default]
    Any,
    Head,
    Connect,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    Head(Head),
    /// Where in the bytes that were given a piece of the body is.
    Body(Range<usize>),
    /// Names and values in turns, each ended by a line feed.
    End {
        trailers: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Method and target of a request, or the reason of a response and nothing, then names and
    /// values in turns: each ended by a line feed, which none has in it; bytes are the characters
    /// of their number.
    pub text: String,
    /// Of responses.
    pub status: u16,
    pub version: (u8, u8),
    /// Another message may follow.
    pub keeps_alive: bool,
    /// What follows may be of another protocol: nothing is read until the program has said so
    /// ([`Parser::proceed`]) or taken the connection.
    pub is_upgrade: bool,
}

enum State {
    Start,
    Fields,
    Body(u64),
    UntilClose,
    ChunkSize,
    ChunkData(u64),
    ChunkEnd,
    Trailers,
    /// The program decides; then it goes on as said.
    Waiting(Box<State>),
    /// No message follows.
    Closed,
    Failed(Fault),
}

pub struct Parser {
    settings: Settings,
    state: State,
    /// Of a line that is not whole.
    partial: Vec<u8>,
    /// What of the head, or of the trailers, has come.
    head_bytes: usize,
    first: FirstLine,
    fields: Fields,
    keeps_alive: bool,
    answers: Answers,
}

impl Parser {
    pub fn new(settings: Settings) -> Parser {
        Parser {
            settings,
            state: State::Start,
            partial: Vec::new(),
            head_bytes: 0,
            first: FirstLine::default(),
            fields: Fields::default(),
            keeps_alive: true,
            answers: Answers::Any,
        }
    }

    pub fn set_answers(&mut self, answers: Answers) {
        self.answers = answers;
    }

    /// Reads on behind a head that could have changed the protocol, and did not.
    pub fn proceed(&mut self) {
        if let State::Waiting(next) = mem::replace(&mut self.state, State::Start) {
            self.state = *next;
        }
    }

    /// How many of the bytes were read: all, unless a program is to decide. After a fault there is
    /// no more.
    pub fn feed(&mut self, bytes: &[u8], events: &mut Vec<Event>) -> Result<usize, Fault> {
        let mut at = 0;
        let outcome = self.feed_on(bytes, &mut at, events);
        outcome.map(|()| at).inspect_err(|fault| self.state = State::Failed(*fault))
    }

    /// Nothing more comes.
    pub fn finish(&mut self, events: &mut Vec<Event>) -> Result<(), Fault> {
        match self.state {
            State::UntilClose => self.end(String::new(), events),
            State::Start if self.partial.is_empty() => {}
            // What was wrong was told.
            State::Closed | State::Waiting(_) | State::Failed(_) => {}
            _ => {
                let fault = Fault::new(Code::InvalidEofState, "Invalid EOF state");
                self.state = State::Failed(fault);
                return Err(fault);
            }
        }
        Ok(())
    }

    /// Whether nothing of a message has come that is not whole.
    pub fn is_between(&self) -> bool {
        matches!(self.state, State::Start | State::Closed) && self.partial.is_empty()
    }

    fn feed_on(&mut self, bytes: &[u8], at: &mut usize, events: &mut Vec<Event>) -> Result<(), Fault> {
        loop {
            match self.state {
                State::Body(left) => {
                    let Some(count) = piece(bytes, at, left, events) else { return Ok(()) };
                    self.state = State::Body(left - count);
                    if left == count {
                        self.end(String::new(), events);
                    }
                }
                State::ChunkData(left) => {
                    let Some(count) = piece(bytes, at, left, events) else { return Ok(()) };
                    self.state = if left == count { State::ChunkEnd } else { State::ChunkData(left - count) };
                }
                State::UntilClose => {
                    piece(bytes, at, u64::MAX, events);
                    return Ok(());
                }
                State::Waiting(_) => return Ok(()),
                State::Failed(fault) => return Err(fault),
                State::Closed => {
                    let blank = bytes[*at..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
                    *at += blank;
                    let fault = Fault::new(Code::ClosedConnection, "Data after `Connection: close`");
                    return if *at < bytes.len() { Err(fault.at(*at)) } else { Ok(()) };
                }
                _ => {
                    // What of the line came before is not of these bytes.
                    let before = self.partial.len();
                    let begin = *at;
                    let Some(line) = self.take_line(bytes, at)? else { return Ok(()) };
                    self.read_line(&line, events).map_err(|fault| fault.behind(begin, before))?;
                }
            }
        }
    }

    /// A whole line without its end; `None`: it is not whole.
    fn take_line<'b>(&mut self, bytes: &'b [u8], at: &mut usize) -> Result<Option<Cow<'b, [u8]>>, Fault> {
        if let State::Start = self.state
            && self.partial.is_empty()
        {
            // Clients of old sent line ends more behind a body.
            *at += bytes[*at..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        }
        let rest = &bytes[*at..];
        if rest.is_empty() {
            return Ok(None);
        }
        let end = rest.iter().position(|&byte| byte == b'\n');
        let piece = &rest[..end.map_or(rest.len(), |end| end + 1)];
        self.check_beginning(piece).map_err(|fault| fault.behind(*at, self.partial.len()))?;
        self.count(piece.len()).map_err(|fault| fault.at(*at + piece.len()))?;
        if end.is_none() {
            self.partial.extend_from_slice(piece);
            *at = bytes.len();
            return Ok(None);
        }
        let before = self.partial.len();
        let placed = |fault: Fault| fault.behind(*at, before);
        let line = match before {
            0 => Cow::Borrowed(self.without_end(piece).map_err(placed)?),
            _ => {
                let mut line = mem::take(&mut self.partial);
                line.extend_from_slice(piece);
                line.truncate(self.without_end(&line).map_err(placed)?.len());
                Cow::Owned(line)
            }
        };
        *at += piece.len();
        Ok(Some(line))
    }

    /// Refuses what cannot become a message before its first line is whole.
    fn check_beginning(&self, piece: &[u8]) -> Result<(), Fault> {
        if !matches!(self.state, State::Start) || self.partial.len() >= BEGINNING_BYTES {
            return Ok(());
        }
        let beginning: Vec<u8> = self.partial.iter().chain(piece).copied().take(BEGINNING_BYTES).collect();
        first_line::check_beginning(self.settings.side, &beginning)
    }

    fn without_end<'l>(&self, line: &'l [u8]) -> Result<&'l [u8], Fault> {
        let line = match line {
            [line @ .., b'\r', b'\n'] => line,
            [line @ .., b'\n'] if self.settings.is_lenient => line,
            _ => return Err(self.no_return().at(line.len())),
        };
        match line.iter().position(|&byte| byte == b'\r') {
            Some(place) => Err(self.lonely_return().at(place + 1)),
            None => Ok(line),
        }
    }

    fn count(&mut self, bytes: usize) -> Result<(), Fault> {
        let line_bytes = self.partial.len() + bytes;
        match self.state {
            State::ChunkSize if line_bytes > EXTENSION_BYTES_MAX => {
                Err(Fault::new(Code::ChunkExtensionsOverflow, "Chunk extensions overflow"))
            }
            State::ChunkEnd if line_bytes > 2 => {
                Err(Fault::new(Code::Strict, "Expected LF after chunk data"))
            }
            State::ChunkSize | State::ChunkEnd => Ok(()),
            _ => {
                let besides = if let State::Start = self.state { FIRST_BYTES_BESIDES } else { BYTES_BESIDES };
                match self.head_bytes + line_bytes >= self.settings.head_bytes_max + besides {
                    true => Err(overflow()),
                    false => Ok(()),
                }
            }
        }
    }

    /// Target, names and values are counted, as Node counts them.
    fn add_to_head(&mut self, bytes: usize) -> Result<(), Fault> {
        self.head_bytes += bytes;
        if self.head_bytes < self.settings.head_bytes_max { Ok(()) } else { Err(overflow()) }
    }

    fn no_return(&self) -> Fault {
        match self.state {
            State::Start if self.settings.side == Side::Requests => {
                Fault::new(Code::InvalidVersion, "Expected CRLF after version")
            }
            State::Start => Fault::new(Code::CrExpected, "Missing expected CR after response line"),
            State::ChunkSize => Fault::new(Code::CrExpected, "Missing expected CR after chunk size"),
            State::ChunkEnd => Fault::new(Code::CrExpected, "Missing expected CR after chunk data"),
            _ => Fault::new(Code::CrExpected, "Missing expected CR after header value"),
        }
    }

    fn lonely_return(&self) -> Fault {
        match self.state {
            State::Start => Fault::new(Code::Strict, "Expected CRLF after version"),
            State::ChunkSize => Fault::new(Code::LfExpected, "Missing expected LF after chunk size"),
            _ => Fault::new(Code::LfExpected, "Missing expected LF after header value"),
        }
    }

    fn read_line(&mut self, line: &[u8], events: &mut Vec<Event>) -> Result<(), Fault> {
        match self.state {
            State::Start => {
                self.first = FirstLine::parse(self.settings.side, line)?;
                self.add_to_head(self.first.counted_bytes)?;
                let rules = Rules {
                    may_go_on: self.settings.side == Side::Responses || self.settings.is_lenient,
                    takes_any_byte: self.settings.is_lenient,
                };
                self.fields = Fields::begin(mem::take(&mut self.first.text), rules);
                self.state = State::Fields;
            }
            State::Fields if line.is_empty() => {
                self.head_bytes = 0;
                self.end_head(events)?;
            }
            State::Fields => {
                let bytes = self.fields.add(line)?;
                self.add_to_head(bytes)?;
            }
            State::ChunkSize => match chunk_size(line)? {
                0 => {
                    self.fields = Fields::begin(
                        String::new(),
                        Rules { takes_any_byte: self.settings.is_lenient, ..Rules::default() },
                    );
                    self.state = State::Trailers;
                }
                size => self.state = State::ChunkData(size),
            },
            State::ChunkEnd => self.state = State::ChunkSize,
            State::Trailers if line.is_empty() => {
                self.head_bytes = 0;
                let trailers = mem::take(&mut self.fields.text);
                self.end(trailers, events);
            }
            State::Trailers => {
                let bytes = self.fields.add_trailer(line)?;
                self.add_to_head(bytes)?;
            }
            _ => unreachable!("the other states have no lines"),
        }
        Ok(())
    }

    fn end_head(&mut self, events: &mut Vec<Event>) -> Result<(), Fault> {
        let (version, status) = (self.first.version, self.first.status);
        let body = self.body()?;
        let is_unknown = matches!(body, Body::Unknown);
        let wishes_alive = match version >= (1, 1) {
            true => !self.fields.says_close,
            false => self.fields.says_keep_alive,
        };
        self.keeps_alive = wishes_alive && !matches!(body, Body::UntilClose);
        let is_upgrade = match self.settings.side {
            Side::Requests => self.first.is_connect || self.fields.is_upgrade(),
            Side::Responses => {
                self.answers == Answers::Connect || (status == 101 && self.fields.is_upgrade())
            }
        };
        let text = mem::take(&mut self.fields.text);
        events.push(Event::Head(Head { text, status, version, keeps_alive: self.keeps_alive, is_upgrade }));
        if is_unknown {
            let reason = "Request has invalid `Transfer-Encoding`";
            return Err(Fault::new(Code::InvalidTransferEncoding, reason));
        }
        self.state = match body {
            Body::None | Body::Unknown => State::Start,
            Body::Length(bytes) => State::Body(bytes),
            Body::Chunked => State::ChunkSize,
            Body::UntilClose => State::UntilClose,
        };
        if is_upgrade {
            self.state = State::Waiting(Box::new(mem::replace(&mut self.state, State::Start)));
        } else if matches!(body, Body::None) {
            self.end(String::new(), events);
        }
        Ok(())
    }

    /// How the end of the body is known (RFC 9112, 6.3).
    fn body(&self) -> Result<Body, Fault> {
        let is_request = self.settings.side == Side::Requests;
        let fields = &self.fields;
        if fields.length.is_some() && fields.is_coded && !self.settings.is_lenient {
            return Err(fields.both());
        }
        let has_none = matches!(self.first.status, 100..=199 | 204 | 304) || self.answers == Answers::Head;
        if !is_request && has_none {
            return Ok(Body::None);
        }
        if fields.is_coded {
            return match fields.is_chunked {
                true => Ok(Body::Chunked),
                false if is_request => Ok(Body::Unknown),
                false => Ok(Body::UntilClose),
            };
        }
        Ok(match fields.length {
            Some(0) => Body::None,
            Some(bytes) => Body::Length(bytes),
            None if is_request => Body::None,
            None => Body::UntilClose,
        })
    }

    fn end(&mut self, trailers: String, events: &mut Vec<Event>) {
        events.push(Event::End { trailers });
        let is_interim = self.settings.side == Side::Responses && matches!(self.first.status, 100..=199);
        self.state = if self.keeps_alive || is_interim { State::Start } else { State::Closed };
    }
}

enum Body {
    None,
    /// Of a request: nobody knows where it ends.
    Unknown,
    Length(u64),
    Chunked,
    UntilClose,
}

fn overflow() -> Fault {
    Fault::new(Code::HeaderOverflow, "Header overflow")
}

/// Tells of what there is of so many bytes; `None`: there is nothing more.
fn piece(bytes: &[u8], at: &mut usize, left: u64, events: &mut Vec<Event>) -> Option<u64> {
    let count = left.min((bytes.len() - *at) as u64);
    if count == 0 {
        return None;
    }
    let begin = *at;
    *at += count as usize;
    events.push(Event::Body(begin..*at));
    Some(count)
}

/// Hexadecimal digits, and extensions behind a semicolon.
fn chunk_size(line: &[u8]) -> Result<u64, Fault> {
    let digits = line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let extensions = match &line[digits..] {
        [] if digits > 0 => &[],
        [b';', extensions @ ..] if digits > 0 => extensions,
        _ => return Err(Fault::new(Code::InvalidChunkSize, "Invalid character in chunk size").at(digits)),
    };
    if !extensions.split(|&byte| byte == b';').all(fields::is_extension) {
        return Err(Fault::new(Code::Strict, "Invalid character in chunk extensions").at(digits + 1));
    }
    let digits = std::str::from_utf8(&line[..digits]).expect("digits are ASCII");
    let overflow = || Fault::new(Code::InvalidChunkSize, "Chunk size overflow").at(digits.len());
    u64::from_str_radix(digits, 16).map_err(|_| overflow())
}
