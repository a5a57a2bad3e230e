//! `Bun.serve`: `internalBinding('serve')`, over `rusk-http-server`. In: numbers of servers and
//! requests, rendered fields, bodies. Out: requests one by one, as numbers whose parts are read
//! when the program asks for them. Absent: `Request` and `Response` (`ext/fetch`), the classes of
//! the API (`js/internal/serve`).

mod listen;
mod requests;
mod responses;
mod routes;
mod servers;
mod tls;

use rusk_http::parser::METHODS;
use rusk_jsc::{Exception, Object, Scope, SharedU32Array};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::object;
use rusk_runtime::constants::add_constants;

rusk_runtime::shared_constants! {
    /// What `next` has found.
    mod event: u32 {
        REQUEST = 1,
        /// Bytes of a body, or its end.
        BODY = 2,
        DRAIN = 3,
        ABORTED = 4,
        /// The last connection of a stopped server has ended.
        STOPPED = 5,
    }
}

rusk_runtime::shared_constants! {
    /// Words that `next` fills in.
    mod word: usize {
        EVENT = 0,
        /// Number of the route's handler, from 1; 0: no route.
        HANDLER = 1,
        /// Index into `methods`.
        METHOD = 2,
        HAS_BODY = 3,
    }
}

rusk_runtime::shared_constants! {
    /// Flags of a response, and of a listening socket.
    mod flag: u32 {
        HAS_DATE = 1,
        /// The connection ends after the response.
        CLOSES = 2,
        HAS_LAST_MODIFIED = 4,
        HAS_ETAG = 8,
        REUSE_PORT = 16,
        IPV6_ONLY = 32,
    }
}

rusk_runtime::extension!(
    "serve",
    [("serve", make)],
    after_callback: servers::flush_all,
    on_close: servers::close_all,
);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "event", event::ALL)?;
    add_constants(scope, binding, "word", word::ALL)?;
    add_constants(scope, binding, "flag", flag::ALL)?;
    let (words, array) = SharedU32Array::new(scope)?;
    servers::set_words(words);
    binding.set_property(scope, "words", array.value())?;
    let methods: Vec<_> = METHODS.iter().map(|method| scope.string(method)).collect();
    binding.set_property(scope, "methods", scope.array(&methods)?.value())?;
    listen::add_functions(scope, binding)?;
    routes::add_functions(scope, binding)?;
    requests::add_functions(scope, binding)?;
    responses::add_functions(scope, binding)?;
    tls::add_functions(scope, binding)?;
    Ok(binding)
}
