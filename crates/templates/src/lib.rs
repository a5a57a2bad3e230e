//! Templates of projects, for `rusk create`. In: the name of a template, arguments. Out: the files
//! of a local directory or of a repository at GitHub in a new directory, and what the template
//! wants to run there. Absent: running that, questions, templates that are packages.

mod arguments;
mod problem;
mod project;
mod template;
mod template_files;

pub use arguments::CreateArguments;
pub use project::{CreatedProject, Tasks, create};
pub use template::{GithubTemplate, Template, find};
