//! Flags that say how a dependency is saved and how far an update goes.

use super::DEFAULT;
use crate::flags::table::{Command, Flag, GLOBAL_COMMANDS};
use crate::flags::{FlagGroup, FlagSpec, FlagValue};

const ADD_COMMANDS: &[Command] = &[Command::Add, Command::Install];

const GROUP_COMMANDS: &[Command] = &[Command::Add, Command::Install, Command::Update];

pub const ADDING: &[FlagSpec] = &[
    FlagSpec {
        flag: Flag::SaveProd,
        long: "save-prod",
        short: &['P'],
        value: FlagValue::Switch,
        help: "Save to dependencies, also what is in another group",
        group: FlagGroup::Adding,
        commands: ADD_COMMANDS,
        conflicts: &[Flag::Dev, Flag::Optional, Flag::Peer],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Dev,
        long: "dev",
        aliases: &["development", "save-dev"],
        short: &['D', 'd'],
        value: FlagValue::Switch,
        help: "Save to devDependencies; update those only",
        group: FlagGroup::Adding,
        commands: GROUP_COMMANDS,
        conflicts: &[Flag::Optional, Flag::Peer],
    },
    FlagSpec {
        flag: Flag::Optional,
        long: "optional",
        aliases: &["save-optional"],
        short: &['O'],
        value: FlagValue::Switch,
        help: "Save to optionalDependencies; update those only",
        group: FlagGroup::Adding,
        commands: GROUP_COMMANDS,
        conflicts: &[Flag::Peer],
    },
    FlagSpec {
        flag: Flag::Peer,
        long: "peer",
        aliases: &["save-peer"],
        value: FlagValue::Switch,
        help: "Save to peerDependencies",
        group: FlagGroup::Adding,
        commands: ADD_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Exact,
        long: "exact",
        aliases: &["save-exact"],
        short: &['E'],
        help: "Save the exact version instead of a ^range",
        group: FlagGroup::Adding,
        commands: ADD_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::OnlyMissing,
        long: "only-missing",
        value: FlagValue::Switch,
        help: "Leave packages as they are that package.json has already",
        group: FlagGroup::Adding,
        commands: ADD_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Catalog,
        long: "catalog",
        aliases: &["save-catalog"],
        value: FlagValue::Optional("NAME"),
        help: "Save `catalog:` here, and the range in the project's catalog",
        group: FlagGroup::Adding,
        commands: ADD_COMMANDS,
        conflicts: &[Flag::Global],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Interactive,
        long: "interactive",
        short: &['i'],
        value: FlagValue::Switch,
        help: "Choose the packages from a list on the terminal",
        group: FlagGroup::Updating,
        commands: &[Command::Update],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Global,
        long: "global",
        short: &['g'],
        value: FlagValue::Switch,
        help: "Use the user's global packages, whose programs run everywhere",
        group: FlagGroup::Packages,
        commands: GLOBAL_COMMANDS,
        conflicts: &[Flag::Filter, Flag::Workspaces, Flag::WorkspaceRoot],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Latest,
        long: "latest",
        short: &['L'],
        help: "Update beyond the ranges in package.json",
        group: FlagGroup::Updating,
        commands: &[Command::Update],
        ..DEFAULT
    },
];
