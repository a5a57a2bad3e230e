//! Test runner of `rusk test`, without an engine: finds test files, hands them to worker processes,
//! reports what they send. In: [`TestOptions`] and a [`Host`]. Out: reports, and whether all
//! passed. Absent: running JavaScript (`ext/test_runner`), flags.

pub mod affected;
pub mod coverage;
mod definitions;
pub mod discovery;
pub mod event;
pub mod frame;
pub mod frames;
pub mod obsolete_snapshots;
mod options;
mod pool;
mod problem;
pub mod protocol;
pub mod report;
pub mod reporter;
mod run;
mod schedule;
mod settings;
pub mod timings;

pub use options::{ConsoleReporter, ReporterOptions, Shard, TestOptions, worker_share};
pub use pool::WorkerProgram;
pub use run::{Host, NothingFound, Outcome, run};
