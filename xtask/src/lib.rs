//! Automation of the project, called by `cargo xtask` and by its tests. Absent: anything that is
//! shipped.

pub mod bench;
pub mod conformance;
pub mod demo;
pub mod docs;
mod files;
pub mod interop;
mod peers;
mod process;
mod report;
pub mod sanitize;
mod test_addons;
