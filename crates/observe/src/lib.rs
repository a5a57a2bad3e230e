//! What a program asked of the kernel. In: a program to start, or records of calls. Out: a
//! [`Report`]: calls by time and by error, waiting apart from work, paths that were looked for,
//! processes. Absent: printing, JSON, pages.

pub mod calls;
pub mod collect;
pub mod compare;
pub mod histogram;
pub mod ledger;
pub mod paths;
pub mod patterns;
pub mod phases;
pub mod problem;
pub mod report;
pub mod table;

pub use collect::{Asked, Collector, Elsewhere, Observed, Obstacle, Until, observe};
pub use report::Report;
