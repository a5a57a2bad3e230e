//! One connection: what was read, the request it is at, what is to be written. In: bytes, times.
//! Out: its phase, what it waits for. Absent: system calls other than writing.

use std::ops::Range;

use rusk_base::sys::epoll::EventFlags;
use rusk_http::parser::RequestHead;

use crate::body::RequestBody;
use crate::http2::{Http2Carrier, StreamLink};
use crate::limits::{Limits, OUTPUT_JOIN_BYTES_MAX, PIPELINE_BYTES_MAX};
use crate::output::Output;
use crate::request::RequestView;
use crate::transport::Transport;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Waits for a request, or reads its head.
    Head,
    /// The program has a request and has not answered it completely.
    Request,
    /// The response is complete and has to be written before anything else.
    Flush,
    /// Both sides have ended, but for what the client still sends: closing at once would reset the
    /// connection, and the client would lose the response (RFC 9112, 9.6).
    Linger,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResponsePhase {
    NotBegun,
    /// Its body is written piece by piece.
    Streaming(StreamFraming),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StreamFraming {
    Chunked,
    /// The program has said the length: so many bytes are left to write.
    Length(u64),
    UntilClose,
    /// HEAD, 204 and the like: what is written is dropped.
    NoBody,
}

/// What happens to the connection after the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    KeepAlive,
    Close,
    /// The client may still be sending.
    Linger,
}

pub(crate) struct Connection {
    pub transport: Transport,
    /// The HTTP/2 session that this connection carries.
    pub carrier: Option<Box<Http2Carrier>>,
    /// This is a stream of such a session, and answers one request.
    pub link: Option<StreamLink>,
    /// Nothing of a request has come yet, so that the version of HTTP is not known.
    pub is_new: bool,
    pub phase: Phase,
    /// Unread bytes; the head of the current request is at the beginning.
    pub input: Vec<u8>,
    pub head: RequestHead,
    /// Length of the head of the current request.
    pub head_bytes: usize,
    /// Ranges of the route's parameters within the path.
    pub parameters: Vec<Range<usize>>,
    pub body: RequestBody,
    pub must_continue: bool,
    pub response: ResponsePhase,
    pub ending: Ending,
    pub output: Output,
    /// The kernel takes no more output now.
    pub is_blocked: bool,
    pub is_dirty: bool,
    pub wants_drain: bool,
    pub lingered_bytes: usize,
    pub interest: EventFlags,
    /// Milliseconds of the server's clock; 0: none.
    pub deadline_ms: u64,
    pub timeout_ms: u64,
    pub head_began_ms: Option<u64>,
}

impl Connection {
    /// Whether a piece of a body can be written now: nothing is before it.
    pub fn is_free(&self) -> bool {
        self.output.is_empty() && !self.is_blocked && self.link.is_none()
    }

    pub fn new(transport: Transport, timeout_ms: u64) -> Connection {
        Connection {
            transport,
            carrier: None,
            link: None,
            is_new: true,
            phase: Phase::Head,
            input: Vec::new(),
            head: RequestHead::default(),
            head_bytes: 0,
            parameters: Vec::new(),
            body: RequestBody::empty(),
            must_continue: false,
            response: ResponsePhase::NotBegun,
            ending: Ending::KeepAlive,
            output: Output::default(),
            is_blocked: false,
            is_dirty: false,
            wants_drain: false,
            lingered_bytes: 0,
            interest: EventFlags::IN,
            deadline_ms: 0,
            timeout_ms,
            head_began_ms: None,
        }
    }

    pub fn view(&self) -> RequestView<'_> {
        RequestView { head: &self.head, buffer: &self.input[..self.head_bytes] }
    }

    /// What the connection is to be watched for.
    pub fn wanted(&self) -> EventFlags {
        let pipelined = self.input.len().saturating_sub(self.head_bytes);
        let reads = match self.phase {
            // A client that does not read its responses gets no more requests in.
            Phase::Head if self.carrier.is_some() => self.output.waiting() < OUTPUT_JOIN_BYTES_MAX,
            Phase::Head | Phase::Linger => true,
            Phase::Request if !self.body.is_complete() => self.body.wants_more(),
            Phase::Request => pipelined < PIPELINE_BYTES_MAX,
            Phase::Flush => self.ending != Ending::KeepAlive || pipelined < PIPELINE_BYTES_MAX,
        };
        let mut wanted = EventFlags::empty();
        wanted.set(EventFlags::IN, reads);
        wanted.set(EventFlags::OUT, self.is_blocked);
        wanted
    }

    /// Bytes went in either direction, or the phase changed: the timeout begins again.
    pub fn touch(&mut self, now_ms: u64, limits: &Limits) {
        // Streams have deadlines of their own.
        let has_streams = self.carrier.as_ref().is_some_and(|carrier| !carrier.is_empty());
        self.deadline_ms = if self.timeout_ms == 0 || has_streams { 0 } else { now_ms + self.timeout_ms };
        let head_ms = limits.head_timeout.as_millis() as u64;
        if let Some(began_ms) = self.head_began_ms.filter(|_| head_ms > 0 && self.phase == Phase::Head) {
            let end_ms = began_ms + head_ms;
            self.deadline_ms = if self.deadline_ms == 0 { end_ms } else { self.deadline_ms.min(end_ms) };
        }
    }

    /// Whether nothing of a request has come.
    pub fn is_idle(&self) -> bool {
        let has_streams = self.carrier.as_ref().is_some_and(|carrier| !carrier.is_empty());
        self.phase == Phase::Head && self.input.is_empty() && self.output.is_empty() && !has_streams
    }
}
