//! Flags that select members of a project.

use super::DEFAULT;
use crate::flags::table::{Flag, MEMBER_COMMANDS};
use crate::flags::{FlagGroup, FlagSpec, FlagValue};

pub const WORKSPACES: &[FlagSpec] = &[
    FlagSpec {
        flag: Flag::Filter,
        long: "filter",
        short: &['F'],
        value: FlagValue::String("FILTER"),
        help: "Select members by name, path (./dir), Git changes ([ref]), dependencies (a...), dependents (...a), or exclude them (!a); repeatable",
        group: FlagGroup::Workspaces,
        commands: MEMBER_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Workspaces,
        long: "workspaces",
        aliases: &["recursive"],
        short: &['r'],
        value: FlagValue::Switch,
        help: "Select all members",
        group: FlagGroup::Workspaces,
        commands: MEMBER_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::WorkspaceRoot,
        long: "workspace-root",
        short: &['w'],
        value: FlagValue::Switch,
        help: "Select the root of the project, alone or beside the selected members",
        group: FlagGroup::Workspaces,
        commands: MEMBER_COMMANDS,
        ..DEFAULT
    },
];
