//! Starts processes on Linux without waiting for them. In: a [`Command`]. Out: a [`Child`], as soon
//! as the kernel has cloned it: the program is loaded while the caller goes on. What a start costs
//! does not grow with the memory or the open descriptors of the process that asks.

mod child;
mod command;
mod ending;
mod environment;
mod error;
mod kernel;
mod launch;
mod namespaces;
#[cfg(feature = "tokio")]
mod on_tokio;
mod output;
mod plan;
mod pool;
mod process;
mod raw;
mod read_ends;
mod report;
mod setup;
mod slot;
mod stdio;
mod step;
mod streams;
mod terminal;
mod thread;
mod usage;
mod watch;
mod zygote;

pub use child::Callback;
pub use child::sys as child_calls;
pub use command::{Command, Mode, TableChoice};
pub use ending::{End, Ending, KILLED_WITHIN, Means, Whom, adopt_orphans, reap_orphans};
pub use environment::Environment;
pub use error::{Error, Result};
pub use launch::{reserve, reserve_at};
pub use namespaces::{Namespaces, UserMap};
#[cfg(feature = "tokio")]
pub use on_tokio::{AsyncChild, AsyncInput, AsyncOutput};
pub use output::{Cut, Finished, OUTPUT_BYTES_MAX, Terms};
pub use process::{Child, Exit};
pub use setup::{Credentials, Disposition, Limit, SignalMask};
pub use stdio::{Input, Output, Stdio};
pub use step::Step;
pub use streams::{Event, Key, Stream, Streams};
pub use terminal::{Pty, Size};
pub use usage::Usage;
pub use zygote::start_zygote;
