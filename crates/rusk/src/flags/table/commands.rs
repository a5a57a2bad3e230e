//! The table of commands, in the order in which the help shows them: a file for each group.

mod dependencies;
mod general;
mod project;
mod publishing;
mod running;

use super::concat;
use crate::flags::CommandSpec;

const GROUPS: &[&[CommandSpec]] = &[
    dependencies::DEPENDENCIES,
    running::RUNNING,
    project::PROJECT,
    publishing::PUBLISHING,
    general::GENERAL,
];

const COUNT: usize = concat::count(GROUPS);

pub const COMMANDS: &[CommandSpec] =
    &concat::concat::<CommandSpec, COUNT>(GROUPS, dependencies::DEPENDENCIES[0]);
