//! The runtime's loop: scripts, timers, ticks, promises, descriptors, children, signals, work on other threads, in Node's order. In: a script, and what is to
//! be called when something outside happens. Out: how it ended. Absent so far: modules, the globals beyond timers, `process`,
//! `console`, and so any command. See docs/internals/engine.md.

mod block_list;
mod builtins;
mod children;
mod clock;
mod code;
mod descriptors;
mod environment;
mod failure;
mod hashes;
mod hooks;
mod idle;
mod lookout;
mod mail;
mod natives;
mod noted;
mod open_files;
mod program;
mod queues;
mod runtime;
mod settings;
mod signals;
mod times;
mod watches;
mod work;
mod worker;

pub mod ipc;
pub mod problem;
pub mod text_formats;

pub use children::Waited;
pub use descriptors::Readiness;
pub use failure::{Failure, FailureKind};
pub use natives::url::{Address, parse_address};
pub use program::{Main, Preload, PreloadWay, Program};
pub use runtime::{Handle, Runtime, Stop};
pub use rusk_transpile::{DefineFlaw, Defines};
pub use settings::Settings;
pub use signals::Listener;
pub use watches::Watch;
pub use worker::leaves_threads;
