//! `node:cluster`: workers that share listening sockets. This extension is written in JavaScript
//! alone.

rusk_runtime::extension!("cluster", []);
