//! Flags of nearly all commands.

use super::DEFAULT;
use crate::flags::table::{ALL_COMMANDS, Flag, PROJECT_COMMANDS};
use crate::flags::{FlagSpec, FlagValue};

pub const GENERAL: &[FlagSpec] = &[
    FlagSpec {
        flag: Flag::Cwd,
        long: "cwd",
        value: FlagValue::Path("PATH"),
        help: "Run as if started in this directory",
        commands: PROJECT_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Help,
        long: "help",
        short: &['h'],
        value: FlagValue::Switch,
        help: "Show help",
        commands: ALL_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Version,
        long: "version",
        short: &['v'],
        value: FlagValue::Switch,
        help: "Print the version",
        commands: ALL_COMMANDS,
        ..DEFAULT
    },
];
