//! Jail of untrusted programs: a Landlock ruleset for files, sockets and signals, a seccomp filter
//! for system calls, and few capabilities. In: a [`Policy`]. Out: a [`Jail`], which confines a
//! command of `rusk-spawn`; the kernel enforces it from before the program's first instruction, for
//! the program and its descendants. Absent: which packages may run, environment variables.

mod filter;
pub mod problem;
mod roots;
mod ruleset;
pub mod system;

pub use filter::NetworkGrant;
pub use roots::SharedRoots;
pub use ruleset::{Jail, Policy, kernel_abi};
