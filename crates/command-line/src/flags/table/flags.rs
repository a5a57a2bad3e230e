//! The table of flags, in the order in which the help shows them: a file for each group.

mod adding;
mod building;
mod files;
mod general;
mod lockfile;
mod maintenance;
mod network;
pub mod of_command;
mod output;
mod packages;
mod project;
mod publishing;
mod queries;
mod root;
mod running;
mod testing;
mod trace;
mod workspaces;

use super::{Flag, INSTALL_COMMANDS, concat};
use crate::flags::{Choice, FlagGroup, FlagSpec, FlagValue};

const GROUPS: &[&[FlagSpec]] = &[
    adding::ADDING,
    running::RUNNING,
    testing::TESTING,
    building::BUILDING,
    workspaces::WORKSPACES,
    root::ROOT,
    trace::TRACE,
    packages::PACKAGES,
    maintenance::MAINTENANCE,
    project::PROJECT,
    queries::QUERIES,
    publishing::PUBLISHING,
    lockfile::LOCKFILE,
    network::NETWORK,
    files::FILES,
    output::OUTPUT,
    general::GENERAL,
];

const COUNT: usize = concat::count(GROUPS);

pub const FLAGS: &[FlagSpec] = &concat::concat::<FlagSpec, COUNT>(GROUPS, DEFAULT);

/// The defaults of a row.
const DEFAULT: FlagSpec = FlagSpec {
    flag: Flag::Help,
    long: "",
    aliases: &[],
    short: &[],
    value: FlagValue::Negatable,
    help: "",
    group: FlagGroup::General,
    commands: INSTALL_COMMANDS,
    conflicts: &[],
};

const fn choice(name: &'static str) -> Choice {
    Choice { name, aliases: &[] }
}
