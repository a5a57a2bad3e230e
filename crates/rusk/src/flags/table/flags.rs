//! The table of flags, in the order in which the help shows them.

use super::{
    ALL_COMMANDS, CACHE_COMMANDS, Command, Flag, INSTALL_COMMANDS, JSON_COMMANDS, NETWORK_COMMANDS,
    PROGRAM_COMMANDS, PROJECT_COMMANDS,
};
use crate::flags::{Choice, FlagGroup, FlagSpec, FlagValue};

/// More sockets would exceed the limit of 1,024 open files per process that many systems have.
const NETWORK_CONCURRENCY_MAX: u32 = 1000;

const EDIT_COMMANDS: &[Command] = &[Command::Install, Command::Add, Command::Remove, Command::Update];
const TRACE_COMMAND: &[Command] = &[Command::Trace];
const ADD_COMMANDS: &[Command] = &[Command::Add, Command::Install];

pub const FLAGS: &[FlagSpec] = &[
    FlagSpec {
        flag: Flag::Dev,
        long: "dev",
        aliases: &["development"],
        short: &['D', 'd'],
        value: FlagValue::Switch,
        help: "Save to devDependencies",
        group: FlagGroup::Adding,
        commands: ADD_COMMANDS,
        conflicts: &[Flag::Optional, Flag::Peer],
    },
    FlagSpec {
        flag: Flag::Optional,
        long: "optional",
        short: &['O'],
        value: FlagValue::Switch,
        help: "Save to optionalDependencies",
        group: FlagGroup::Adding,
        commands: ADD_COMMANDS,
        conflicts: &[Flag::Peer],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Peer,
        long: "peer",
        value: FlagValue::Switch,
        help: "Save to peerDependencies",
        group: FlagGroup::Adding,
        commands: ADD_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Exact,
        long: "exact",
        short: &['E'],
        help: "Save the exact version instead of a ^range",
        group: FlagGroup::Adding,
        commands: ADD_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Latest,
        long: "latest",
        short: &['L'],
        help: "Update beyond the ranges in package.json and rewrite them",
        group: FlagGroup::Updating,
        commands: &[Command::Update],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::IfPresent,
        long: "if-present",
        help: "Exit with success if the script does not exist",
        group: FlagGroup::Running,
        commands: &[Command::Run],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Package,
        long: "package",
        short: &['p'],
        value: FlagValue::String("NAME"),
        help: "Package that provides the program; repeatable",
        group: FlagGroup::Running,
        commands: &[Command::X],
        ..DEFAULT
    },
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
        commands: PROGRAM_COMMANDS,
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
    FlagSpec {
        flag: Flag::Until,
        long: "until",
        value: FlagValue::String("WHEN"),
        help: "End of the trace: the next exec (exec), a listening socket (listen), the end of the program (exit), or a number of seconds",
        group: FlagGroup::Running,
        commands: TRACE_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Collector,
        long: "collector",
        value: FlagValue::OneOf { name: "KIND", choices: &[choice("auto"), choice("bpf"), choice("ptrace")] },
        help: "Tracing backend",
        group: FlagGroup::Running,
        commands: TRACE_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Processors,
        long: "processors",
        value: FlagValue::OneOf { name: "WHICH", choices: &[choice("one"), choice("all")] },
        help: "CPU affinity while tracing with ptrace",
        group: FlagGroup::Running,
        commands: TRACE_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Compare,
        long: "compare",
        value: FlagValue::Switch,
        help: "Compare two reports that --json wrote, without running a program",
        group: FlagGroup::Running,
        commands: TRACE_COMMAND,
        conflicts: &[Flag::Json, Flag::Html, Flag::Until, Flag::Collector, Flag::Processors],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Production,
        long: "production",
        aliases: &["prod"],
        short: &['p'],
        help: "Skip devDependencies",
        group: FlagGroup::Packages,
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
        flag: Flag::IgnoreScripts,
        long: "ignore-scripts",
        help: "Do not run the project's lifecycle scripts",
        group: FlagGroup::Packages,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::FrozenLockfile,
        long: "frozen-lockfile",
        help: "Fail if bun.lock would change",
        group: FlagGroup::Lockfile,
        commands: &[Command::Install],
        conflicts: &[Flag::LockfileOnly, Flag::DryRun],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::LockfileOnly,
        long: "lockfile-only",
        help: "Update bun.lock but not node_modules",
        group: FlagGroup::Lockfile,
        commands: EDIT_COMMANDS,
        conflicts: &[Flag::DryRun, Flag::NoSave],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::DryRun,
        long: "dry-run",
        help: "Show what would change without writing anything",
        group: FlagGroup::Lockfile,
        commands: EDIT_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::NoSave,
        long: "no-save",
        help: "Do not update package.json and bun.lock",
        group: FlagGroup::Lockfile,
        commands: EDIT_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Offline,
        long: "offline",
        help: "Install from the cache only, never use the network",
        group: FlagGroup::Network,
        commands: NETWORK_COMMANDS,
        conflicts: &[Flag::PreferOffline, Flag::Force],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::PreferOffline,
        long: "prefer-offline",
        help: "Use cached metadata of any age; fetch only what is missing",
        group: FlagGroup::Network,
        commands: NETWORK_COMMANDS,
        conflicts: &[Flag::Force],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Registry,
        long: "registry",
        value: FlagValue::String("URL"),
        help: "URL of the default registry",
        group: FlagGroup::Network,
        commands: NETWORK_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::NetworkConcurrency,
        long: "network-concurrency",
        value: FlagValue::Count { name: "N", max: NETWORK_CONCURRENCY_MAX },
        help: "Maximum number of concurrent requests",
        group: FlagGroup::Network,
        commands: NETWORK_COMMANDS,
        ..DEFAULT
    },
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
    FlagSpec {
        flag: Flag::Silent,
        long: "silent",
        short: &['s'],
        help: "Print errors only",
        group: FlagGroup::Output,
        commands: PROJECT_COMMANDS,
        conflicts: &[Flag::Verbose],
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Verbose,
        long: "verbose",
        help: "Print requests, decisions and the duration of phases",
        group: FlagGroup::Output,
        commands: NETWORK_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Json,
        long: "json",
        help: "Print the result as one JSON object",
        group: FlagGroup::Output,
        commands: JSON_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Timeline,
        long: "timeline",
        value: FlagValue::Path("FILE"),
        help: "Write a timeline of the install as an HTML page",
        group: FlagGroup::Output,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Html,
        long: "html",
        value: FlagValue::Path("FILE"),
        help: "Write the trace report as an HTML page",
        group: FlagGroup::Output,
        commands: TRACE_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Output,
        long: "output",
        short: &['o'],
        value: FlagValue::Path("FILE"),
        help: "Write the trace report to this file",
        group: FlagGroup::Output,
        commands: TRACE_COMMAND,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Color,
        long: "color",
        value: FlagValue::OneOf {
            name: "WHEN",
            choices: &[choice("auto"), choice("always"), choice("never")],
        },
        help: "Use colors in the output",
        group: FlagGroup::Output,
        commands: ALL_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Cwd,
        long: "cwd",
        value: FlagValue::Path("PATH"),
        help: "Run as if started in this directory",
        commands: PROJECT_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Help,
        long: "help",
        short: &['h'],
        value: FlagValue::Switch,
        help: "Show help",
        commands: ALL_COMMANDS,
        ..DEFAULT
    },
    FlagSpec {
        flag: Flag::Version,
        long: "version",
        short: &['v'],
        value: FlagValue::Switch,
        help: "Print the version",
        commands: ALL_COMMANDS,
        ..DEFAULT
    },
];

/// The defaults of a row.
const DEFAULT: FlagSpec = FlagSpec {
    flag: Flag::Help,
    long: "",
    aliases: &[],
    short: &[],
    value: FlagValue::Negatable,
    help: "",
    group: FlagGroup::General,
    commands: INSTALL_COMMANDS,
    conflicts: &[],
};

const fn choice(name: &'static str) -> Choice {
    Choice { name, aliases: &[] }
}

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
