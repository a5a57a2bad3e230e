//! Flags that choose which packages are installed.

use super::{DEFAULT, choice};
use crate::flags::table::{Command, Flag, OMIT_COMMANDS, RESOLVING_COMMANDS};
use crate::flags::{Choice, FlagGroup, FlagSpec, FlagValue};

/// The commands that run lifecycle scripts.
const LIFECYCLE_COMMANDS: &[Command] = &[
    Command::Install,
    Command::Ci,
    Command::Add,
    Command::Remove,
    Command::Update,
    Command::Pack,
    Command::Version,
    Command::Publish,
];

pub const PACKAGES: &[FlagSpec] = &[
    FlagSpec {
        flag: Flag::Production,
        long: "production",
        aliases: &["prod"],
        short: &['p'],
        help: "Skip devDependencies",
        group: FlagGroup::Packages,
        commands: OMIT_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Omit,
        long: "omit",
        value: FlagValue::ManyOf {
            name: "GROUP",
            choices: &[choice("dev"), choice("optional"), choice("peer")],
        },
        help: "Skip a group of dependencies",
        group: FlagGroup::Packages,
        commands: OMIT_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Os,
        long: "os",
        value: FlagValue::ManyOf { name: "NAME", choices: OPERATING_SYSTEMS },
        help: "Install optional packages for this operating system",
        group: FlagGroup::Packages,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Cpu,
        long: "cpu",
        value: FlagValue::ManyOf { name: "NAME", choices: CPU_ARCHITECTURES },
        help: "Install optional packages for this CPU architecture",
        group: FlagGroup::Packages,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Libc,
        long: "libc",
        value: FlagValue::ManyOf {
            name: "NAME",
            choices: &[choice("glibc"), choice("musl"), Choice { name: "*", aliases: &["any"] }],
        },
        help: "Install optional packages for this C library",
        group: FlagGroup::Packages,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::EngineStrict,
        long: "engine-strict",
        help: "Fail if the `engines` of a package exclude the installed Node version",
        group: FlagGroup::Packages,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::MinimumReleaseAge,
        long: "minimum-release-age",
        value: FlagValue::Duration("TIME"),
        help: "Pass over versions that were published more recently; seconds, or `90m`, `12h`, `3d`, `2w`",
        group: FlagGroup::Packages,
        commands: RESOLVING_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::MinimumReleaseAgeExcludes,
        long: "minimum-release-age-excludes",
        value: FlagValue::String("NAMES"),
        help: "Packages that may be of any age: `left,@types/*,right@1.0.2`; repeatable",
        group: FlagGroup::Packages,
        commands: RESOLVING_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::IgnoreScripts,
        long: "ignore-scripts",
        help: "Do not run the project's lifecycle scripts",
        group: FlagGroup::Packages,
        commands: LIFECYCLE_COMMANDS,
        ..DEFAULT
    },
];

/// Node's names of operating systems, as in the `os` field of package.json.
const OPERATING_SYSTEMS: &[Choice] = &[
    choice("linux"),
    choice("darwin"),
    choice("win32"),
    choice("freebsd"),
    choice("openbsd"),
    choice("android"),
    choice("aix"),
    choice("sunos"),
    Choice { name: "*", aliases: &["any"] },
];

/// Node's names of CPU architectures, as in the `cpu` field of package.json.
const CPU_ARCHITECTURES: &[Choice] = &[
    choice("x64"),
    choice("arm64"),
    choice("arm"),
    choice("ia32"),
    choice("ppc64"),
    choice("ppc"),
    choice("s390x"),
    choice("s390"),
    choice("riscv64"),
    choice("loong64"),
    choice("mips"),
    choice("mipsel"),
    choice("x32"),
    Choice { name: "*", aliases: &["any"] },
];
