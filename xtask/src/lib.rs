//! The project's automation, called by `cargo xtask` and by its tests. Absent: anything that is shipped.

pub mod fuzz;
