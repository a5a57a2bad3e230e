//! What programs run in: the loop in Node's order, modules, the files of JavaScript that are Node's
//! modules and the web's globals, children, workers, messages. In: settings, a program. Out: how it
//! ended. Absent: commands and their flags; `crates/rusk` has those. See
//! docs/contributing/engine.md.

mod abandoned;
mod block_list;
mod bootstrap;
mod builtins;
mod children;
mod clock;
mod code;
mod descriptors;
mod environment;
mod error_words;
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
mod waiters;
mod watches;
mod work;
mod worker;

pub mod dns;
pub mod ipc;
pub mod problem;
pub mod text_formats;

pub use children::Waited;
pub use descriptors::Readiness;
pub use failure::{Failure, FailureKind};
pub use natives::url::{Address, parse_address, read_address_behind, read_address_quickly};
pub use program::{Main, Preload, PreloadWay, Program};
pub use runtime::{Handle, Runtime, Stop};
pub use rusk_jsc::UnstableAbi;
pub use rusk_transpile::{DefineError, Defines};
pub use settings::Settings;
pub use signals::Listener;
pub use watches::Watch;
pub use worker::leaves_threads;
