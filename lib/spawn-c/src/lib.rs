//! C API of rusk-spawn: the functions that `include/rusk_spawn.h` declares. In: pointers and
//! numbers, as the header requires. Out: 0 or an errno. Absent: documentation, which is in the
//! header, and logic, which is in rusk-spawn.
//!
//! The functions are called only from C. Their parameters express the header's rules as Rust types:
//! a pointer that may be null is an `Option` of a reference, one that is freed an `Option` of a
//! box. A panic would be a bug; it aborts at the boundary.

mod child;
mod command;
mod environment;
mod error;
mod in_child;
mod output;
mod pointer;
mod setup;
mod streams;
mod terminal;
mod termination;
