//! HTTP/2 sessions: `internalBinding('http2_session')`, by `rusk-http2`. In: bytes of a connection,
//! commands. Out: flat arrays of events, bytes to send. Absent: sockets, which JavaScript reads and
//! writes.

mod commands;
mod events;
mod fields;
mod streams;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use rusk_http2::{Http2Session, PaddingStrategy, SessionOptions, SessionRole};
use rusk_jsc::{Bytes, Call, Exception, Object, Scope, Value};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::constants::add_constants;
use rusk_runtime::values::{map_array, u32_argument};

rusk_runtime::extension!("http2", [("http2_session", make)]);

/// The native object that JavaScript holds.
struct SessionHandle {
    session: RefCell<Http2Session>,
    start: Instant,
}

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "event", events::event::ALL)?;
    // `(isServer, options)`: numbers in the order of `session_options`.
    add(scope, binding, "create", |scope, call| {
        let is_server = call.argument(scope, 0).is_truthy(scope);
        let role = if is_server { SessionRole::Server } else { SessionRole::Client };
        let numbers = map_array(scope, call.argument(scope, 1), |scope, value| value.to_number(scope))?;
        let session = RefCell::new(Http2Session::new(role, session_options(&numbers)));
        Ok(scope.native(SessionHandle { session, start: Instant::now() }).value())
    })?;
    // `(session, bytes)`: the events. The borrow of the session ends before JavaScript handles
    // them.
    add(scope, binding, "receive", |scope, call| {
        let (Some(handle), Some(bytes)) = (find(scope, call), Bytes::of(scope, call.argument(scope, 1)))
        else {
            return Ok(scope.undefined());
        };
        let now_s = handle.start.elapsed().as_secs();
        let mut session = handle.session.borrow_mut();
        let session = &mut *session;
        let result = bytes.with_bytes_mut(scope, |bytes| session.receive(bytes, now_s));
        events::list(scope, session, None, result.err())
    })?;
    // `(session, budget)`: the bytes to send or undefined, then events.
    add(scope, binding, "take", |scope, call| {
        let Some(handle) = find(scope, call) else { return Ok(scope.undefined()) };
        let budget_bytes = u32_argument(scope, call, 1)? as usize;
        let mut session = handle.session.borrow_mut();
        let output = session.take_output(budget_bytes);
        events::list(scope, &mut session, Some(output), None)
    })?;
    commands::add_all(scope, binding)?;
    streams::add_all(scope, binding)?;
    Ok(binding)
}

/// A value that is missing or not a number leaves the default.
fn session_options(numbers: &[f64]) -> SessionOptions {
    let defaults = SessionOptions::default();
    let number = |index: usize| numbers.get(index).copied().filter(|number| number.is_finite());
    let size = |index: usize, default: usize| number(index).map_or(default, |number| number as usize);
    let count = |index: usize, default: u32| number(index).map_or(default, |number| number as u32);
    SessionOptions {
        encoder_table_bytes_max: size(0, defaults.encoder_table_bytes_max),
        peer_concurrent_streams_max: count(1, defaults.peer_concurrent_streams_max),
        reserved_streams_max: count(2, defaults.reserved_streams_max),
        settings_entries_max: size(3, defaults.settings_entries_max),
        header_pairs_max: size(4, defaults.header_pairs_max),
        send_header_block_bytes_max: size(5, defaults.send_header_block_bytes_max),
        reset_burst: number(6).map_or(defaults.reset_burst, |number| number as u64),
        resets_per_second: number(7).map_or(defaults.resets_per_second, |number| number as u64),
        padding: match number(8) {
            Some(1.0) => PaddingStrategy::Aligned,
            Some(2.0) => PaddingStrategy::Max,
            _ => PaddingStrategy::None,
        },
        invalid_frames_max: count(9, defaults.invalid_frames_max),
        rejected_streams_max: count(10, defaults.rejected_streams_max),
        is_whitespace_strict: number(11) != Some(0.0),
        ..defaults
    }
}

fn find<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<SessionHandle>> {
    call.argument(scope, 0).as_object(scope)?.as_native(scope)
}

/// Numbers as a JavaScript array.
fn numbers<'s>(scope: &'s Scope, list: &[f64]) -> Result<Value<'s>, Exception<'s>> {
    let values: Vec<Value<'s>> = list.iter().map(|number| scope.number(*number)).collect();
    scope.array(&values).map(Object::value)
}
