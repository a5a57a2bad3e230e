//! Receiving: bytes become requests and pieces of bodies. In: a readable connection. Out: events;
//! answers of static routes, files and refusals. Absent: answers of the program.

use std::os::fd::AsFd;
use std::rc::Rc;

use rusk_base::sys::Errno;
use rusk_http::parser::{BodyFraming, ErrorCode, ParseError};

use super::{Event, Server};
use crate::body::{BodyError, RequestBody};
use crate::connection::{Connection, Ending, Phase, ResponsePhase};
use crate::limits::{LINGER_BYTES_MAX, Limits};
use crate::router::RouteTarget;

impl Server {
    /// One read; what is left is reported again.
    pub(super) fn read(&mut self, slot: u32) {
        let Some(connection) = self.slots.connection_mut(slot) else { return };
        let mut buffer = std::mem::take(&mut self.buffer);
        match connection.transport.read(&mut buffer) {
            Ok(0) => self.end_of_input(slot),
            Ok(count) => self.receive(slot, &buffer[..count]),
            Err(Errno::AGAIN) => {}
            Err(_) => self.fail(slot),
        }
        self.buffer = buffer;
        // The handshake of TLS has more to write than the kernel took.
        if self.slots.connection_mut(slot).is_some_and(|connection| connection.transport.has_output()) {
            self.flush_connection(slot);
        }
    }

    /// The client sends no more. A request that is not answered is aborted, as in bun: that is how
    /// the end of a client is seen that reads a stream of events.
    fn end_of_input(&mut self, slot: u32) {
        let Some(connection) = self.slots.connection_mut(slot) else { return };
        match connection.phase {
            // What is left to write is for a client that has only closed its side.
            Phase::Flush => {
                connection.ending = Ending::Close;
                connection.body = RequestBody::empty();
                self.flush_connection(slot);
                self.stop_reading(slot);
            }
            Phase::Head | Phase::Request | Phase::Linger => self.fail(slot),
        }
    }

    /// An end of input stays readable.
    fn stop_reading(&mut self, slot: u32) {
        let Some(connection) = self.slots.connection_mut(slot) else { return };
        connection.interest.remove(rusk_base::sys::epoll::EventFlags::IN);
        let (interest, token) = (connection.interest, u64::from(slot));
        if self.epoll.modify(connection.transport.as_fd(), token, interest).is_err() {
            self.fail(slot);
        }
    }

    fn receive(&mut self, slot: u32, bytes: &[u8]) {
        let (now_ms, limits, id) = (self.now_ms, self.limits, self.slots.id(slot));
        if self.is_http2(slot, bytes) {
            return self.receive_http2(slot, bytes);
        }
        let Some(connection) = self.slots.connection_mut(slot) else { return };
        match connection.phase {
            Phase::Head => {
                connection.input.extend_from_slice(bytes);
                let is_over = connection.input.len() >= limits.head_bytes_max;
                connection.head_began_ms.get_or_insert(now_ms);
                connection.touch(now_ms, &limits);
                // A head ends with a line, and what cannot become one is refused early.
                if is_over || bytes.contains(&b'\n') || connection.input.len() == bytes.len() {
                    self.current = Some(slot);
                } else {
                    self.set_timer_for(slot);
                }
            }
            Phase::Request => {
                connection.touch(now_ms, &limits);
                let read = match connection.body.is_complete() {
                    true => Ok(0),
                    false => connection.body.receive(bytes, limits.body_bytes_max),
                };
                match read {
                    Ok(read) => connection.input.extend_from_slice(&bytes[read..]),
                    Err(error) => return self.fail_body(slot, error),
                }
                if connection.body.take_satisfied() {
                    self.events.push_back(Event::Body(id));
                }
                self.update_interest(slot);
            }
            Phase::Flush if connection.ending == Ending::KeepAlive => {
                connection.input.extend_from_slice(bytes);
                self.update_interest(slot);
            }
            Phase::Flush | Phase::Linger => {
                connection.lingered_bytes += bytes.len();
                if connection.lingered_bytes > LINGER_BYTES_MAX {
                    self.close(slot);
                }
            }
        }
    }

    /// Takes the next request of a connection, if it is complete.
    pub(super) fn advance(&mut self, slot: u32) -> Option<Event> {
        loop {
            let (now_ms, limits) = (self.now_ms, self.limits);
            let connection = self.slots.connection_mut(slot)?;
            if connection.phase != Phase::Head || connection.input.is_empty() {
                return None;
            }
            let begun = match self.protocols.http1 || connection.link.is_some() {
                true => begin_request(connection, &limits),
                false => Err(505),
            };
            match begun {
                Ok(true) => {}
                Ok(false) => {
                    connection.head_began_ms.get_or_insert(now_ms);
                    connection.touch(now_ms, &limits);
                    self.set_timer_for(slot);
                    return None;
                }
                Err(status) => {
                    self.refuse(slot, status);
                    return None;
                }
            }
            connection.touch(now_ms, &limits);
            self.in_flight += 1;
            if connection.interest != connection.wanted() {
                self.update_interest(slot);
            }
            if let Some(event) = self.route(slot) {
                return Some(event);
            }
        }
    }

    /// Answers the request by its route; else it is the program's.
    fn route(&mut self, slot: u32) -> Option<Event> {
        let (id, routes) = (self.slots.id(slot), Rc::clone(&self.routes));
        let connection = self.slots.connection_mut(slot)?;
        let mut parameters = std::mem::take(&mut connection.parameters);
        let view = connection.view();
        let target = routes.find(view.method(), view.path(), &mut parameters);
        connection.parameters = parameters;
        match target {
            Some(RouteTarget::Handler(number)) => Some(Event::Request { id, handler: Some(*number) }),
            None | Some(RouteTarget::Fallback) => Some(Event::Request { id, handler: None }),
            Some(RouteTarget::Static(response)) => {
                self.respond_static(id, response);
                None
            }
            Some(RouteTarget::File(response)) => {
                self.respond_from_path(id, response);
                None
            }
            Some(RouteTarget::Directory(directory)) => {
                self.respond_from_directory(id, directory);
                None
            }
        }
    }

    /// The body cannot be read: the request is aborted, and answered if it was not yet.
    pub(super) fn fail_body(&mut self, slot: u32, error: BodyError) {
        self.events.push_back(Event::Aborted(self.slots.id(slot)));
        let has_begun = self
            .slots
            .connection(slot)
            .is_some_and(|connection| connection.response != ResponsePhase::NotBegun);
        match error {
            _ if has_begun => self.close(slot),
            BodyError::Malformed => self.refuse(slot, 400),
            BodyError::TooLarge => self.refuse(slot, 413),
        }
    }
}

/// Parses a head and prepares its request; false: it is incomplete. An error is a status.
fn begin_request(connection: &mut Connection, limits: &Limits) -> Result<bool, u16> {
    let parsed = connection.head.parse(&connection.input, limits.head_bytes_max);
    let Some(head_bytes) = parsed.map_err(status_of)? else { return Ok(false) };
    connection.head_bytes = head_bytes;
    let (version, view) = (connection.head.version, connection.view());
    if !matches!(version, (1, 0 | 1)) {
        return Err(505);
    }
    if !view.has_valid_host() || view.method_name() == "CONNECT" {
        return Err(400);
    }
    let has_expectation =
        view.field(b"expect").is_some_and(|value| value.eq_ignore_ascii_case(b"100-continue"));
    let body = connection.head.body.unwrap_or(BodyFraming::None);
    if matches!(body, BodyFraming::Length(bytes) if bytes > limits.body_bytes_max) {
        return Err(413);
    }
    connection.must_continue = has_expectation && version == (1, 1);
    connection.body = RequestBody::new(body);
    if let Some(link) = connection.link {
        link.begin_body(&mut connection.head, &mut connection.body);
    }
    connection.response = ResponsePhase::NotBegun;
    connection.head_began_ms = None;
    connection.timeout_ms = limits.idle_timeout.as_millis() as u64;
    connection.ending = match connection.head.framing.should_keep_alive(version) {
        true => Ending::KeepAlive,
        false => Ending::Close,
    };
    if !connection.body.is_complete() && connection.input.len() > head_bytes {
        let read = connection.body.receive(&connection.input[head_bytes..], limits.body_bytes_max);
        let read = read.map_err(|error| if error == BodyError::TooLarge { 413_u16 } else { 400 })?;
        connection.input.drain(head_bytes..head_bytes + read);
    }
    if connection.link.is_some_and(|link| link.is_request_complete) {
        connection.body.end();
    }
    connection.phase = Phase::Request;
    Ok(true)
}

fn status_of(error: ParseError) -> u16 {
    match error.code {
        ErrorCode::HeaderOverflow => 431,
        ErrorCode::PausedH2Upgrade => 505,
        _ => 400,
    }
}
