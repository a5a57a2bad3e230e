//! Two sessions that are connected, and frames by hand. Names follow the sections of RFC 9113.

mod flooding;
mod frames;
mod messages;

use super::{Http2Session, SessionEvent, SessionOptions, SessionRole};
use crate::error::Http2Error;
use crate::frame::{PREFACE, write_frame};
use crate::hpack::{HeaderField, HpackEncoder};

fn client() -> Http2Session {
    let mut session = Http2Session::new(SessionRole::Client, SessionOptions::default());
    session.settings(&[]).unwrap();
    session
}

fn server_with(options: SessionOptions) -> Http2Session {
    let mut session = Http2Session::new(SessionRole::Server, options);
    session.settings(&[]).unwrap();
    session
}

fn fields(pairs: &[(&str, &str)]) -> Vec<HeaderField> {
    pairs.iter().map(|(name, value)| HeaderField::new(name, value)).collect()
}

fn get() -> Vec<HeaderField> {
    fields(&[(":method", "GET"), (":scheme", "http"), (":authority", "localhost"), (":path", "/")])
}

fn response() -> Vec<HeaderField> {
    fields(&[(":status", "200")])
}

fn drain(session: &mut Http2Session) -> Vec<SessionEvent> {
    std::iter::from_fn(|| session.next_event()).collect()
}

/// Passes on all bytes, both ways, until none are left. Returns the events of both.
fn exchange(client: &mut Http2Session, server: &mut Http2Session) -> (Vec<SessionEvent>, Vec<SessionEvent>) {
    let (mut of_client, mut of_server) = (Vec::new(), Vec::new());
    loop {
        let (to_server, to_client) = (client.take_output(usize::MAX), server.take_output(usize::MAX));
        if to_server.is_empty() && to_client.is_empty() {
            return (of_client, of_server);
        }
        server.receive(&to_server, 0).unwrap();
        client.receive(&to_client, 0).unwrap();
        of_client.extend(drain(client));
        of_server.extend(drain(server));
    }
}

/// A server that has received the preface and empty settings.
fn open_server(options: SessionOptions) -> Http2Session {
    let mut session = server_with(options);
    session.receive(PREFACE, 0).unwrap();
    send(&mut session, 4, 0, 0, &[]).unwrap();
    send(&mut session, 4, 1, 0, &[]).unwrap();
    session.take_output(usize::MAX);
    drain(&mut session);
    session
}

fn send(
    session: &mut Http2Session,
    kind: u8,
    flags: u8,
    stream: u32,
    payload: &[u8],
) -> Result<(), Http2Error> {
    let mut bytes = Vec::new();
    write_frame(&mut bytes, kind, flags, stream, payload);
    session.receive(&bytes, 0)
}

fn block(fields: &[HeaderField]) -> Vec<u8> {
    let mut out = Vec::new();
    HpackEncoder::new(0).encode(fields, &mut out);
    out
}

/// The code of a GOAWAY frame, or `None`.
fn terminated(session: &mut Http2Session) -> Option<u32> {
    drain(session).iter().find_map(|event| match event {
        SessionEvent::Terminated { code } => Some(*code),
        _ => None,
    })
}

/// The stream and the code of the first stream that was closed.
fn closed(session: &mut Http2Session) -> Option<(u32, u32)> {
    drain(session).iter().find_map(|event| match event {
        SessionEvent::StreamClosed { stream, code } => Some((*stream, *code)),
        _ => None,
    })
}
