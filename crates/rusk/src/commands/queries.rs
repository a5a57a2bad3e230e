//! Commands that read what is installed, and what registries say about it. In: an invocation, the
//! lockfile of the project. Out: pages of text or JSON. Absent: the walks over the graph, which are
//! in `rusk-query`.

pub mod audit;
mod audit_signatures;
pub mod explain;
pub mod info;
pub mod installed_project;
pub mod licenses;
pub mod list;
pub mod outdated;
mod problem;
mod query_record;
pub mod sbom;

use rusk_terminal::{table, tree};
