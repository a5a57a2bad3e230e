//! Asynchronous context: `AsyncLocalStorage`, `async_hooks`, `diagnostics_channel`, `domain`. This
//! extension is written in JavaScript alone.

rusk_runtime::extension!("async_hooks", []);
