//! Flags of a root file system of its own.

use super::DEFAULT;
use crate::flags::table::{ENV_COMMANDS, Flag, PROGRAM_COMMANDS};
use crate::flags::{FlagGroup, FlagSpec, FlagValue};

pub const ROOT: &[FlagSpec] = &[
    FlagSpec {
        flag: Flag::Sysroot,
        long: "sysroot",
        value: FlagValue::Path("DIR"),
        help: "Run the program with this directory or OCI image layout as its root; writes stay in memory",
        group: FlagGroup::Root,
        commands: PROGRAM_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Rw,
        long: "rw",
        value: FlagValue::Switch,
        help: "Write changes to the --sysroot directory itself",
        group: FlagGroup::Root,
        commands: PROGRAM_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Bind,
        long: "bind",
        value: FlagValue::Path("SRC:DST"),
        help: "Mount a file or directory of the host at a path in the --sysroot, read-only if `:ro` follows; repeatable",
        group: FlagGroup::Root,
        commands: PROGRAM_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Env,
        long: "env",
        value: FlagValue::String("NAME[=VALUE]"),
        help: "Set an environment variable in the --sysroot, or pass on the current one; repeatable",
        group: FlagGroup::Root,
        commands: ENV_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Workdir,
        long: "workdir",
        value: FlagValue::Path("DIR"),
        help: "Working directory of the program in the --sysroot",
        group: FlagGroup::Root,
        commands: PROGRAM_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::User,
        long: "user",
        value: FlagValue::String("USER[:GROUP]"),
        help: "User (and group) to run as in the --sysroot: IDs, or names from its etc/passwd and etc/group",
        group: FlagGroup::Root,
        commands: PROGRAM_COMMANDS,
        ..DEFAULT
    },
];
