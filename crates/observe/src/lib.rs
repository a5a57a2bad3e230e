//! Tracing of a program's system calls. In: a program to start, or system call records. Out: a
//! [`Report`]: system calls by time and by error, waiting separate from work, path lookups,
//! processes. Absent: printing, JSON, HTML.

pub mod compare;
pub mod denied_calls;
pub mod histogram;
pub mod kill_point;
pub mod ledger;
pub mod miss_patterns;
pub mod paths;
pub mod phases;
pub mod problem;
pub mod report;
pub mod syscalls;
pub mod table;
pub mod trace;

pub use report::Report;
pub use trace::{Chroot, Collector, Observation, StartError, StopCondition, TraceOptions, observe};
