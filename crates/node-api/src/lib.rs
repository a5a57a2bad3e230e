//! Node-API (`napi_*`, `node_api_*`): the C interface of native addons, on JavaScriptCore. In:
//! files, and calls of their functions. Out: JavaScript values. The functions are exported from the
//! program under their names. Their bodies are safe Rust over [`rusk_jsc`]: what C promises of its
//! pointers is in [`abi`], next to the one `unsafe` that needs it.
//!
//! | file | subject |
//! |---|---|
//! | `load.rs`, `elf.rs` | files, and what they need |
//! | `headers.rs` | headers, with which node-gyp compiles addons |
//! | `instance.rs`, `env.rs` | what a runtime, an addon and a call have |
//! | `handle_scopes.rs`, `references.rs`, `finalizers.rs` | lifetimes |
//! | `names.rs` | property names as values |
//! | `uv.rs`, `uv/` | the part of libuv that addons import |
//! | the others | the functions, by subject |
#![allow(unsafe_code)]
// The number of arguments is that of the C function.
#![allow(clippy::too_many_arguments)]

mod abi;
mod async_contexts;
mod async_work;
mod bigints;
mod buffers;
mod classes;
mod cleanup_hooks;
mod deferred_references;
pub mod elf;
mod env;
mod errors;
mod fatal_report;
mod finalizers;
mod functions;
mod handle_scopes;
pub mod headers;
mod instance;
mod load;
mod names;
mod objects;
mod promises;
mod properties;
mod reference_functions;
mod references;
mod strings;
mod threadsafe_functions;
mod uv;
mod values;

pub use fatal_report::{FatalReport, set_fatal_report};
pub use functions::dispatch;
pub use instance::{Instance, after_callback, close, end};
pub use load::{Addon, LoadError, MissingApi, open, register};
pub use promises::set_node_version;
pub use reference_functions::external_address;

/// Writes to standard error, where the process is about to end.
fn write_error(text: &str) {
    // SAFETY: the bytes are alive during the call.
    unsafe { libc::write(2, text.as_ptr().cast(), text.len()) };
}
