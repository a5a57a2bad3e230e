//! Events: `EventEmitter`, `EventTarget`, `AbortController`, `DOMException`. This extension is
//! written in JavaScript alone.

rusk_runtime::extension!("events", []);
