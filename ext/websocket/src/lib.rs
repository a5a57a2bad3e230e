//! WebSockets: `internalBinding('websocket')`, over `rusk-websocket`. In: descriptors of upgraded
//! connections, messages to send. Out: events of all connections of the thread, one by one, as
//! numbers and payloads. Absent: HTTP, and the classes of the API (`js`).

mod functions;
mod pool;
mod publish;
mod socket;
mod state;
mod topics;

use rusk_jsc::{Exception, Object, Scope, SharedU32Array};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::object;
use rusk_runtime::constants::add_constants;

rusk_runtime::shared_constants! {
    /// What `next` has found.
    mod event: u32 {
        NONE = 0,
        TEXT = 1,
        BINARY = 2,
        PING = 3,
        PONG = 4,
        /// A close frame has come; the last event of a socket.
        CLOSE = 5,
        /// The connection has ended without a close frame; the last event of a socket.
        END = 6,
        /// All output is written.
        DRAIN = 7,
    }
}

rusk_runtime::shared_constants! {
    /// Words that `next` fills in.
    mod word: usize {
        EVENT = 0,
        SOCKET = 1,
        /// Of a close frame; 0: it has none.
        CODE = 2,
    }
}

rusk_runtime::shared_constants! {
    /// Flags of a socket.
    mod flag: u32 {
        IS_CLIENT = 1,
        CLOSES_ON_LIMIT = 2,
        SENDS_PINGS = 4,
    }
}

rusk_runtime::extension!(
    "websocket",
    [("websocket", make)],
    after_callback: state::flush_all,
    on_close: state::close_all,
);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "event", event::ALL)?;
    add_constants(scope, binding, "word", word::ALL)?;
    add_constants(scope, binding, "flag", flag::ALL)?;
    let (words, array) = SharedU32Array::new(scope)?;
    state::set_words(words);
    binding.set_property(scope, "words", array.value())?;
    functions::add_functions(scope, binding)?;
    publish::add_functions(scope, binding)?;
    Ok(binding)
}
