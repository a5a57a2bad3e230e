//! Flags about the lockfile and package.json.

use super::DEFAULT;
use crate::flags::table::{Command, Flag};
use crate::flags::{FlagGroup, FlagSpec};

const LOCKFILE_ONLY_COMMANDS: &[Command] =
    &[Command::Install, Command::Add, Command::Remove, Command::Update, Command::Sbom];
/// `rusk link` saves only with `--save`.
const SAVE_COMMANDS: &[Command] =
    &[Command::Install, Command::Add, Command::Remove, Command::Update, Command::Link];
const DRY_RUN_COMMANDS: &[Command] = &[
    Command::Install,
    Command::Add,
    Command::Remove,
    Command::Update,
    Command::Audit,
    Command::Dedupe,
    Command::Prune,
    Command::Pack,
    Command::Publish,
    Command::Deprecate,
];

pub const LOCKFILE: &[FlagSpec] = &[
    FlagSpec {
        flag: Flag::FrozenLockfile,
        long: "frozen-lockfile",
        help: "Fail if the lockfile would change",
        group: FlagGroup::Lockfile,
        commands: &[Command::Install],
        conflicts: &[Flag::LockfileOnly, Flag::DryRun],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::LockfileOnly,
        long: "lockfile-only",
        aliases: &["package-lock-only"],
        help: "Write only the lockfile, leave node_modules alone",
        group: FlagGroup::Lockfile,
        commands: LOCKFILE_ONLY_COMMANDS,
        conflicts: &[Flag::DryRun, Flag::NoSave],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::DryRun,
        long: "dry-run",
        help: "Show what would change without writing anything",
        group: FlagGroup::Lockfile,
        commands: DRY_RUN_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::NoSave,
        long: "no-save",
        help: "Do not update package.json and the lockfile",
        group: FlagGroup::Lockfile,
        commands: SAVE_COMMANDS,
        ..DEFAULT
    },
];
