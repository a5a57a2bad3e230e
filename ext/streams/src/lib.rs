//! Streams: `node:stream` and the Streams Standard. This extension is written in JavaScript alone.

rusk_runtime::extension!("streams", []);
