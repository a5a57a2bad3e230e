//! Starts processes on Linux without waiting for them. In: a [`Command`]. Out: a [`Child`], as soon
//! as the kernel has cloned it: the program is loaded while the caller goes on. What a start costs
//! does not grow with the memory or the open descriptors of the process that asks.

mod child;
mod command;
mod termination;
mod environment;
mod error;
mod kernel;
mod launch;
mod namespaces;
#[cfg(feature = "tokio")]
mod async_child;
mod output;
mod plan;
mod pool;
mod process;
mod raw;
mod read_outputs;
mod report;
mod setup;
mod slot;
mod stdio;
mod step;
mod streams;
mod terminal;
mod spawner_thread;
mod usage;
mod epoll;
mod zygote;

pub use child::Callback;
pub use child::sys as child_calls;
pub use command::{Command, Mode, TableChoice};
pub use termination::{Termination, TerminationReport, KILL_TIMEOUT, KillMethod, KillScope, adopt_orphans, reap_orphans};
pub use environment::Environment;
pub use error::{Error, Result};
pub use launch::{reserve, reserve_at};
pub use namespaces::{Namespaces, UserMap};
#[cfg(feature = "tokio")]
pub use async_child::{AsyncChild, AsyncInput, AsyncOutput};
pub use output::{Truncation, CollectedOutput, OUTPUT_BYTES_MAX, CollectOptions};
pub use process::{Child, Exit};
pub use setup::{Credentials, Disposition, Limit, SignalMask};
pub use stdio::{Input, Output, Stdio};
pub use step::Step;
pub use streams::{Event, Key, Stream, Streams};
pub use terminal::{Pty, Size};
pub use usage::Usage;
pub use zygote::start_zygote;
