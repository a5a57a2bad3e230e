//! Flags of the commands that publish a package.

use super::{DEFAULT, choice};
use crate::flags::table::{Command, Flag, REGISTRY_COMMANDS};
use crate::flags::{FlagGroup, FlagSpec, FlagValue};

const PACK_COMMAND: &[Command] = &[Command::Pack];
const PACK_COMMANDS: &[Command] = &[Command::Pack, Command::Publish];
const PUBLISH_COMMAND: &[Command] = &[Command::Publish];
const LOGIN_COMMAND: &[Command] = &[Command::Login];

pub const PUBLISHING: &[FlagSpec] = &[
    FlagSpec {
        flag: Flag::Destination,
        long: "destination",
        aliases: &["pack-destination"],
        value: FlagValue::Path("DIR"),
        help: "Directory in which the tarball is written",
        group: FlagGroup::Publishing,
        commands: PACK_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Filename,
        long: "filename",
        value: FlagValue::Path("FILE"),
        help: "Path of the tarball",
        group: FlagGroup::Publishing,
        commands: PACK_COMMAND,
        conflicts: &[Flag::Destination],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::GzipLevel,
        long: "gzip-level",
        value: FlagValue::Count { name: "LEVEL", max: 9 },
        help: "Compression of the tarball, 1 to 9",
        group: FlagGroup::Publishing,
        commands: PACK_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Tag,
        long: "tag",
        value: FlagValue::String("TAG"),
        help: "Dist-tag of the published version instead of `latest`",
        group: FlagGroup::Publishing,
        commands: PUBLISH_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Access,
        long: "access",
        value: FlagValue::OneOf { name: "WHO", choices: &[choice("public"), choice("restricted")] },
        help: "Who may read a scoped package",
        group: FlagGroup::Publishing,
        commands: PUBLISH_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::TolerateRepublish,
        long: "tolerate-republish",
        help: "Exit with success if the version is published already",
        group: FlagGroup::Publishing,
        commands: PUBLISH_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Provenance,
        long: "provenance",
        help: "Publish a signed statement of the CI job that built it",
        group: FlagGroup::Publishing,
        commands: PUBLISH_COMMAND,
        conflicts: &[Flag::ProvenanceFile],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::ProvenanceFile,
        long: "provenance-file",
        value: FlagValue::Path("FILE"),
        help: "Publish this signed statement, a bundle of Sigstore",
        group: FlagGroup::Publishing,
        commands: PUBLISH_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Otp,
        long: "otp",
        value: FlagValue::String("CODE"),
        help: "One-time password of two-factor authentication",
        group: FlagGroup::Publishing,
        commands: REGISTRY_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Scope,
        long: "scope",
        value: FlagValue::String("@SCOPE"),
        help: "Use the registry for packages of this scope",
        group: FlagGroup::Publishing,
        commands: LOGIN_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::AuthType,
        long: "auth-type",
        value: FlagValue::OneOf { name: "TYPE", choices: &[choice("web"), choice("legacy")] },
        help: "Log in with a browser, or with name and password",
        group: FlagGroup::Publishing,
        commands: LOGIN_COMMAND,
        ..DEFAULT
    },
];
