//! Runtime core: a VM and an event loop on one thread, in Node's order of phases, ticks and
//! microtasks, with the module loader, native bindings, the bytecode cache and workers. In:
//! settings with a list of extensions, and a program. Out: how it ended. Absent: every feature;
//! each is an extension.

// Generated code and macros name the crate.
extern crate self as rusk_runtime;

mod bootstrap;
mod builtin_names;
mod check_hooks;
pub mod constants;
pub mod contexts;
mod environment;
mod extension;
mod failure;
mod handle;
mod idle;
mod loader;
mod phases;
mod program;
mod queues;
mod runtime;
mod settings;
mod source_positions;
mod unhandled_errors;

pub mod bindings;
pub mod builtins;
pub mod bytecode_cache;
pub mod inbox;
pub mod lifecycle;
pub mod problem;
pub mod state;
pub mod times;
pub mod values;
pub mod worker;

pub use builtins::Builtin;
pub use check_hooks::CheckHandle;
pub use environment::SharedEnvironment;
pub use extension::{Extension, MakeBinding};
pub use failure::{Failure, FailureKind};
pub use handle::{
    ChildHandle, Completer, IoHandle, LoopHandle, Pending, Readiness, SignalHandle, ThreadPool, VmContext,
};
pub use inbox::Inbox;
pub use loader::with_next_source;
pub use program::{Main, Preload, PreloadKind, Program};
pub use queues::LoopCounters;
pub use runtime::{Runtime, Stop};
pub use rusk_embedded::{EntryKind as EmbeddedKind, files as embedded_files};
pub use rusk_jsc::{Setting as EngineSetting, UnstableAbi};
pub use rusk_modules::tsconfig::CompilerOptions;
pub use rusk_transpile::{DefineError, Defines};
pub use settings::Settings;
pub use source_positions::add_insertions;
pub use state::RuntimeState;
pub use worker::has_running_threads;

/// The release of Node whose API is implemented.
pub const NODE_VERSION: &str = "25.8.1";

crate::extension!(
    "runtime",
    [
        ("builtins", builtin_names::make),
        ("loader", loader::make),
        ("source_positions", source_positions::make),
    ]
);
