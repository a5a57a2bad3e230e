//! The project's automation, called by `cargo xtask` and by its tests. Absent: anything that is
//! shipped.

pub mod bench;
mod bounded;
pub mod conformance;
pub mod demo;
pub mod fuzz;
pub mod interop;
mod peers;
mod place;
mod process;
mod report;
pub mod sanitize;
mod snapshot;
