//! JavaScriptCore, the distribution's own library, as safe types. In: nothing of ours; the library
//! is opened on first use. Out: a [`Vm`] of one thread, and inside [`Vm::turn`] values that cannot
//! outlive it. Absent: an event loop, modules, globals; those are the runtime's. What is safe here
//! and why stands in docs/internals/engine.md.
//!
//! What is read of a value may leave its turn:
//! ```no_run
//! fn read(vm: &rusk_jsc::Vm) -> bool {
//!     vm.turn(|scope| scope.null().is_truthy(scope))
//! }
//! fn keep(vm: &rusk_jsc::Vm) -> rusk_jsc::Root {
//!     vm.turn(|scope| rusk_jsc::Root::new(scope, scope.null()))
//! }
//! ```
//! The value may not, nor a value of an inner scope:
//! ```compile_fail
//! fn escape(vm: &rusk_jsc::Vm) -> bool {
//!     let value = vm.turn(|scope| scope.null());
//!     vm.turn(|scope| value.is_truthy(scope))
//! }
//! ```
//! ```compile_fail
//! fn escape(vm: &rusk_jsc::Vm) -> bool {
//!     vm.turn(|outer| outer.within(|inner| inner.null()).is_truthy(outer))
//! }
//! ```
//! Nothing of a VM goes to another thread, and no scope into what bytes are lent to:
//! ```compile_fail,E0277
//! fn send(vm: rusk_jsc::Vm) {
//!     std::thread::spawn(move || drop(vm));
//! }
//! ```
//! ```compile_fail,E0277
//! fn send(root: rusk_jsc::Root) {
//!     std::thread::spawn(move || drop(root));
//! }
//! ```
//! ```compile_fail,E0277
//! fn lend(scope: &rusk_jsc::Scope, buffer: rusk_jsc::ArrayBuffer<'_>) {
//!     buffer.lend(scope, |_| drop(scope.null()));
//! }
//! ```
//! ```compile_fail,E0277
//! fn lend(scope: &rusk_jsc::Scope, bytes: rusk_jsc::Bytes<'_>) {
//!     bytes.lend(scope, |_| drop(scope.null()));
//! }
//! ```
//! Letters stay where they are lent:
//! ```compile_fail
//! fn keep<'s>(scope: &'s rusk_jsc::Scope, value: rusk_jsc::Value<'s>) -> Option<rusk_jsc::Letters<'s>> {
//!     value.letters(scope, |letters| letters)
//! }
//! ```
#![allow(unsafe_code)]

mod buffer;
mod bytes;
mod contents;
mod engine;
mod error_stack;
mod exception;
mod free_prototype;
mod guard;
mod halt;
mod host;
mod kept;
mod kinds;
mod layout;
mod lent_global;
mod main_context;
mod memory;
mod module;
mod native;
mod object;
mod prelink;
mod promise;
mod root;
mod scope;
mod structures;
mod symbols;
mod text;
mod value;
mod vm;
mod wasm_memory;
mod words;

pub use buffer::ArrayBuffer;
pub use bytes::{Bytes, Word};
pub use contents::BufferContents;
pub use engine::{Engine, Options, PrivatePaths, Setting, Unusable, Version};
pub use exception::{ErrorKind, Exception, Position};
pub use guard::{Ended, Guard};
pub use halt::Halter;
pub use kept::{Code, CodeName};
pub use kinds::{ObjectKind, PromiseState};
pub use main_context::Wait;
pub use memory::{HeapBytes, Memory};
pub use module::WasmModule;
pub use native::{Call, Outcome};
pub use object::{Function, Key, Object};
pub use promise::{Deferred, KeptRejection, Pending, Rejection};
pub use root::{Root, Weak};
pub use scope::Scope;
pub use text::{Letters, SharedText, Text};
pub use value::{Kind, Value};
pub use vm::{Context, Gc, Vm};
pub use words::Words;
