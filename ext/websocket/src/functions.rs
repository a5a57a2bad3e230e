//! Functions of single sockets: taking over connections, the next event, sending, closing.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rusk_http_server::TransportSlot;
use rusk_jsc::{Bytes, Call, CodeUnits, Exception, Object, Outcome, Root, Scope, Value};
use rusk_runtime::bindings::{add, add_fast};
use rusk_runtime::values::{
    bytes_or_utf8, errno_result, negative_errno, optional_string_argument, string_argument,
};
use rusk_websocket::{DeflateSupport, Endpoint, Opcode, accept_offer, accept_response};
use sha1::{Digest, Sha1};

use crate::pool::SocketEvent;
use crate::socket::{Carrier, PooledSocket, SendOutcome, SocketLimits};
use crate::state::{self, store, with_pool};
use crate::{event, flag, word};

/// RFC 6455, 1.3.
const ACCEPT_SUFFIX: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/// `send` and its relatives: the message waits, as in bun.
const WAITING: f64 = -1.0;
/// The engine keeps arrays of up to so many bytes in its own heap: JavaScript makes them faster
/// than its C functions do.
const SHORT_BYTES_MAX: usize = 1000;

pub fn add_functions<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // Argument: the function that takes events. Returns 0 or an errno.
    add(scope, binding, "start", |scope, call| {
        errno_result(scope, state::start(Root::new(scope, call.argument(scope, 0))))
    })?;
    // The value of `Sec-WebSocket-Accept`. Argument: that of `Sec-WebSocket-Key`.
    add(scope, binding, "acceptOf", |scope, call| {
        let key = string_argument(scope, call, 0)?;
        Ok(scope.string(&STANDARD.encode(Sha1::digest(format!("{key}{ACCEPT_SUFFIX}")))))
    })?;
    // The value of a server's `Sec-WebSocket-Extensions`; undefined: none. Arguments: the client's,
    // whether the server and the client keep their context, the server's window in bits.
    add(scope, binding, "negotiate", |scope, call| {
        let offer = string_argument(scope, call, 0)?;
        let support = DeflateSupport {
            server_keeps_context: call.argument(scope, 1).is_truthy(scope),
            client_keeps_context: call.argument(scope, 2).is_truthy(scope),
            server_window_bits: call.argument(scope, 3).to_number(scope)? as u8,
        };
        let accepted = accept_offer(&offer, support);
        Ok(accepted.map_or(scope.undefined(), |(_, response)| scope.string(&response)))
    })?;
    // Arguments: connection or undefined, what was read already, flags, limits of a message and of
    // waiting output in bytes, idle timeout in milliseconds, the server's
    // `Sec-WebSocket-Extensions`. Returns the socket; below 0: an errno, undefined: a wrong
    // extension.
    add(scope, binding, "add", add_socket)?;
    // The payload of the next event; the words say which. A number: the length of short bytes, for
    // which `takePayload` is to be called with an array.
    add_fast(scope, binding, "next", next)?;
    add_fast(scope, binding, "takePayload", |scope, call| {
        let payload = state::current().map(|state| state.take_payload()).unwrap_or_default();
        if let Some(array) = Bytes::of(scope, call.argument(scope, 0)) {
            array.with_bytes_mut(scope, |bytes| {
                let count = bytes.len().min(payload.len());
                bytes[..count].copy_from_slice(&payload[..count]);
            });
        }
        Ok(scope.undefined())
    })?;
    // Arguments: socket, bytes that JavaScript has read; none: the connection has ended.
    add_fast(scope, binding, "receive", |scope, call| {
        let bytes = Bytes::of(scope, call.argument(scope, 1)).map(|bytes| bytes.copy(scope));
        if let (Some(bytes), Some(slot)) = (bytes, slot_of(scope, call)) {
            with_pool(|pool| pool.receive(slot, bytes));
        }
        Ok(scope.undefined())
    })?;
    // What JavaScript has to write; undefined: nothing.
    add_fast(scope, binding, "takeOutput", |scope, call| {
        let slot = slot_of(scope, call);
        let taken = slot.and_then(|slot| with_pool(|pool| Some(pool.socket(slot)?.take_output())).flatten());
        match taken.filter(|bytes| !bytes.is_empty()) {
            Some(bytes) => Ok(Bytes::from_vec(scope, bytes)?.value()),
            None => Ok(scope.undefined()),
        }
    })?;
    // Arguments: socket, string or bytes, opcode, whether to compress.
    add_fast(scope, binding, "send", send)?;
    add_closing(scope, binding)
}

fn add_closing<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // Arguments: socket, code or 0 for none, reason.
    add_fast(scope, binding, "close", |scope, call| {
        let code = call.argument(scope, 1).to_number(scope)? as u16;
        let reason = optional_string_argument(scope, call, 2)?.unwrap_or_default();
        if let Some(slot) = slot_of(scope, call) {
            with_pool(|pool| pool.close(slot, (code != 0).then_some(code), &reason));
        }
        Ok(scope.undefined())
    })?;
    add_fast(scope, binding, "terminate", |scope, call| {
        if let Some(slot) = slot_of(scope, call) {
            with_pool(|pool| pool.terminate(slot));
        }
        Ok(scope.undefined())
    })?;
    // The connection of a socket that JavaScript reads and writes is over.
    add_fast(scope, binding, "remove", |scope, call| {
        if let Some(slot) = slot_of(scope, call) {
            with_pool(|pool| {
                if let Some(socket) = pool.socket(slot) {
                    socket.carrier = Carrier::Closed;
                }
                pool.release(slot);
            });
        }
        Ok(scope.undefined())
    })?;
    add_fast(scope, binding, "setPaused", |scope, call| {
        let is_paused = call.argument(scope, 1).is_truthy(scope);
        if let Some(slot) = slot_of(scope, call) {
            with_pool(|pool| pool.pause(slot, is_paused));
        }
        Ok(scope.undefined())
    })?;
    add_fast(scope, binding, "bufferedAmount", |scope, call| {
        let slot = slot_of(scope, call);
        // What is written when the callback ends waits for nothing.
        let waiting = slot.and_then(|slot| {
            with_pool(|pool| {
                pool.socket(slot).filter(|socket| socket.is_blocked).map(|socket| socket.waiting_bytes())
            })
            .flatten()
        });
        Ok(scope.number(waiting.unwrap_or(0) as f64))
    })
}

/// The socket in a call's first argument.
pub fn slot_of<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<u32> {
    let number = call.argument(scope, 0).to_number(scope).ok()?;
    (number >= 0.0).then_some(number as u32)
}

fn add_socket<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let number = |index| call.argument(scope, index).to_number(scope);
    let input = Bytes::of(scope, call.argument(scope, 1)).map_or_else(Vec::new, |bytes| bytes.copy(scope));
    let flags = number(2)? as u32;
    let limits = SocketLimits {
        message_bytes_max: number(3)? as usize,
        waiting_bytes_max: number(4)? as usize,
        closes_on_limit: flags & flag::CLOSES_ON_LIMIT != 0,
        sends_pings: flags & flag::SENDS_PINGS != 0,
        idle_ms: number(5)? as u64,
    };
    let extensions = optional_string_argument(scope, call, 6)?.unwrap_or_default();
    let Ok(deflate) = accept_response(&extensions) else { return Ok(scope.undefined()) };
    let endpoint = if flags & flag::IS_CLIENT != 0 { Endpoint::Client } else { Endpoint::Server };
    let connection = call.argument(scope, 0).as_object(scope);
    let carrier = match connection.and_then(|object| object.as_native::<TransportSlot>(scope)) {
        Some(slot) => slot.take().map_or(Carrier::Closed, Carrier::Socket),
        None => Carrier::Script,
    };
    let socket = PooledSocket::new(carrier, endpoint, limits, deflate);
    match with_pool(|pool| pool.add(socket, input)) {
        Some(Ok(slot)) => Ok(scope.number(slot.into())),
        Some(Err(errno)) => Ok(scope.number(negative_errno(errno))),
        None => Ok(scope.undefined()),
    }
}

fn next<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    let state = state::current();
    let Some((state, (slot, found))) = state.as_ref().and_then(|state| Some((state, state.next()?))) else {
        store(word::EVENT, event::NONE);
        return Ok(scope.undefined());
    };
    store(word::SOCKET, slot);
    let (kind, payload) = match found {
        SocketEvent::Text(payload) => {
            let text = std::str::from_utf8(&payload).expect("the decoder has checked it");
            (event::TEXT, scope.string(text))
        }
        SocketEvent::Binary(payload) if payload.len() <= SHORT_BYTES_MAX => {
            let count = payload.len();
            state.put_payload(payload);
            (event::BINARY, scope.number(count as f64))
        }
        SocketEvent::Binary(payload) => (event::BINARY, Bytes::from_vec(scope, payload)?.value()),
        SocketEvent::Ping(payload) => (event::PING, Bytes::from_vec(scope, payload)?.value()),
        SocketEvent::Pong(payload) => (event::PONG, Bytes::from_vec(scope, payload)?.value()),
        SocketEvent::Close { code, reason } => {
            store(word::CODE, code.map_or(0, u32::from));
            (event::CLOSE, scope.string(&reason))
        }
        SocketEvent::End { reason } => (event::END, scope.string(reason)),
        SocketEvent::Drain => (event::DRAIN, scope.undefined()),
    };
    store(word::EVENT, kind);
    Ok(payload)
}

fn send<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let Some(slot) = slot_of(scope, call) else { return Ok(scope.number(0.0)) };
    let opcode = Opcode::find(call.argument(scope, 2).to_number(scope)? as u8).unwrap_or(Opcode::Binary);
    let compresses = call.argument(scope, 3).is_truthy(scope);
    let (outcome, count) = with_payload(scope, call.argument(scope, 1), |payload| {
        let outcome = with_pool(|pool| pool.send(slot, opcode, payload, compresses));
        (outcome.unwrap_or(SendOutcome::Dropped), payload.len())
    })?;
    Ok(scope.number(result_of(outcome, count)))
}

/// What `send` returns.
pub fn result_of(outcome: SendOutcome, count: usize) -> f64 {
    match outcome {
        SendOutcome::Sent => count as f64,
        SendOutcome::Waiting => WAITING,
        SendOutcome::Dropped | SendOutcome::OverLimit => 0.0,
    }
}

/// Borrows a string in UTF-8, or bytes.
pub fn with_payload<'s, R: Send>(
    scope: &'s Scope,
    value: Value<'s>,
    body: impl FnOnce(&[u8]) -> R + Send,
) -> Result<R, Exception<'s>> {
    let mut body = Some(body);
    let of_ascii = value.with_code_units(scope, |units| match units {
        CodeUnits::Latin1(units) if units.is_ascii() => body.take().map(|body| body(units)),
        _ => None,
    });
    if let Some(Some(result)) = of_ascii {
        return Ok(result);
    }
    let body = body.take().expect("it was not called");
    match Bytes::of(scope, value) {
        Some(bytes) => Ok(bytes.with_bytes_mut(scope, |bytes| body(bytes))),
        None => Ok(body(&bytes_or_utf8(scope, value)?)),
    }
}
