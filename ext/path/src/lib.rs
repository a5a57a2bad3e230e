//! `node:path`, for POSIX and Windows paths. This extension is written in JavaScript alone.

rusk_runtime::extension!("path", []);
