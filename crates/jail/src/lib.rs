//! Jail of untrusted programs: a Landlock ruleset for files, sockets and signals, a seccomp filter
//! for system calls, few capabilities, and a supervisor of connections to hosts. In: a [`Policy`].
//! Out: a [`Jail`], which confines a command of `rusk-spawn`; the kernel enforces it from before
//! the program's first instruction, for the program and its descendants. Absent: which packages may
//! run, environment variables.

mod filter;
mod host_pattern;
pub mod problem;
mod roots;
mod ruleset;
mod supervisor;
pub mod system;

pub use filter::NetworkGrant;
pub use host_pattern::HostPattern;
pub use roots::SharedRoots;
pub use ruleset::{Jail, Policy, kernel_abi};
pub use supervisor::{HostGrants, system_addresses};
