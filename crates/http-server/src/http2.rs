//! HTTP/2 of a server (RFC 9113): the session that a connection carries, and its streams. A stream
//! is a connection of the server that answers one request. In: header fields of requests, rendered
//! responses. Out: request heads as of HTTP/1.1, which routes and programs read; header fields and
//! data of responses. Absent: which connections speak it (`server/streams.rs`).

use std::collections::HashMap;

use rusk_base::sys;
use rusk_http::parser::{BodyFraming, RequestHead};
use rusk_http2::{HeaderField, Http2Session, SessionOptions, SessionRole, settings};

use crate::body::RequestBody;
use crate::limits::{
    BODY_BUFFER_BYTES_MAX, HTTP2_CONNECTION_WINDOW_BYTES, HTTP2_FIELDS_MAX, HTTP2_STREAMS_MAX, Limits,
    OUTPUT_JOIN_BYTES_MAX,
};
use crate::output::Output;

/// Fields of HTTP/1.1 that say how a connection goes on (RFC 9113, section 8.2.2).
const CONNECTION_FIELDS: [&[u8]; 5] =
    [b"connection", b"keep-alive", b"proxy-connection", b"transfer-encoding", b"upgrade"];

pub(crate) struct Http2Carrier {
    pub session: Http2Session,
    /// Slots of the server by streams.
    pub slots: HashMap<u32, u32>,
    /// Streams that are answered while the client still sends its request.
    pub answered_early: Vec<u32>,
    /// GOAWAY was sent: the connection ends with its last stream.
    pub is_going: bool,
}

/// A stream, as a connection of the server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StreamLink {
    /// The slot of the connection that carries the session.
    pub carrier: u32,
    pub stream: u32,
    /// The request did not end with its head.
    pub has_body: bool,
    /// All of the request has come.
    pub is_request_complete: bool,
    /// The head of the response is in the session.
    pub has_head: bool,
    /// All of the response is in the session.
    pub has_ended: bool,
}

impl Http2Carrier {
    pub fn new(limits: &Limits) -> Http2Carrier {
        let options = SessionOptions { header_pairs_max: HTTP2_FIELDS_MAX, ..SessionOptions::default() };
        let mut session = Http2Session::new(SessionRole::Server, options);
        let own = [
            (settings::id::MAX_CONCURRENT_STREAMS, HTTP2_STREAMS_MAX),
            (settings::id::INITIAL_WINDOW_SIZE, BODY_BUFFER_BYTES_MAX as u32),
            (settings::id::MAX_HEADER_LIST_SIZE, limits.head_bytes_max as u32),
        ];
        let is_set = session
            .settings(&own)
            .and_then(|()| session.set_local_window(HTTP2_CONNECTION_WINDOW_BYTES))
            .is_ok();
        debug_assert!(is_set, "settings of our own are valid");
        Http2Carrier { session, slots: HashMap::new(), answered_early: Vec::new(), is_going: false }
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Ends streams that are answered, whose clients need not send more (RFC 9113, section 8.1).
    pub fn reset_answered(&mut self) {
        let session = &mut self.session;
        self.answered_early.retain(|stream| match session.stream_state(*stream) {
            Some((_, true, ..)) => {
                session.reset_stream(*stream, rusk_http2::error::code::NO_ERROR);
                false
            }
            Some(_) => true,
            None => false,
        });
    }
}

impl StreamLink {
    pub fn new(carrier: u32, stream: u32, has_body: bool) -> StreamLink {
        let is_request_complete = !has_body;
        StreamLink { carrier, stream, has_body, is_request_complete, has_head: false, has_ended: false }
    }

    /// The end of a body without a length is the end of its stream.
    pub fn begin_body(&self, head: &mut RequestHead, body: &mut RequestBody) {
        if self.has_body && body.is_complete() {
            head.body = Some(BodyFraming::UntilClose);
            *body = RequestBody::until_end();
        }
    }

    /// Passes a response on to the session: all that is rendered, and of a file what fits into the
    /// queue. `is_answered`: nothing follows. Returns the number of bytes that wait in the session.
    pub fn send(
        &mut self,
        session: &mut Http2Session,
        output: &mut Output,
        is_answered: bool,
    ) -> sys::Result<usize> {
        let mut bytes = output.take();
        if !self.has_head {
            let Some(head_bytes) = memchr::memmem::find(&bytes, b"\r\n\r\n") else { return Ok(0) };
            let body = bytes.split_off(head_bytes + 4);
            let ends_stream = is_answered && body.is_empty() && !output.has_file();
            // It fails for a stream that the client has reset, which an event reports.
            let _ = session.respond(self.stream, &response_fields(&bytes), ends_stream);
            self.has_head = true;
            self.has_ended = ends_stream;
            bytes = body;
        }
        if !bytes.is_empty() {
            let _ = session.write(self.stream, bytes);
        }
        let queued = |session: &Http2Session| session.stream_queued_bytes(self.stream);
        while output.has_file() && queued(session).is_some_and(|bytes| bytes < OUTPUT_JOIN_BYTES_MAX) {
            let _ = session.write(self.stream, output.read_file()?);
        }
        if is_answered && !self.has_ended && !output.has_file() {
            session.end(self.stream, false);
            self.has_ended = true;
        }
        Ok(session.stream_queued_bytes(self.stream).unwrap_or(0))
    }
}

/// The head of a request as HTTP/1.1 has it. The session has checked names and values, and the
/// parser checks the rest: the target, the host, the length.
pub(crate) fn request_head(fields: &[HeaderField]) -> Vec<u8> {
    let find = |name: &[u8]| fields.iter().find(|field| field.name == name).map(|field| &field.value[..]);
    let mut head = Vec::with_capacity(fields.iter().map(|field| field.list_bytes()).sum());
    for part in [find(b":method").unwrap_or_default(), b" ", find(b":path").unwrap_or_default()] {
        head.extend_from_slice(part);
    }
    head.extend_from_slice(b" HTTP/1.1\r\n");
    let mut push = |name: &[u8], value: &[u8]| {
        for part in [name, b": ", value, b"\r\n"] {
            head.extend_from_slice(part);
        }
    };
    let authority = find(b":authority");
    if let Some(authority) = authority {
        push(b"host", authority);
    }
    for field in fields.iter().filter(|field| field.name.first() != Some(&b':')) {
        if authority.is_none() || field.name != b"host" {
            push(&field.name, &field.value);
        }
    }
    head.extend_from_slice(b"\r\n");
    head
}

/// The fields of a rendered response head.
fn response_fields(head: &[u8]) -> Vec<HeaderField> {
    // After `HTTP/1.1 `.
    let status = head.get(9..12).unwrap_or(b"500").to_vec();
    let mut fields = vec![HeaderField { name: b":status".to_vec(), value: status, is_sensitive: false }];
    for line in head.split(|byte| *byte == b'\n').skip(1) {
        let Some(colon) = memchr::memchr(b':', line) else { continue };
        let name = line[..colon].to_ascii_lowercase();
        if !CONNECTION_FIELDS.contains(&&name[..]) {
            let value = line[colon + 1..].trim_ascii().to_vec();
            fields.push(HeaderField { name, value, is_sensitive: false });
        }
    }
    fields
}

#[cfg(test)]
mod tests;
