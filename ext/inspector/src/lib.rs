//! `node:inspector`: sessions in the process, in Chrome's DevTools Protocol. This extension is
//! written in JavaScript alone.

rusk_runtime::extension!("inspector", []);
