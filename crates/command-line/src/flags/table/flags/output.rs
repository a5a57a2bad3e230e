//! Flags about what is printed.

use super::{DEFAULT, choice};
use crate::flags::table::{ALL_COMMANDS, Flag, JSON_COMMANDS, NETWORK_COMMANDS, PROJECT_COMMANDS};
use crate::flags::{Choice, FlagGroup, FlagSpec, FlagValue};

pub const OUTPUT: &[FlagSpec] = &[
    FlagSpec {
        flag: Flag::Silent,
        long: "silent",
        aliases: &["quiet"],
        short: &['s'],
        help: "Print errors only",
        group: FlagGroup::Output,
        commands: PROJECT_COMMANDS,
        conflicts: &[Flag::Verbose],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Verbose,
        long: "verbose",
        help: "Print requests, decisions and the duration of phases",
        group: FlagGroup::Output,
        commands: NETWORK_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Json,
        long: "json",
        help: "Print the result as one JSON object",
        group: FlagGroup::Output,
        commands: JSON_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Timeline,
        long: "timeline",
        value: FlagValue::Path("FILE"),
        help: "Write a timeline of the install as an HTML page",
        group: FlagGroup::Output,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Color,
        long: "color",
        value: FlagValue::OneOf {
            name: "WHEN",
            choices: &[
                choice("auto"),
                Choice { name: "always", aliases: &["true"] },
                Choice { name: "never", aliases: &["false"] },
            ],
        },
        help: "Use colors in the output",
        group: FlagGroup::Output,
        commands: ALL_COMMANDS,
        ..DEFAULT
    },
];
