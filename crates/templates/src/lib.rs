//! Templates of projects, for `rusk create` and `rusk init`. In: the name of a template, arguments.
//! Out: the files of a local directory or of a repository at GitHub in a new directory, and what
//! the template wants to run there; the files of rusk's own templates as text. Absent: running
//! that, questions, templates that are packages.

mod arguments;
mod problem;
mod project;
mod starter;
mod template;
mod template_files;

pub use arguments::CreateArguments;
pub use project::{CreatedProject, Tasks, create};
pub use starter::{ReactStyle, Starter};
pub use template::{GithubTemplate, Template, find};
