//! Commands that read what is installed, and what registries say about it. In: an invocation, the
//! lockfile of the project. Out: pages of text or JSON. Absent: the walks over the graph, which are
//! in `rusk-query`.

mod installed_project;
pub mod list;
mod problem;
mod tree;
pub mod why;
