//! Calls of C functions whose signature is known at run time. In: addresses, types, arguments as
//! words. Out: results as words; functions that C can call; memory of the process by address.
//! Absent: how a value becomes a word where there is no stub (`ext/ffi`).
//!
//! Functions with few arguments are called directly: in both ABIs that are supported (System V for
//! x86-64, AAPCS64), integers and floats have registers of their own, so one C type fits all of
//! them. The distribution's libffi, opened at the first use, does the rest. On x86-64 most
//! functions get a stub of machine code, which the engine calls without JavaScript or Rust between.
//!
//! What a program passes is not checked and cannot be: it says which function is at an address and
//! which memory is there. `unsafe` of this crate rests on that promise, as C's does, and each
//! function that takes an address says so.
#![allow(unsafe_code)]

mod callback;
mod function;
mod libffi;
mod library;
mod libtcc;
pub mod memory;
mod stub;
mod system_library;
mod types;

pub use callback::{Callback, Handler};
pub use function::Function;
pub use libffi::Unavailable;
pub use library::Library;
pub use libtcc::{CompileRequest, CompiledProgram};
pub use stub::{DirectEntries, DirectEntry, Stub, StubHandlers, StubTarget, StubType, Stubs};
pub use types::Type;

/// Arguments of a function at most: more than any C library has.
pub const ARGUMENTS_MAX: usize = 62;

#[cfg(test)]
mod tests;
