//! Flags of the commands that read what is installed.

use super::DEFAULT;
use crate::flags::table::{Command, Flag, QUERY_COMMANDS};
use crate::flags::{FlagGroup, FlagSpec, FlagValue};

/// More levels than any real graph has.
const DEPTH_MAX: u32 = 1000;

const LIST_COMMAND: &[Command] = &[Command::List];
const WHY_COMMAND: &[Command] = &[Command::Why];

pub const QUERIES: &[FlagSpec] = &[
    FlagSpec {
        flag: Flag::Depth,
        long: "depth",
        value: FlagValue::Number { name: "N", max: DEPTH_MAX },
        help: "Show this many levels of the tree; 0 are direct dependencies, and direct dependents",
        group: FlagGroup::Queries,
        commands: QUERY_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::All,
        long: "all",
        short: &['a'],
        value: FlagValue::Switch,
        help: "Show transitive dependencies, too",
        group: FlagGroup::Queries,
        commands: LIST_COMMAND,
        conflicts: &[Flag::Depth],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Top,
        long: "top",
        value: FlagValue::Switch,
        help: "Show only the direct dependencies of the project that lead to a package",
        group: FlagGroup::Queries,
        commands: WHY_COMMAND,
        conflicts: &[Flag::Depth],
        ..DEFAULT
    },
];
