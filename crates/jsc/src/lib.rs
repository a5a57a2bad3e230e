//! JavaScriptCore, the distribution's own library, as safe types. In: nothing of ours; the library is opened on first use.
//! Out: a [`Vm`] of one thread, and inside [`Vm::turn`] values that cannot outlive it. Absent: an event loop, modules,
//! globals; those are the runtime's. What is safe here and why stands in docs/internals/engine.md.
#![allow(unsafe_code)]

mod buffer;
mod engine;
mod exception;
mod main_context;
mod memory;
mod native;
mod object;
mod promise;
mod root;
mod scope;
mod symbols;
mod text;
mod value;
mod vm;
mod words;

pub use buffer::ArrayBuffer;
pub use engine::{Engine, Options, PrivatePaths, Setting, Unusable, Version};
pub use exception::{ErrorKind, Exception, Position};
pub use main_context::Wait;
pub use memory::Memory;
pub use native::{Call, Outcome};
pub use object::{Function, Key, Object};
pub use promise::{Deferred, KeptRejection, Pending, Rejection};
pub use root::{Root, Weak};
pub use scope::Scope;
pub use text::Text;
pub use value::{Kind, Value};
pub use vm::{Context, Gc, Vm};
pub use words::Words;
