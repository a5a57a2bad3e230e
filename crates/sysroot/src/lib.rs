//! A program under another root, for anybody. In: a folder that holds a system, and what else is to
//! be seen there. Out: this process within namespaces of its own, where that folder is `/`; then a
//! program in its place. Absent: the environment and the command line, which are handed in; and
//! walls: whoever runs inside may do what its user may.

mod bind;
mod devices;
mod enter;
mod failure;
pub mod head;
pub mod image;
mod place;
mod plan;
mod problem;
mod program;
mod scaffold;
mod user;
mod views;

pub use bind::Bind;
pub use failure::Failure;
pub use image::Image;
pub use plan::{Asked, Plan, Writes};
pub use program::{check, replace};
