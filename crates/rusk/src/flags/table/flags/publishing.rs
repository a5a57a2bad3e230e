//! Flags of the commands that publish a package.

use super::DEFAULT;
use crate::flags::table::{Command, Flag};
use crate::flags::{FlagGroup, FlagSpec, FlagValue};

const PACK_COMMAND: &[Command] = &[Command::Pack];

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
        commands: PACK_COMMAND,
        ..DEFAULT
    },
];
