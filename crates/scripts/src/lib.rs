//! Scripts of package.json and programs of `node_modules/.bin`: how they are started. In: a
//! package, a command or a program, the user's environment. Out: a child to wait for, or this
//! process replaced by the program. Absent: the order of lifecycle scripts, printing, signals, and
//! the setting `script-shell`: commands always run in `/bin/sh`.

mod command_line;
pub mod dotenv;
mod environment;
mod own_node;
mod package;
pub mod problem;
mod program;
mod schedule;
mod script_name;
mod start;
mod task_processes;

pub use command_line::{quoted, shell_line};
pub use environment::{Caller, Environment, Identity, Setting, find_in};
pub use own_node::{MANAGER_NAMES, OwnNode};
pub use package::Package;
pub use program::{Job, Script};
pub use schedule::{Schedule, TaskState};
pub use script_name::ScriptName;
pub use start::{Child, Confine, Exit, Streams};
pub use task_processes::{OutputStream, TaskEvent, TaskProcesses};
