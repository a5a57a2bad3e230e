//! Flags of the commands that run scripts and programs.

use super::DEFAULT;
use crate::flags::table::{Command, Flag};
use crate::flags::{FlagGroup, FlagSpec, FlagValue};

pub const RUNNING: &[FlagSpec] = &[
    FlagSpec {
        flag: Flag::IfPresent,
        long: "if-present",
        help: "Exit with success if the script does not exist",
        group: FlagGroup::Running,
        commands: &[Command::Run],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Package,
        long: "package",
        short: &['p'],
        value: FlagValue::String("NAME"),
        help: "Package that provides the program; repeatable",
        group: FlagGroup::Running,
        commands: &[Command::X],
        ..DEFAULT
    },
];
