//! State of an HTTP/2 connection of the client. In: events of the session. Out: the head, the body
//! and the end of each response; wakers of those who wait for them.

use std::collections::{HashMap, VecDeque};
use std::task::Waker;

use rusk_http2::error::code;
use rusk_http2::{HeaderField, Http2Session, SessionEvent};
use tokio::time::Instant;

use super::response_stream::Http2Head;
use crate::error::ClientError;

/// Why there is no response.
#[derive(Clone, Debug)]
pub(crate) enum StreamFailure {
    /// The server has not processed the request; it may be sent again.
    Refused,
    /// The server wants HTTP/1.1 for this request (RFC 9113, section 7).
    Http11Required,
    Error(ClientError),
}

impl StreamFailure {
    pub fn into_error(self) -> ClientError {
        match self {
            StreamFailure::Refused => ClientError::Stream { code: code::REFUSED_STREAM },
            StreamFailure::Http11Required => ClientError::Stream { code: code::HTTP_1_1_REQUIRED },
            StreamFailure::Error(error) => error,
        }
    }
}

pub(super) struct ConnectionState {
    pub session: Http2Session,
    pub streams: HashMap<u32, StreamState>,
    pub driver: Option<Waker>,
    /// No requests are added: the server has said GOAWAY, or this side ends.
    pub is_closing: bool,
    /// The connection has ended.
    pub has_ended: bool,
    /// The code of the server's GOAWAY.
    goaway_code: u32,
    pub last_received: Instant,
    /// When the answer to a ping is due.
    pub ping_deadline: Option<Instant>,
}

#[derive(Default)]
pub(super) struct StreamState {
    pub head: Option<Http2Head>,
    pub has_head: bool,
    pub data: VecDeque<Vec<u8>>,
    /// The server has sent all of the response.
    pub is_complete: bool,
    pub failure: Option<StreamFailure>,
    /// It is no stream of the session any more.
    pub is_closed: bool,
    pub reader: Option<Waker>,
    pub writer: Option<Waker>,
}

impl StreamState {
    pub fn wake(&mut self) {
        self.reader.take().into_iter().chain(self.writer.take()).for_each(Waker::wake);
    }

    fn fail(&mut self, failure: StreamFailure) {
        if !self.is_complete && self.failure.is_none() {
            self.failure = Some(failure);
        }
        self.is_closed = true;
        self.wake();
    }
}

impl ConnectionState {
    pub fn new(session: Http2Session) -> ConnectionState {
        ConnectionState {
            session,
            streams: HashMap::new(),
            driver: None,
            is_closing: false,
            has_ended: false,
            goaway_code: code::NO_ERROR,
            last_received: Instant::now(),
            ping_deadline: None,
        }
    }

    pub fn is_usable(&self) -> bool {
        !self.is_closing && !self.has_ended && !self.session.is_terminated()
    }

    pub fn add_stream(&mut self, id: u32) {
        self.streams.insert(id, StreamState::default());
    }

    pub fn wake_driver(&mut self) {
        self.driver.take().into_iter().for_each(Waker::wake);
    }

    /// Passes bytes of the server to the session. An error ends the connection.
    pub fn receive(&mut self, bytes: &[u8], now_s: u64) -> Result<(), ClientError> {
        self.last_received = Instant::now();
        self.ping_deadline = None;
        let result = self.session.receive(bytes, now_s);
        self.distribute();
        // A limit may allow more requests now, whose bodies wait for it.
        self.streams.values_mut().filter_map(|stream| stream.writer.take()).for_each(Waker::wake);
        result.map_err(|error| ClientError::Session { code: error.code() })
    }

    /// Passes events of the session to their streams.
    pub fn distribute(&mut self) {
        while let Some(event) = self.session.next_event() {
            match event {
                SessionEvent::Headers { stream, fields, .. } => self.receive_head(stream, fields),
                SessionEvent::Data { stream, bytes } => {
                    self.with(stream, |stream| stream.data.push_back(bytes))
                }
                SessionEvent::StreamEnded { stream } => self.with(stream, |stream| stream.is_complete = true),
                SessionEvent::StreamClosed { stream, code } => self.close_stream(stream, code),
                SessionEvent::Written { stream, .. } => self.with(stream, |_| {}),
                SessionEvent::PushPromise { promised, .. } => {
                    self.session.reset_stream(promised, code::REFUSED_STREAM);
                }
                SessionEvent::FrameNotSent { stream, .. } => {
                    let cause = "the header fields of the request are too large".to_owned();
                    self.with(stream, |stream| {
                        stream.fail(StreamFailure::Error(ClientError::Protocol(cause)))
                    });
                }
                SessionEvent::GoAway { code, .. } => {
                    self.is_closing = true;
                    self.goaway_code = code;
                }
                SessionEvent::Terminated { code } => self.fail_all(&ClientError::Session { code }),
                // For others than this client.
                _ => {}
            }
        }
    }

    fn with(&mut self, stream: u32, change: impl FnOnce(&mut StreamState)) {
        // The exchange may have been given up.
        if let Some(stream) = self.streams.get_mut(&stream) {
            change(stream);
            stream.wake();
        }
    }

    /// Informational responses and trailers are ignored: `fetch` does not show them.
    fn receive_head(&mut self, stream: u32, fields: Vec<HeaderField>) {
        self.with(stream, |stream| {
            if !stream.has_head
                && let Some(head) = Http2Head::of_final(fields)
            {
                stream.has_head = true;
                stream.head = Some(head);
            }
        });
    }

    fn close_stream(&mut self, stream: u32, code: u32) {
        let failure = match code {
            code::REFUSED_STREAM => StreamFailure::Refused,
            code::HTTP_1_1_REQUIRED => StreamFailure::Http11Required,
            code => StreamFailure::Error(ClientError::Stream { code }),
        };
        self.with(stream, |stream| stream.fail(failure));
    }

    /// The connection has ended.
    pub fn end(&mut self, error: ClientError) {
        self.has_ended = true;
        let error = match (error, self.goaway_code) {
            (ClientError::Closed, code) if code != code::NO_ERROR => ClientError::Session { code },
            (error, _) => error,
        };
        self.fail_all(&error);
    }

    fn fail_all(&mut self, error: &ClientError) {
        self.streams.values_mut().for_each(|stream| stream.fail(StreamFailure::Error(error.clone())));
    }
}
