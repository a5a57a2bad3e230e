//! Flags of the commands that maintain a project.

use super::{DEFAULT, choice};
use crate::flags::table::{Command, Flag};
use crate::flags::{FlagGroup, FlagSpec, FlagValue};

pub const MAINTENANCE: &[FlagSpec] = &[
    FlagSpec {
        flag: Flag::Commit,
        long: "commit",
        value: FlagValue::Switch,
        help: "Save the changes of the edited copy as a patch",
        group: FlagGroup::Packages,
        commands: &[Command::Patch],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::PatchesDir,
        long: "patches-dir",
        value: FlagValue::Path("DIR"),
        help: "Directory in which the patch is written",
        group: FlagGroup::Files,
        commands: &[Command::Patch],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Check,
        long: "check",
        value: FlagValue::Switch,
        help: "Change nothing; exit with 1 if there are duplicates",
        group: FlagGroup::Packages,
        commands: &[Command::Dedupe],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Location,
        long: "location",
        aliases: &[],
        value: FlagValue::OneOf { name: "WHERE", choices: &[choice("user"), choice("project")] },
        help: "Change the user's .npmrc or the project's",
        group: FlagGroup::Files,
        commands: &[Command::Config],
        ..DEFAULT
    },
];
