//! What every crate stands on: the one error type, system calls, atomic files, limits, where time
//! goes. In: nothing of ours. Out: values and small wrappers. Absent: printing, the environment,
//! the clock's zone.

pub mod files;
pub mod lock;
pub mod problem;
pub mod sys;
pub mod timeline;

pub use problem::{Problem, Result};
