//! Foundation of all crates: the error type, system calls, file helpers, file locks, the calendar
//! and span recording. Depends on none of our crates. Absent: printing, the environment, time
//! zones.

pub mod civil_date;
pub mod files;
pub mod folded;
pub mod lock;
pub mod problem;
pub mod sys;
pub mod timeline;

pub use civil_date::CivilDate;
pub use problem::{Problem, Result};
