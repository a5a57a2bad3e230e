//! Flags about files: cache, layout of node_modules, how files get there.

use super::{DEFAULT, choice};
use crate::flags::table::{CACHE_COMMANDS, Flag, LAYOUT_COMMANDS, NETWORK_COMMANDS};
use crate::flags::{Choice, FlagGroup, FlagSpec, FlagValue};

pub const FILES: &[FlagSpec] = &[
    FlagSpec {
        flag: Flag::CacheDir,
        long: "cache-dir",
        value: FlagValue::Path("PATH"),
        help: "Directory of the package store and the cache",
        group: FlagGroup::Files,
        commands: CACHE_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Linker,
        long: "linker",
        value: FlagValue::OneOf {
            name: "KIND",
            choices: &[choice("hoisted"), choice("isolated"), choice("global")],
        },
        help: "Layout of node_modules",
        group: FlagGroup::Files,
        commands: LAYOUT_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Backend,
        long: "backend",
        value: FlagValue::OneOf {
            name: "KIND",
            choices: &[
                choice("hardlink"),
                Choice { name: "clone", aliases: &["clonefile"] },
                Choice { name: "copy", aliases: &["copyfile"] },
            ],
        },
        help: "How files are put into node_modules",
        group: FlagGroup::Files,
        commands: NETWORK_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Force,
        long: "force",
        short: &['f'],
        help: "Ignore the cache and reinstall everything",
        group: FlagGroup::Files,
        commands: NETWORK_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::NoVerify,
        long: "no-verify",
        help: "Do not verify the integrity of tarballs",
        group: FlagGroup::Files,
        commands: NETWORK_COMMANDS,
        ..DEFAULT
    },
];
