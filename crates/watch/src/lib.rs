//! Watches files with inotify(7). In: files, or paths to watch recursively. Out: that one of them
//! has changed, or a signal. Absent: what is done then, but for programs and tests that run again
//! ([`program`]).

mod directories;
mod files;
pub mod problem;
pub mod program;

pub use directories::{ChangeFilter, WatchedDirectories};
pub use files::{FileEvent, FileWatcher};
