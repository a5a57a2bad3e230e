//! Development server: `internalBinding('dev_server')`, over the graph of `rusk-bundler`. In: paths
//! of pages, paths that have changed. Out: HTML, scripts, messages for browsers; production builds
//! of pages. Absent: HTTP and WebSockets (`ext/serve`, `ext/websocket`), watching files (`js`).

mod graphs;
mod options;
mod static_pages;

use rusk_jsc::{Exception, Object, Scope};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::object;

rusk_runtime::extension!("dev_server", [("dev_server", make)], on_close: graphs::close_all);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    graphs::add_functions(scope, binding)?;
    static_pages::add_functions(scope, binding)?;
    Ok(binding)
}
