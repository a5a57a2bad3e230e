//! Watches files with inotify(7). In: files, or paths to watch recursively. Out: that one of them
//! has changed, or a signal. Absent: what is done then.

mod directories;
mod files;
pub mod problem;

pub use directories::{ChangeFilter, WatchedDirectories};
pub use files::{FileEvent, FileWatcher};
