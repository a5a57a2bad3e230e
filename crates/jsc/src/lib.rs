//! JavaScriptCore, the shared library of the distribution, as safe Rust types. In: the library,
//! which is loaded at the first use. Out: a [`Vm`] bound to one thread, and inside of [`Vm::turn`]
//! values that cannot outlive it. Absent: event loop, modules and globals; those are the runtime's.
//! What is safe here, and why, is described in docs/contributing/engine.md.
//!
//! Results that are not values may leave a turn:
//! ```no_run
//! fn read(vm: &rusk_jsc::Vm) -> bool {
//!     vm.turn(|scope| scope.null().is_truthy(scope))
//! }
//! fn keep(vm: &rusk_jsc::Vm) -> rusk_jsc::Root {
//!     vm.turn(|scope| rusk_jsc::Root::new(scope, scope.null()))
//! }
//! ```
//! A value may not, nor a value of a nested scope:
//! ```compile_fail
//! fn escape(vm: &rusk_jsc::Vm) -> bool {
//!     let value = vm.turn(|scope| scope.null());
//!     vm.turn(|scope| value.is_truthy(scope))
//! }
//! ```
//! ```compile_fail
//! fn escape(vm: &rusk_jsc::Vm) -> bool {
//!     vm.turn(|outer| outer.with_nested_scope(|inner| inner.null()).is_truthy(outer))
//! }
//! ```
//! Nothing of a VM can be sent to another thread, and a closure that borrows bytes cannot capture a
//! scope:
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
//! fn borrow(scope: &rusk_jsc::Scope, buffer: rusk_jsc::ArrayBuffer<'_>) {
//!     buffer.with_bytes_mut(scope, |_| drop(scope.null()));
//! }
//! ```
//! ```compile_fail,E0277
//! fn borrow(scope: &rusk_jsc::Scope, bytes: rusk_jsc::Bytes<'_>) {
//!     bytes.with_bytes_mut(scope, |_| drop(scope.null()));
//! }
//! ```
//! Borrowed code units cannot leave their closure:
//! ```compile_fail
//! fn leak<'s>(scope: &'s rusk_jsc::Scope, value: rusk_jsc::Value<'s>) -> Option<rusk_jsc::CodeUnits<'s>> {
//!     value.with_code_units(scope, |units| units)
//! }
//! ```
#![allow(unsafe_code)]

mod buffer;
mod buffer_contents;
mod bytes;
mod code_cache;
mod construct_bytes;
mod contextified;
mod dictionaries;
mod engine;
mod error_stack;
mod exception;
mod execution_limit;
mod heap_snapshot;
mod host_function;
mod kept_script;
mod layout;
mod machine_code;
mod main_context;
mod memory;
mod mutable_prototype;
mod native;
mod object;
mod object_kind;
mod owning_function;
mod prelink;
mod promise;
mod property_storage;
mod property_words;
mod property_writer;
mod root;
mod sampling_profiler;
mod scope;
mod shared_u32_array;
mod string;
mod structures;
mod symbols;
mod termination;
mod value;
mod vm;
mod wasm_entry;
mod wasm_memory;
mod wasm_module;
mod words;

pub use buffer::ArrayBuffer;
pub use buffer_contents::BufferContents;
pub use bytes::{Bytes, SharedInteger};
pub use code_cache::{CodeCache, CodeCacheKey};
pub use dictionaries::{Dictionaries, DictionaryKind};
pub use engine::{Engine, EngineError, Options, Setting, UnstableAbi, Version};
pub use exception::{ErrorKind, Exception, Position};
pub use execution_limit::{ExecutionLimit, LimitReached};
pub use kept_script::KeptScript;
pub use machine_code::{HostCode, ValueLayout, enter_host_call};
pub use main_context::PollSet;
pub use memory::{HeapStatistics, MemoryStatistics};
pub use native::{Call, Outcome};
pub use object::{Function, Key, Object};
pub use object_kind::{ObjectKind, PromiseState};
pub use promise::{Deferred, PromiseResolver, Rejection, RootedRejection};
pub use property_words::{PropertyLayout, PropertyWords};
pub use root::{Root, Weak};
pub use scope::Scope;
pub use shared_u32_array::SharedU32Array;
pub use string::{CodeUnits, JsString, SharedString, copy_ascii};
pub use termination::TerminationHandle;
pub use value::{Kind, Value};
pub use vm::{Context, Gc, Vm};
pub use wasm_entry::WasmEntries;
pub use wasm_module::WasmModule;
pub use words::{OnCollected, ReservedSlot, ScopeMark, with_vm_of_thread};
