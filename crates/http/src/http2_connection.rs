//! HTTP/2 connection of the client (RFC 9113): many exchanges over one stream of bytes. In:
//! requests. Out: a [`ResponseStream`] for each. The protocol is `rusk_http2`; `driver` moves the
//! bytes. Absent: the choice of a connection, retries.

mod driver;
mod fields;
mod response_stream;
mod state;
#[cfg(test)]
mod tests;
mod upload;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusk_http2::{HeaderField, Http2Session, SessionOptions, SessionRole, settings};
use tokio::time::Instant;

use crate::exchange::{Duplex, HEADERS_MAX};
use crate::request_body::OutgoingBody;
use driver::Driver;
pub(crate) use fields::request_fields;
pub(crate) use response_stream::ResponseStream;
use state::ConnectionState;
pub(crate) use state::StreamFailure;

/// What a server may send of one response before it is read. More of a fast and distant server
/// could not be in flight.
const STREAM_WINDOW_BYTES: u32 = 1 << 20;
/// The same of all responses. What arrives is moved to its response at once, so this only has to be
/// large.
const CONNECTION_WINDOW_BYTES: u32 = 16 << 20;
/// Bytes of the header list of a response.
const HEADER_LIST_BYTES_MAX: u32 = 256 << 10;
const SEND_HEADER_BYTES_MAX: usize = 1 << 20;

/// A connection without an exchange is closed after this time.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
/// A connection that was silent for so long is asked whether it is still there, when a request is
/// sent over it: the route may have changed, or the machine may have slept.
const SILENCE_MAX: Duration = Duration::from_secs(10);
/// Time for the answer.
const PING_TIMEOUT: Duration = Duration::from_secs(10);

/// A handle; the connection lives as long as its driver, which ends some time after the last
/// exchange.
#[derive(Clone)]
pub(crate) struct Http2Connection(Arc<Shared>);

/// What the driver, the exchanges and their uploads share.
struct Shared(Mutex<ConnectionState>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, ConnectionState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Http2Connection {
    /// Begins to speak HTTP/2 over a stream, in a task of its own.
    pub fn start(stream: Box<dyn Duplex>) -> Http2Connection {
        let options = SessionOptions {
            header_pairs_max: HEADERS_MAX,
            send_header_block_bytes_max: SEND_HEADER_BYTES_MAX,
            continuations_max: HEADER_LIST_BYTES_MAX as usize
                / rusk_http2::frame::DEFAULT_PAYLOAD_BYTES as usize,
            ..SessionOptions::default()
        };
        let mut session = Http2Session::new(SessionRole::Client, options);
        let own = [
            (settings::id::ENABLE_PUSH, 0),
            (settings::id::INITIAL_WINDOW_SIZE, STREAM_WINDOW_BYTES),
            (settings::id::MAX_HEADER_LIST_SIZE, HEADER_LIST_BYTES_MAX),
        ];
        let is_set =
            session.settings(&own).and_then(|()| session.set_local_window(CONNECTION_WINDOW_BYTES)).is_ok();
        debug_assert!(is_set, "settings of our own are valid");
        let shared = Arc::new(Shared(Mutex::new(ConnectionState::new(session))));
        tokio::spawn(Driver::new(Arc::clone(&shared), stream));
        Http2Connection(shared)
    }

    /// Whether the server still takes requests.
    pub fn is_usable(&self) -> bool {
        self.0.lock().is_usable()
    }

    /// Sends a request. An error: the connection takes no more; the body is unused.
    pub fn request(
        &self,
        fields: Vec<HeaderField>,
        body: OutgoingBody,
    ) -> Result<ResponseStream, OutgoingBody> {
        let id = {
            let mut state = self.0.lock();
            if !state.is_usable() {
                return Err(body);
            }
            let has_no_body = matches!(&body, OutgoingBody::None)
                || matches!(&body, OutgoingBody::Full(bytes) if bytes.is_empty());
            let Ok(id) = state.session.request(fields, has_no_body, None) else {
                // No numbers of streams are left.
                state.is_closing = true;
                state.wake_driver();
                return Err(body);
            };
            state.add_stream(id);
            if let OutgoingBody::Full(bytes) = &body
                && !bytes.is_empty()
            {
                // Fails only for a stream that was refused at once, which its response reports.
                let _ = state.session.write(id, bytes.to_vec());
                state.session.end(id, false);
            }
            if state.last_received.elapsed() > SILENCE_MAX && state.ping_deadline.is_none() {
                state.session.ping(*b"silence?");
                state.ping_deadline = Some(Instant::now() + PING_TIMEOUT);
            }
            state.distribute();
            state.wake_driver();
            id
        };
        let stream = ResponseStream::new(Arc::clone(&self.0), id);
        Ok(match body {
            OutgoingBody::Stream(body) => stream.with_upload(body),
            OutgoingBody::None | OutgoingBody::Full(_) => stream,
        })
    }
}
