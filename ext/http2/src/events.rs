//! Events of a session as one flat array: a number, then what belongs to it.

use rusk_http2::{Http2Error, Http2Session, SessionEvent};
use rusk_jsc::{Bytes, Exception, Object, Outcome, Scope, Value};

use crate::commands::settings_numbers;
use crate::fields;

rusk_runtime::shared_constants! {
    /// Events, with what follows each.
    pub mod event: f64 {
        /// stream, category, whether the stream ends, fields
        HEADERS = 0.0,
        /// stream, promised stream, fields
        PUSH_PROMISE = 1.0,
        /// stream, bytes
        DATA = 2.0,
        /// stream
        STREAM_ENDED = 3.0,
        /// stream, code
        STREAM_CLOSED = 4.0,
        /// stream, number of chunks
        WRITTEN = 5.0,
        /// stream
        TRAILERS_WANTED = 6.0,
        /// stream, parent, weight, exclusive
        PRIORITY = 7.0,
        /// numbers
        SETTINGS = 8.0,
        SETTINGS_ACKNOWLEDGED = 9.0,
        /// bytes
        PING = 10.0,
        /// bytes
        PING_ACKNOWLEDGED = 11.0,
        /// code, last stream, bytes
        GOAWAY = 12.0,
        /// stream, origin, value
        ALTSVC = 13.0,
        /// origins, each with a NUL after it
        ORIGIN = 14.0,
        /// stream, error
        INVALID_FRAME = 15.0,
        /// stream, type, error
        FRAME_NOT_SENT = 16.0,
        /// code
        TERMINATED = 17.0,
        /// error: the session cannot go on
        FAILED = 18.0,
    }
}

pub fn list<'s>(
    scope: &'s Scope,
    session: &mut Http2Session,
    output: Option<Vec<u8>>,
    error: Option<Http2Error>,
) -> Outcome<'s> {
    let mut list: Vec<Value<'s>> = Vec::new();
    if let Some(output) = output {
        let bytes =
            if output.is_empty() { scope.undefined() } else { Bytes::from_vec(scope, output)?.value() };
        list.push(bytes);
    }
    while let Some(event) = session.next_event() {
        push(scope, &mut list, event)?;
    }
    if let Some(error) = error {
        list.extend([event::FAILED, error.number().into()].map(|number| scope.number(number)));
    }
    scope.array(&list).map(Object::value)
}

fn push<'s>(scope: &'s Scope, list: &mut Vec<Value<'s>>, event: SessionEvent) -> Result<(), Exception<'s>> {
    let mut numbers = |kind: f64, rest: &[u32]| {
        list.push(scope.number(kind));
        list.extend(rest.iter().map(|number| scope.number((*number).into())));
    };
    match event {
        SessionEvent::Headers { stream, category, ends_stream, fields: block } => {
            numbers(event::HEADERS, &[stream, category as u32, ends_stream.into()]);
            list.push(fields::show(scope, &block));
        }
        SessionEvent::PushPromise { stream, promised, fields: block } => {
            numbers(event::PUSH_PROMISE, &[stream, promised]);
            list.push(fields::show(scope, &block));
        }
        SessionEvent::Data { stream, bytes } => {
            numbers(event::DATA, &[stream]);
            list.push(Bytes::from_vec(scope, bytes)?.value());
        }
        SessionEvent::StreamEnded { stream } => numbers(event::STREAM_ENDED, &[stream]),
        SessionEvent::StreamClosed { stream, code } => numbers(event::STREAM_CLOSED, &[stream, code]),
        SessionEvent::Written { stream, chunks } => numbers(event::WRITTEN, &[stream, chunks]),
        SessionEvent::TrailersWanted { stream } => numbers(event::TRAILERS_WANTED, &[stream]),
        SessionEvent::Priority { stream, priority } => {
            let is_exclusive = priority.is_exclusive.into();
            numbers(event::PRIORITY, &[stream, priority.parent, priority.weight.into(), is_exclusive]);
        }
        SessionEvent::SettingsReceived(settings) => {
            numbers(event::SETTINGS, &[]);
            list.push(crate::numbers(scope, &settings_numbers(&settings))?);
        }
        SessionEvent::SettingsAcknowledged => numbers(event::SETTINGS_ACKNOWLEDGED, &[]),
        SessionEvent::Ping(opaque) => {
            numbers(event::PING, &[]);
            list.push(Bytes::from_vec(scope, opaque.to_vec())?.value());
        }
        SessionEvent::PingAcknowledged(opaque) => {
            numbers(event::PING_ACKNOWLEDGED, &[]);
            list.push(Bytes::from_vec(scope, opaque.to_vec())?.value());
        }
        SessionEvent::GoAway { code, last_stream, opaque } => {
            numbers(event::GOAWAY, &[code, last_stream]);
            list.push(Bytes::from_vec(scope, opaque)?.value());
        }
        SessionEvent::Terminated { code } => numbers(event::TERMINATED, &[code]),
        other => push_rare(scope, list, other),
    }
    Ok(())
}

fn push_rare<'s>(scope: &'s Scope, list: &mut Vec<Value<'s>>, event: SessionEvent) {
    match event {
        SessionEvent::AltSvc { stream, origin, value } => {
            list.extend([event::ALTSVC, stream.into()].map(|number| scope.number(number)));
            list.extend([origin, value].map(|octets| fields::latin1(scope, &octets)));
        }
        SessionEvent::Origin(origins) => {
            let octets: Vec<u8> = origins.into_iter().flat_map(|origin| [origin, vec![0]].concat()).collect();
            list.extend([scope.number(event::ORIGIN), fields::latin1(scope, &octets)]);
        }
        SessionEvent::InvalidFrame { stream, error } => {
            let numbers = [event::INVALID_FRAME, stream.into(), error.number().into()];
            list.extend(numbers.map(|number| scope.number(number)));
        }
        SessionEvent::FrameNotSent { stream, kind, error } => {
            let numbers = [event::FRAME_NOT_SENT, stream.into(), kind.into(), error.number().into()];
            list.extend(numbers.map(|number| scope.number(number)));
        }
        _ => {}
    }
}
