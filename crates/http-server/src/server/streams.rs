//! Connections that speak HTTP/2: events of their sessions become requests, pieces of bodies and
//! aborts of the server; responses of streams become output of the connection. In: bytes of a
//! connection, flushed streams. Out: events. Absent: routes and answers, which do not know of it.

use rusk_http2::error::code;
use rusk_http2::{HeaderField, HeadersCategory, SessionEvent};

use super::{Event, Server};
use crate::connection::{Connection, Ending, Phase};
use crate::http2::{Http2Carrier, StreamLink, request_head};
use crate::limits::OUTPUT_JOIN_BYTES_MAX;

/// No method of HTTP/1.1 begins so.
const PREFACE_START: &[u8] = b"PRI";

impl Server {
    fn carrier_mut(&mut self, slot: u32) -> Option<&mut Http2Carrier> {
        self.slots.connection_mut(slot)?.carrier.as_deref_mut()
    }

    /// Whether these bytes, the next ones of a connection, are of HTTP/2.
    pub(super) fn is_http2(&mut self, slot: u32, bytes: &[u8]) -> bool {
        let speaks_http2 = self.protocols.http2;
        let Some(connection) = self.slots.connection_mut(slot) else { return false };
        if connection.carrier.is_some() || !speaks_http2 || !connection.is_new {
            return connection.carrier.is_some();
        }
        if connection.transport.is_tls() {
            connection.is_new = false;
            return connection.transport.is_http2();
        }
        let start: Vec<u8> =
            connection.input.iter().chain(bytes).copied().take(PREFACE_START.len()).collect();
        connection.is_new = start.len() < PREFACE_START.len();
        start == PREFACE_START
    }

    pub(super) fn receive_http2(&mut self, slot: u32, bytes: &[u8]) {
        let (now_ms, limits) = (self.now_ms, self.limits);
        let Some(connection) = self.slots.connection_mut(slot) else { return };
        let mut input = std::mem::take(&mut connection.input);
        input.extend_from_slice(bytes);
        let carrier = connection.carrier.get_or_insert_with(|| Box::new(Http2Carrier::new(&limits)));
        let result = carrier.session.receive(&input, now_ms / 1000);
        connection.head_began_ms = None;
        self.handle_session_events(slot);
        if result.is_err() {
            return self.fail(slot);
        }
        self.touch(slot);
        self.mark_dirty(slot);
    }

    fn touch(&mut self, slot: u32) {
        let (now_ms, limits) = (self.now_ms, self.limits);
        if let Some(connection) = self.slots.connection_mut(slot) {
            connection.touch(now_ms, &limits);
            self.set_timer_for(slot);
        }
    }

    fn handle_session_events(&mut self, slot: u32) {
        while let Some(event) = self.carrier_mut(slot).and_then(|carrier| carrier.session.next_event()) {
            let target = |server: &mut Server, stream: u32| {
                server.carrier_mut(slot).and_then(|carrier| carrier.slots.get(&stream).copied())
            };
            match event {
                SessionEvent::Headers { stream, category: HeadersCategory::Request, ends_stream, fields } => {
                    self.begin_stream(StreamLink::new(slot, stream, !ends_stream), &fields);
                }
                SessionEvent::Data { stream, bytes } => match target(self, stream) {
                    Some(target) => self.receive_data(target, &bytes),
                    None => self.credit_stream(StreamLink::new(slot, stream, true), true),
                },
                SessionEvent::StreamEnded { stream } => {
                    if let Some(target) = target(self, stream) {
                        self.end_request(target);
                    }
                }
                SessionEvent::StreamClosed { stream, .. } => {
                    if let Some(target) = target(self, stream) {
                        self.fail(target);
                    }
                }
                SessionEvent::Written { stream, .. } => {
                    if let Some(target) = target(self, stream) {
                        self.flush_stream(target);
                    }
                }
                // The head of a response is larger than clients accept.
                SessionEvent::FrameNotSent { stream, .. } => {
                    if let Some(carrier) = self.carrier_mut(slot) {
                        carrier.session.reset_stream(stream, code::INTERNAL_ERROR);
                    }
                }
                // Trailers are not used, and the rest is of the connection.
                _ => {}
            }
        }
    }

    fn begin_stream(&mut self, link: StreamLink, fields: &[HeaderField]) {
        let timeout_ms = self.limits.idle_timeout.as_millis() as u64;
        let Some(carrier) = self.slots.connection(link.carrier) else { return };
        let mut connection = Connection::new(carrier.transport.of_stream(), timeout_ms);
        connection.input = request_head(fields);
        connection.link = Some(link);
        let slot = self.slots.insert(connection);
        if let Some(carrier) = self.carrier_mut(link.carrier) {
            carrier.slots.insert(link.stream, slot);
        }
        self.touch(slot);
        self.runnable_later(slot);
    }

    fn receive_data(&mut self, slot: u32, bytes: &[u8]) {
        let (id, bytes_max) = (self.slots.id(slot), self.limits.body_bytes_max);
        let Some(connection) = self.slots.connection_mut(slot) else { return };
        match connection.phase {
            // It is behind the head when that is parsed.
            Phase::Head => connection.input.extend_from_slice(bytes),
            Phase::Request => {
                if let Err(error) = connection.body.receive(bytes, bytes_max) {
                    return self.fail_body(slot, error);
                }
                if connection.body.take_satisfied() {
                    self.events.push_back(Event::Body(id));
                }
                self.touch(slot);
            }
            Phase::Flush | Phase::Linger => {}
        }
        self.update_interest(slot);
    }

    /// All of a request has come.
    fn end_request(&mut self, slot: u32) {
        let id = self.slots.id(slot);
        let Some(connection) = self.slots.connection_mut(slot) else { return };
        if let Some(link) = &mut connection.link {
            link.is_request_complete = true;
        }
        if connection.phase == Phase::Request {
            connection.body.end();
            if connection.body.take_satisfied() {
                self.events.push_back(Event::Body(id));
            }
        }
    }

    /// Passes what a stream is answered with on to its session.
    pub(super) fn flush_stream(&mut self, slot: u32) {
        let id = self.slots.id(slot);
        let Some(connection) = self.slots.connection_mut(slot) else { return };
        connection.is_dirty = false;
        let Some(mut link) = connection.link else { return };
        let is_answered = connection.phase == Phase::Flush;
        let has_progress = !connection.output.is_empty();
        let mut output = std::mem::take(&mut connection.output);
        let Some(carrier) = self.carrier_mut(link.carrier) else { return };
        let sent = link.send(&mut carrier.session, &mut output, is_answered);
        if link.has_ended && !link.is_request_complete && !carrier.answered_early.contains(&link.stream) {
            carrier.answered_early.push(link.stream);
        }
        let Some(connection) = self.slots.connection_mut(slot) else { return };
        (connection.link, connection.output) = (Some(link), output);
        // A file has become shorter.
        let Ok(queued_bytes) = sent else { return self.fail(slot) };
        connection.is_blocked = queued_bytes > 0;
        if queued_bytes == 0 && std::mem::take(&mut connection.wants_drain) && !is_answered {
            self.events.push_back(Event::Drain(id));
        }
        if has_progress {
            self.touch(slot);
        }
        self.mark_dirty(link.carrier);
    }

    /// Takes output of a session into that of its connection, and ends a connection whose session
    /// has ended.
    pub(super) fn fill_from_session(&mut self, slot: u32) {
        loop {
            let Some(connection) = self.slots.connection_mut(slot) else { return };
            let Some(carrier) = &mut connection.carrier else { return };
            carrier.reset_answered();
            if connection.output.waiting() >= OUTPUT_JOIN_BYTES_MAX || !carrier.session.has_output() {
                break;
            }
            let bytes = carrier.session.take_output(OUTPUT_JOIN_BYTES_MAX);
            let is_empty = bytes.is_empty();
            connection.output.append(bytes);
            self.handle_session_events(slot);
            if is_empty {
                break;
            }
        }
        let Some(connection) = self.slots.connection_mut(slot) else { return };
        let Some(carrier) = &connection.carrier else { return };
        let has_ended = carrier.session.is_terminated() || (carrier.is_going && carrier.is_empty());
        if has_ended && !carrier.session.has_output() {
            (connection.phase, connection.ending) = (Phase::Flush, Ending::Close);
        }
    }

    pub(super) fn has_session_output(&self, slot: u32) -> bool {
        let carrier = self.slots.connection(slot).and_then(|connection| connection.carrier.as_ref());
        carrier.is_some_and(|carrier| carrier.session.has_output())
    }

    /// Bytes of a response that wait in the session of its stream.
    pub(crate) fn queued_in_session(&self, connection: &Connection) -> usize {
        let queued_bytes = connection.link.and_then(|link| {
            let carrier = self.slots.connection(link.carrier)?.carrier.as_ref()?;
            carrier.session.stream_queued_bytes(link.stream)
        });
        queued_bytes.unwrap_or(0)
    }

    /// The client may send as much of a body as was taken.
    pub(super) fn credit_stream(&mut self, link: StreamLink, wants_more: bool) {
        let Some(carrier) = self.carrier_mut(link.carrier).filter(|_| wants_more) else { return };
        carrier.session.consume(link.stream, usize::MAX);
        if carrier.session.has_output() {
            self.mark_dirty(link.carrier);
        }
    }

    /// 100 Continue.
    pub(crate) fn inform_stream(&mut self, link: StreamLink) {
        if let Some(carrier) = self.carrier_mut(link.carrier) {
            // It fails for a stream that has ended, which an event reports.
            let _ = carrier.session.inform(link.stream, &[HeaderField::new(":status", "100")]);
            self.mark_dirty(link.carrier);
        }
    }

    /// The server stops: no more streams are accepted.
    pub(super) fn announce_end(&mut self, slot: u32) {
        if let Some(carrier) = self.carrier_mut(slot) {
            carrier.session.goaway(code::NO_ERROR, 0, &[]);
            carrier.is_going = true;
            self.mark_dirty(slot);
        }
    }

    /// A connection ends, and all its streams.
    pub(super) fn close_streams(&mut self, slot: u32) {
        let Some(connection) = self.slots.connection_mut(slot) else { return };
        let Some(carrier) = connection.carrier.take() else { return };
        carrier.slots.into_values().for_each(|stream| self.fail(stream));
    }

    /// A stream ends. If it was not answered, the client is informed by a reset.
    pub(super) fn unlink_stream(&mut self, link: StreamLink) {
        let Some(carrier) = self.carrier_mut(link.carrier) else { return };
        carrier.slots.remove(&link.stream);
        carrier.session.reset_stream(link.stream, code::INTERNAL_ERROR);
        if carrier.is_empty() {
            self.touch(link.carrier);
        }
        self.mark_dirty(link.carrier);
    }
}
