//! Functions of `internalBinding('tls')` that create, feed and close TLS streams.

use std::cell::RefCell;
use std::rc::Rc;

use rusk_base::sys::Errno;
use rusk_jsc::{Call, Exception, Object, Root, Scope};
use rusk_openssl::tls::{Connection, Role};
use rusk_runtime::bindings::add;
use rusk_runtime::values::{bytes_or_utf8, i32_argument, negative_errno, u32_argument};

use rusk_ext_crypto::throw;
use rusk_ext_io::byte_source::ByteSourceHandle;
use rusk_ext_io::stream_handle::{self, StreamEvent};

use super::TlsStream;
use crate::context;

/// The native object that JavaScript holds; empty after close.
struct Slot(RefCell<Option<Rc<TlsStream>>>);

pub fn find<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<TlsStream>> {
    let slot: Rc<Slot> = call.argument(scope, 0).as_object(scope)?.as_native(scope)?;
    slot.0.borrow().clone()
}

pub fn add_all<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // `(context, isServer)`.
    add(scope, binding, "stream", |scope, call| {
        let role = if call.argument(scope, 1).is_truthy(scope) { Role::Server } else { Role::Client };
        let Some(handle) = context::find(scope, call.argument(scope, 0)) else {
            return Ok(scope.undefined());
        };
        let connection =
            Connection::new(&handle.0.borrow(), role).map_err(|failure| throw(scope, &failure))?;
        Ok(scope.native(Slot(RefCell::new(Some(Rc::new(TlsStream::new(connection, role)))))).value())
    })?;
    // `(stream, listener)`.
    add(scope, binding, "listen", |scope, call| {
        if let Some(stream) = find(scope, call) {
            *stream.listener.borrow_mut() = Some(Root::new(scope, call.argument(scope, 1)));
        }
        Ok(scope.undefined())
    })?;
    // `(stream, stream handle or undefined)`.
    add(scope, binding, "attach", |scope, call| {
        if let Some(stream) = find(scope, call) {
            stream.attach(stream_handle::find_value(scope, call.argument(scope, 1)));
        }
        Ok(scope.undefined())
    })?;
    // The clear text that it reads, for another binding.
    add(scope, binding, "byteSource", |scope, call| {
        let stream = find(scope, call);
        Ok(stream.map_or(scope.undefined(), |stream| scope.native(ByteSourceHandle(stream)).value()))
    })?;
    add_flow(scope, binding)?;
    add_transport(scope, binding)
}

fn add_flow<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "start", |scope, call| {
        let Some(stream) = find(scope, call) else { return Ok(scope.undefined()) };
        stream.is_started.set(true);
        stream.advance(scope).map(|()| scope.undefined())
    })?;
    add(scope, binding, "advance", |scope, call| {
        let Some(stream) = find(scope, call) else { return Ok(scope.undefined()) };
        stream.advance(scope).map(|()| scope.undefined())
    })?;
    // `(stream, bytesMax)`: 1: `advance` has something to do; else 0 or a negative errno.
    add(scope, binding, "readStart", |scope, call| {
        let bytes_max = u32_argument(scope, call, 1)? as usize;
        let result = find(scope, call).ok_or(Errno::BADF).and_then(|stream| stream.read_start(bytes_max));
        Ok(scope.number(result.map_or_else(negative_errno, |has_input| f64::from(u8::from(has_input)))))
    })?;
    add(scope, binding, "readStop", |scope, call| {
        if let Some(stream) = find(scope, call) {
            stream.read_stop();
        }
        Ok(scope.undefined())
    })?;
    // `(stream, bytes or string)`: 0 if all is written, 1 if `WRITTEN` follows, or a negative
    // errno.
    add(scope, binding, "write", |scope, call| {
        let Some(stream) = find(scope, call) else { return Ok(scope.number(negative_errno(Errno::BADF))) };
        Ok(scope.number(match stream.write(scope, call.argument(scope, 1))? {
            Ok(is_done) => f64::from(u8::from(!is_done)),
            Err(error) => negative_errno(error),
        }))
    })?;
    // `(stream, head in Latin-1, body)`: as `write`; undefined: it cannot be written now.
    add(scope, binding, "writeNow", |scope, call| {
        let Some(stream) = find(scope, call) else { return Ok(scope.undefined()) };
        let message = stream_handle::take_message(scope, call)?;
        let written = stream.write_now(scope, &message);
        stream_handle::recycle_message(message);
        Ok(match written? {
            Some(Ok(is_done)) => scope.number(f64::from(u8::from(!is_done))),
            Some(Err(error)) => scope.number(negative_errno(error)),
            None => scope.undefined(),
        })
    })?;
    add(scope, binding, "shutdown", |scope, call| {
        let Some(stream) = find(scope, call) else { return Ok(scope.number(0.0)) };
        let result = stream.shutdown(scope)?;
        Ok(scope.number(result.map_or_else(negative_errno, |()| 0.0)))
    })?;
    add(scope, binding, "close", |scope, call| {
        let slot =
            call.argument(scope, 0).as_object(scope).and_then(|object| object.as_native::<Slot>(scope));
        if let Some(stream) = slot.and_then(|slot| slot.0.take()) {
            stream.close();
        }
        Ok(scope.undefined())
    })
}

/// Functions of a stream whose encrypted bytes JavaScript passes on.
fn add_transport<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // `(stream, bytes)`.
    add(scope, binding, "receive", |scope, call| {
        let Some(stream) = find(scope, call) else { return Ok(scope.undefined()) };
        let bytes = bytes_or_utf8(scope, call.argument(scope, 1))?;
        stream.on_transport(scope, StreamEvent::Data(bytes)).map(|()| scope.undefined())
    })?;
    add(scope, binding, "receiveEnd", |scope, call| {
        let Some(stream) = find(scope, call) else { return Ok(scope.undefined()) };
        stream.on_transport(scope, StreamEvent::End).map(|()| scope.undefined())
    })?;
    // `(stream, 0 or a negative errno)`: the oldest `OUTPUT` was sent.
    add(scope, binding, "written", |scope, call| {
        let Some(stream) = find(scope, call) else { return Ok(scope.undefined()) };
        let result = match i32_argument(scope, call, 1)? {
            0 => Ok(()),
            errno => Err(Errno::from_raw_os_error(-errno)),
        };
        stream.on_transport(scope, StreamEvent::Written(result)).map(|()| scope.undefined())
    })
}
