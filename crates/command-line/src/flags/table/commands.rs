//! The table of commands, in the order in which the help shows them: a file for each group.

mod dependencies;
mod general;
mod maintenance;
mod project;
mod publishing;
mod queries;
mod running;

use super::concat;
use crate::flags::CommandSpec;

const GROUPS: &[&[CommandSpec]] = &[
    dependencies::DEPENDENCIES,
    maintenance::MAINTENANCE,
    running::RUNNING,
    project::PROJECT,
    queries::QUERIES,
    publishing::PUBLISHING,
    general::GENERAL,
];

const COUNT: usize = concat::count(GROUPS);

pub const COMMANDS: &[CommandSpec] =
    &concat::concat::<CommandSpec, COUNT>(GROUPS, dependencies::DEPENDENCIES[0]);
