//! `node:test` and `node:assert`. This extension is written in JavaScript alone.

rusk_runtime::extension!("test", []);
