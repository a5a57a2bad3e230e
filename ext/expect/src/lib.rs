//! Assertions, mocks, fake timers and snapshots of `bun:test`, jest and vitest. This extension is
//! written in JavaScript alone.

rusk_runtime::extension!("expect", []);
