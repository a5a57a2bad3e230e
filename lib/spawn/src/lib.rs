//! Process spawning on Linux that does not block. In: a [`Command`]. Out: a [`Child`], as soon as
//! the kernel has cloned it: the program is loaded concurrently. The cost of a start does not grow
//! with the memory or the open fds of the parent.

#[cfg(feature = "tokio")]
mod async_child;
mod child;
mod command;
mod environment;
mod epoll;
mod error;
mod kernel;
mod launch;
mod namespaces;
mod output;
mod plan;
mod pool;
mod process;
mod raw;
mod read_outputs;
mod report;
mod setup;
mod slot;
mod spawner_thread;
mod stdio;
mod step;
mod streams;
mod terminal;
mod termination;
mod usage;
mod zygote;

#[cfg(feature = "tokio")]
pub use async_child::{AsyncChild, AsyncInput, AsyncOutput};
pub use child::Callback;
pub use child::sys as child_calls;
pub use command::{Command, Mode, TableChoice};
pub use environment::Environment;
pub use error::{Error, Result};
pub use launch::{reserve, reserve_at};
pub use namespaces::{Namespaces, UserMap};
pub use output::{CollectOptions, CollectedOutput, OUTPUT_BYTES_MAX, Truncation};
pub use process::{Child, Exit};
pub use setup::{Credentials, Disposition, Limit, SignalMask};
pub use stdio::{Input, Output, Stdio};
pub use step::Step;
pub use streams::{Event, Key, Stream, Streams};
pub use terminal::{Pty, Size};
pub use termination::{
    KILL_TIMEOUT, KillMethod, KillScope, Termination, TerminationReport, adopt_orphans, reap_orphans,
};
pub use usage::Usage;
pub use zygote::start_zygote;
