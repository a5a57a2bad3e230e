//! Sysroots: runs a program under another root file system, without privileges. In: the root
//! directory of a system, and bind mounts. Out: this process in new namespaces, with that directory
//! as `/`; then the program by execve(2). Absent: reading of environment and command line. It is no
//! sandbox: the program may do what its user may.

mod bind;
mod bind_mounts;
mod devices;
mod enter;
pub mod executable_format;
mod failure;
pub mod image;
mod mount_point;
mod overlay_upper;
mod plan;
mod problem;
mod program;
mod user;

pub use bind::Bind;
pub use failure::StartFailure;
pub use image::Image;
pub use plan::{Plan, SysrootOptions, Writes};
pub use program::{check_executable, exec};
