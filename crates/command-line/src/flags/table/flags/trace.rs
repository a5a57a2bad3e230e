//! Flags of the system call tracer.

use super::{DEFAULT, choice};
use crate::flags::table::{Command, Flag};
use crate::flags::{FlagGroup, FlagSpec, FlagValue};

const TRACE_COMMAND: &[Command] = &[Command::Trace];

pub const TRACE: &[FlagSpec] = &[
    FlagSpec {
        flag: Flag::Until,
        long: "until",
        value: FlagValue::String("WHEN"),
        help: "End of the trace: the next exec (exec), a listening socket (listen), the end of the program (exit), or a number of seconds",
        group: FlagGroup::Running,
        commands: TRACE_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Collector,
        long: "collector",
        value: FlagValue::OneOf { name: "KIND", choices: &[choice("auto"), choice("bpf"), choice("ptrace")] },
        help: "Tracing backend",
        group: FlagGroup::Running,
        commands: TRACE_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Processors,
        long: "processors",
        value: FlagValue::OneOf { name: "WHICH", choices: &[choice("one"), choice("all")] },
        help: "CPU affinity while tracing with ptrace",
        group: FlagGroup::Running,
        commands: TRACE_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Compare,
        long: "compare",
        value: FlagValue::Switch,
        help: "Compare two reports that --json wrote, without running a program",
        group: FlagGroup::Running,
        commands: TRACE_COMMAND,
        conflicts: &[Flag::Json, Flag::Html, Flag::Until, Flag::Collector, Flag::Processors],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Html,
        long: "html",
        value: FlagValue::Path("FILE"),
        help: "Write the trace report as an HTML page",
        group: FlagGroup::Output,
        commands: TRACE_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Output,
        long: "output",
        short: &['o'],
        value: FlagValue::Path("FILE"),
        help: "Write the trace report to this file",
        group: FlagGroup::Output,
        commands: TRACE_COMMAND,
        ..DEFAULT
    },
];
