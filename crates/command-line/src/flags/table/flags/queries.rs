//! Flags of the commands that read what is installed.

use super::{DEFAULT, choice};
use crate::flags::table::{Command, Flag};
use crate::flags::{FlagGroup, FlagSpec, FlagValue};

/// More levels than any real graph has.
const DEPTH_MAX: u32 = 1000;

const DEPTH_COMMANDS: &[Command] = &[Command::List, Command::Why, Command::Update];
const AUDIT_COMMAND: &[Command] = &[Command::Audit];
const SBOM_COMMAND: &[Command] = &[Command::Sbom];
/// The commands that can include everything.
const ALL_FLAG_COMMANDS: &[Command] = &[Command::List, Command::Approve];
const WHY_COMMAND: &[Command] = &[Command::Why];

pub const QUERIES: &[FlagSpec] = &[
    FlagSpec {
        flag: Flag::Depth,
        long: "depth",
        value: FlagValue::Number { name: "N", max: DEPTH_MAX },
        help: "Show this many levels of the tree; 0 are direct dependencies, and direct dependents",
        group: FlagGroup::Queries,
        commands: DEPTH_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::All,
        long: "all",
        short: &['a'],
        value: FlagValue::Switch,
        help: "Include transitive dependencies",
        group: FlagGroup::Queries,
        commands: ALL_FLAG_COMMANDS,
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
    FlagSpec {
        flag: Flag::AuditLevel,
        long: "audit-level",
        value: FlagValue::OneOf {
            name: "LEVEL",
            choices: &[choice("info"), choice("low"), choice("moderate"), choice("high"), choice("critical")],
        },
        help: "Show only advisories of this severity or a higher one",
        group: FlagGroup::Queries,
        commands: AUDIT_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Ignore,
        long: "ignore",
        value: FlagValue::String("ID"),
        help: "Leave out an advisory, by its GHSA or CVE identifier or its number; repeatable",
        group: FlagGroup::Queries,
        commands: AUDIT_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::SbomFormat,
        long: "sbom-format",
        value: FlagValue::OneOf { name: "FORMAT", choices: &[choice("cyclonedx"), choice("spdx")] },
        help: "Format of the bill of materials",
        group: FlagGroup::Queries,
        commands: SBOM_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::SbomType,
        long: "sbom-type",
        value: FlagValue::OneOf {
            name: "TYPE",
            choices: &[choice("library"), choice("application"), choice("framework")],
        },
        help: "What the project is",
        group: FlagGroup::Queries,
        commands: SBOM_COMMAND,
        ..DEFAULT
    },
];
