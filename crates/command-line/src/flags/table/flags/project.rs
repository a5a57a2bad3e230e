//! Flags of the commands that create and version a package.

use super::DEFAULT;
use crate::flags::table::{Command, Flag};
use crate::flags::{FlagGroup, FlagSpec, FlagValue};

const INIT_COMMAND: &[Command] = &[Command::Init];
const VERSION_COMMAND: &[Command] = &[Command::Version];

pub const PROJECT: &[FlagSpec] = &[
    FlagSpec {
        flag: Flag::Preid,
        long: "preid",
        value: FlagValue::String("NAME"),
        help: "Identifier of a prerelease, such as `beta` in `1.0.0-beta.0`",
        group: FlagGroup::Publishing,
        commands: VERSION_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::NoGitTagVersion,
        long: "no-git-tag-version",
        help: "Make no git commit and no tag",
        group: FlagGroup::Publishing,
        commands: VERSION_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Message,
        long: "message",
        short: &['m'],
        value: FlagValue::String("TEXT"),
        help: "Message of the commit and the tag; `%s` is the version",
        group: FlagGroup::Publishing,
        commands: VERSION_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::AllowSameVersion,
        long: "allow-same-version",
        help: "Accept the version that package.json has already",
        group: FlagGroup::Publishing,
        commands: VERSION_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Yes,
        long: "yes",
        short: &['y'],
        value: FlagValue::Switch,
        help: "Take the default of every question",
        commands: &[Command::Init, Command::X],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::React,
        long: "react",
        value: FlagValue::Optional("STYLE"),
        help: "Create a React application with its server; STYLE: tailwind or shadcn",
        group: FlagGroup::Files,
        commands: INIT_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Library,
        long: "library",
        value: FlagValue::Switch,
        help: "Create a library with a test",
        group: FlagGroup::Files,
        commands: INIT_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Minimal,
        long: "minimal",
        short: &['m'],
        value: FlagValue::Switch,
        help: "Create only package.json",
        group: FlagGroup::Files,
        commands: INIT_COMMAND,
        ..DEFAULT
    },
];
