//! The C face of rusk-spawn: what `include/rusk_spawn.h` declares, one function each. In: pointers
//! and numbers, as the header promises them. Out: 0 or an errno. Absent: documentation, which the
//! header has, and any behaviour of its own.
//!
//! A function here is called from C alone. Its parameters say in Rust's types what the header says
//! in words: a pointer that may be null is an `Option` of a reference, one that is freed an
//! `Option` of a box. A panic would be a bug; it ends the process at the boundary.

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
