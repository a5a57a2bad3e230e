//! Foundation of all crates: the error type, system calls, file helpers, file locks and span
//! recording. Depends on none of our crates. Absent: printing, the environment, time zones.

pub mod files;
pub mod folded;
pub mod lock;
pub mod problem;
pub mod sys;
pub mod timeline;

pub use problem::{Problem, Result};
