//! Starting what package.json and `.bin` name. In: a package, a command or a program, what the
//! user's own environment holds. Out: a child that is waited for, or this process replaced by what
//! was started. Absent: which scripts belong together, printing, signals, and `script-shell`:
//! nothing but `/bin/sh` reads a command.

pub mod dotenv;
mod environment;
mod package;
pub mod problem;
mod program;
mod schedule;
mod start;
mod task_processes;
mod words;

pub use environment::{Caller, Environment, Identity, Setting, find_in};
pub use package::Package;
pub use program::{Job, Script};
pub use schedule::{Schedule, TaskState};
pub use start::{Child, Exit, Streams};
pub use task_processes::{OutputStream, TaskEvent, TaskProcesses};
pub use words::line;
