//! Flags of the commands that run scripts and programs.

use super::DEFAULT;
use crate::flags::table::{Command, EXECUTE_COMMANDS, Flag};
use crate::flags::{FlagGroup, FlagSpec, FlagValue};

/// Each script needs three file descriptors; many systems allow 1,024 to a process.
const CONCURRENCY_MAX: u32 = 300;

const RUN_COMMANDS: &[Command] = &[Command::Run, Command::Exec];

/// The commands that start programs of packages.
const NODE_COMMANDS: &[Command] = &[Command::Run, Command::Exec, Command::X, Command::Create];

const PARALLEL_COMMANDS: &[Command] = &[Command::Run, Command::Exec, Command::Test];

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
        flag: Flag::Bun,
        long: "bun",
        help: "Have programs that ask for `node` run on Rusk, too",
        group: FlagGroup::Running,
        commands: NODE_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Parallel,
        long: "parallel",
        value: FlagValue::Optional("N"),
        help: "Run everything at the same time, in any order; at most N of them",
        group: FlagGroup::Running,
        commands: PARALLEL_COMMANDS,
        conflicts: &[Flag::Sequential],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Sequential,
        long: "sequential",
        value: FlagValue::Switch,
        help: "Run one after another",
        group: FlagGroup::Running,
        commands: RUN_COMMANDS,
        conflicts: &[Flag::Concurrency],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::NoExitOnError,
        long: "no-exit-on-error",
        aliases: &["no-bail"],
        help: "Go on with the others when one fails",
        group: FlagGroup::Running,
        commands: RUN_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Concurrency,
        long: "concurrency",
        aliases: &["workspace-concurrency"],
        value: FlagValue::Count { name: "N", max: CONCURRENCY_MAX },
        help: "Maximum number of scripts or programs that run at the same time",
        group: FlagGroup::Running,
        commands: RUN_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::AggregateOutput,
        long: "aggregate-output",
        value: FlagValue::Switch,
        help: "Print each output as one block when its script or program has ended",
        group: FlagGroup::Running,
        commands: RUN_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Package,
        long: "package",
        short: &['p'],
        value: FlagValue::String("NAME"),
        help: "Package that provides the program; repeatable",
        group: FlagGroup::Running,
        commands: EXECUTE_COMMANDS,
        ..DEFAULT
    },
];
