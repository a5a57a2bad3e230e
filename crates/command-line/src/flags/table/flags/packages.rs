//! Flags that choose which packages are installed.

use super::{DEFAULT, choice};
use crate::flags::table::{
    CHOOSING_COMMANDS, Command, EXECUTE_COMMANDS, Flag, INSTALL_COMMANDS, OMIT_COMMANDS, PRODUCTION_COMMANDS,
    RESOLVING_COMMANDS,
};
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

/// The commands that run approved scripts of dependencies.
const DEPENDENCY_SCRIPT_COMMANDS: &[Command] = &[
    Command::Install,
    Command::Ci,
    Command::Add,
    Command::Remove,
    Command::Update,
    Command::Approve,
    Command::Rebuild,
    Command::X,
    Command::Create,
];

const INCLUDE_COMMANDS: &[Command] = &[
    Command::Install,
    Command::Ci,
    Command::Add,
    Command::Remove,
    Command::Update,
    Command::Prune,
    Command::Fetch,
];

const APPROVE_COMMAND: &[Command] = &[Command::Approve];

/// Packages whose scripts run at the same time: more than any machine has processors.
const CONCURRENT_SCRIPTS_MAX: u32 = 1024;

pub const PACKAGES: &[FlagSpec] = &[
    FlagSpec {
        flag: Flag::Production,
        long: "production",
        aliases: &["prod"],
        short: &['p'],
        help: "Skip devDependencies",
        group: FlagGroup::Packages,
        commands: PRODUCTION_COMMANDS,
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
        flag: Flag::Include,
        long: "include",
        value: FlagValue::ManyOf {
            name: "GROUP",
            choices: &[choice("prod"), choice("dev"), choice("optional"), choice("peer")],
        },
        help: "Install a group of dependencies, whatever --omit and the configuration say",
        group: FlagGroup::Packages,
        commands: INCLUDE_COMMANDS,
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
        flag: Flag::TrustPolicy,
        long: "trust-policy",
        value: FlagValue::OneOf { name: "POLICY", choices: &[choice("no-downgrade"), choice("off")] },
        help: "What happens with versions that lost the provenance of earlier ones: refused, or nothing",
        group: FlagGroup::Packages,
        commands: RESOLVING_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::TrustPolicyExcludes,
        long: "trust-policy-excludes",
        value: FlagValue::String("NAMES"),
        help: "Packages that the trust policy does not apply to: `left,right@1.0.2`; repeatable",
        group: FlagGroup::Packages,
        commands: RESOLVING_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::IgnoreScripts,
        long: "ignore-scripts",
        help: "Do not run lifecycle scripts, not even approved ones",
        group: FlagGroup::Packages,
        commands: LIFECYCLE_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::AllowForeignSources,
        long: "allow-foreign-sources",
        help: "Let packages of a registry depend on repositories and URLs",
        group: FlagGroup::Packages,
        commands: CHOOSING_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::AllowUnverifiedTarballs,
        long: "allow-unverified-tarballs",
        help: "Install tarballs of other hosts than the registry without an integrity",
        group: FlagGroup::Packages,
        commands: CHOOSING_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::VerifySignatures,
        long: "verify-signatures",
        help: "Verify that the registry signed each package, before any is linked",
        group: FlagGroup::Packages,
        commands: CHOOSING_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::NoJail,
        long: "no-jail",
        help: "Run approved scripts of dependencies unconfined",
        group: FlagGroup::Packages,
        commands: DEPENDENCY_SCRIPT_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::ConcurrentScripts,
        long: "concurrent-scripts",
        value: FlagValue::Count { name: "N", max: CONCURRENT_SCRIPTS_MAX },
        help: "Maximum number of packages whose scripts run at the same time",
        group: FlagGroup::Packages,
        commands: DEPENDENCY_SCRIPT_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::FailOnBlocked,
        long: "fail-on-blocked",
        help: "Fail if a package has install scripts that are not approved",
        group: FlagGroup::Packages,
        commands: INSTALL_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::AllowBuild,
        long: "allow-build",
        value: FlagValue::String("NAME"),
        help: "Run the install scripts of this package, in a jail; repeatable",
        group: FlagGroup::Packages,
        commands: EXECUTE_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Record,
        long: "record",
        help: "Run the scripts of these packages under a tracer, and propose the grants that they need",
        group: FlagGroup::Packages,
        commands: APPROVE_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::GrantNetwork,
        long: "network",
        help: "Grant the scripts of these packages the network",
        group: FlagGroup::Packages,
        commands: APPROVE_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::GrantConnect,
        long: "connect",
        value: FlagValue::String("HOST"),
        help: "Grant the scripts of these packages connections to a host (also HOST:PORT, *.DOMAIN); repeatable",
        group: FlagGroup::Packages,
        commands: APPROVE_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::GrantRead,
        long: "read",
        value: FlagValue::String("PATH"),
        help: "Grant the scripts of these packages reading a file or directory; repeatable",
        group: FlagGroup::Packages,
        commands: APPROVE_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::GrantWrite,
        long: "write",
        value: FlagValue::String("PATH"),
        help: "Grant the scripts of these packages writing a file or in a directory; repeatable",
        group: FlagGroup::Packages,
        commands: APPROVE_COMMAND,
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
