//! `internalBinding('tls')`: TLS contexts, and TLS over streams. In: certificates, keys, settings;
//! a stream handle, or bytes that JavaScript passes. Out: clear text, events of the handshake.
//! Absent: validation of arguments; which certificates are trusted by default.

mod context;
mod describe;
mod settings;
mod stream;

use rusk_jsc::{Exception, Object, Scope};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::object;
use rusk_runtime::constants::add_constants;

pub use context::{ContextHandle, find as find_context};
pub use stream::TlsStream;

rusk_runtime::extension!("tls", [("tls", make)]);

rusk_runtime::shared_constants! {
    /// Events that the listener of a TLS stream is called with. The first are those of any stream.
    pub mod event: f64 {
        DATA = 0.0,
        END = 1.0,
        READ_ERROR = 2.0,
        WRITTEN = 3.0,
        HANDSHAKE_STARTED = 10.0,
        HANDSHAKE_DONE = 11.0,
        KEY_LOG = 12.0,
        NEW_SESSION = 13.0,
        OCSP_RESPONSE = 14.0,
        /// The handshake waits for `continueHello`.
        CLIENT_HELLO = 15.0,
        /// The handshake waits for `continueCertificate`.
        CERTIFICATE_NEEDED = 16.0,
        FAILED = 17.0,
        /// Without a stream handle: bytes to send, which `written` confirms.
        OUTPUT = 18.0,
        /// Without a stream handle: nothing more is sent.
        SHUTDOWN = 19.0,
        /// Questions: the listener's result is the answer.
        ASK_PROTOCOL = 20.0,
        ASK_SERVER_PSK = 21.0,
        ASK_CLIENT_PSK = 22.0,
        /// Another event follows in the same turn: ticks and microtasks run before it, as after any
        /// callback.
        SETTLE = 23.0,
    }
}

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "event", event::ALL)?;
    context::add_all(scope, binding)?;
    stream::add_all(scope, binding)?;
    settings::add_all(scope, binding)?;
    describe::add_all(scope, binding)?;
    Ok(binding)
}
