//! Every flag, in the order in which the help shows them.

use super::{ANSWERING, CACHING, Command, EVERY, FETCHING, Flag, INSTALLING, STARTING, WORKING};
use crate::flags::{FlagRow, Group, Takes, Word};

/// More sockets than this pass the 1,024 open files that many systems allow a process.
const NETWORK_CONCURRENCY_MAX: u32 = 1000;

const CHANGING: &[Command] = &[Command::Install, Command::Add, Command::Remove, Command::Update];
const TRACING: &[Command] = &[Command::Trace];
const ADDING: &[Command] = &[Command::Add, Command::Install];

pub const FLAGS: &[FlagRow] = &[
    FlagRow {
        flag: Flag::Dev,
        long: "dev",
        also: &["development"],
        short: &['D', 'd'],
        takes: Takes::Switch,
        help: "Save to devDependencies",
        group: Group::Adding,
        commands: ADDING,
        conflicts: &[Flag::Optional, Flag::Peer],
    },
    FlagRow {
        flag: Flag::Optional,
        long: "optional",
        short: &['O'],
        takes: Takes::Switch,
        help: "Save to optionalDependencies",
        group: Group::Adding,
        commands: ADDING,
        conflicts: &[Flag::Peer],
        ..ROW
    },
    FlagRow {
        flag: Flag::Peer,
        long: "peer",
        takes: Takes::Switch,
        help: "Save to peerDependencies",
        group: Group::Adding,
        commands: ADDING,
        ..ROW
    },
    FlagRow {
        flag: Flag::Exact,
        long: "exact",
        short: &['E'],
        help: "Save the exact version, not a ^range",
        group: Group::Adding,
        commands: ADDING,
        ..ROW
    },
    FlagRow {
        flag: Flag::Latest,
        long: "latest",
        short: &['L'],
        help: "Go past the ranges in package.json and rewrite them",
        group: Group::Updating,
        commands: &[Command::Update],
        ..ROW
    },
    FlagRow {
        flag: Flag::IfPresent,
        long: "if-present",
        help: "Do nothing, and call it done, when there is no such script",
        group: Group::Running,
        commands: &[Command::Run],
        ..ROW
    },
    FlagRow {
        flag: Flag::Package,
        long: "package",
        short: &['p'],
        takes: Takes::Text("NAME"),
        help: "Take the program from this package; repeatable",
        group: Group::Running,
        commands: &[Command::X],
        ..ROW
    },
    FlagRow {
        flag: Flag::Sysroot,
        long: "sysroot",
        takes: Takes::Path("DIR"),
        help: "Run the program with this folder, or OCI image layout, as its root; what it writes there is kept in memory and \
               then forgotten",
        group: Group::Root,
        commands: STARTING,
        ..ROW
    },
    FlagRow {
        flag: Flag::Rw,
        long: "rw",
        takes: Takes::Switch,
        help: "Write to the root itself",
        group: Group::Root,
        commands: STARTING,
        ..ROW
    },
    FlagRow {
        flag: Flag::Bind,
        long: "bind",
        takes: Takes::Path("SRC:DST"),
        help: "Show a file or folder of this system at a path in the root, with `:ro` behind it to be read alone; repeatable",
        group: Group::Root,
        commands: STARTING,
        ..ROW
    },
    FlagRow {
        flag: Flag::Env,
        long: "env",
        takes: Takes::Text("NAME[=VALUE]"),
        help: "Set a variable in the root, or hand on the one here; repeatable",
        group: Group::Root,
        commands: STARTING,
        ..ROW
    },
    FlagRow {
        flag: Flag::Workdir,
        long: "workdir",
        takes: Takes::Path("DIR"),
        help: "Start in this folder of the root",
        group: Group::Root,
        commands: STARTING,
        ..ROW
    },
    FlagRow {
        flag: Flag::User,
        long: "user",
        takes: Takes::Text("USER[:GROUP]"),
        help: "Who the program is in the root: numbers, or names that the root knows",
        group: Group::Root,
        commands: STARTING,
        ..ROW
    },
    FlagRow {
        flag: Flag::Until,
        long: "until",
        takes: Takes::Text("WHEN"),
        help: "Watch until another program begins (exec), a socket is listened on (listen), the end (exit), or for so many \
               seconds",
        group: Group::Running,
        commands: TRACING,
        ..ROW
    },
    FlagRow {
        flag: Flag::Collector,
        long: "collector",
        takes: Takes::Choice { name: "KIND", words: &[word("auto"), word("bpf"), word("ptrace")] },
        help: "What sees the calls",
        group: Group::Running,
        commands: TRACING,
        ..ROW
    },
    FlagRow {
        flag: Flag::Processors,
        long: "processors",
        takes: Takes::Choice { name: "WHICH", words: &[word("one"), word("all")] },
        help: "Where the program runs while ptrace watches it",
        group: Group::Running,
        commands: TRACING,
        ..ROW
    },
    FlagRow {
        flag: Flag::Compare,
        long: "compare",
        takes: Takes::Switch,
        help: "Run nothing; set two reports written by --json beside each other",
        group: Group::Running,
        commands: TRACING,
        conflicts: &[Flag::Json, Flag::Html, Flag::Until, Flag::Collector, Flag::Processors],
        ..ROW
    },
    FlagRow {
        flag: Flag::Production,
        long: "production",
        also: &["prod"],
        short: &['p'],
        help: "Leave out devDependencies",
        group: Group::Packages,
        ..ROW
    },
    FlagRow {
        flag: Flag::Omit,
        long: "omit",
        takes: Takes::Choices { name: "GROUP", words: &[word("dev"), word("optional"), word("peer")] },
        help: "Leave out a group of dependencies",
        group: Group::Packages,
        ..ROW
    },
    FlagRow {
        flag: Flag::Os,
        long: "os",
        takes: Takes::Choices { name: "NAME", words: SYSTEMS },
        help: "Install optional packages for this system",
        group: Group::Packages,
        ..ROW
    },
    FlagRow {
        flag: Flag::Cpu,
        long: "cpu",
        takes: Takes::Choices { name: "NAME", words: PROCESSORS },
        help: "Install optional packages for this processor",
        group: Group::Packages,
        ..ROW
    },
    FlagRow {
        flag: Flag::Libc,
        long: "libc",
        takes: Takes::Choices {
            name: "NAME",
            words: &[word("glibc"), word("musl"), Word { word: "*", also: &["any"] }],
        },
        help: "Install optional packages for this C library",
        group: Group::Packages,
        ..ROW
    },
    FlagRow {
        flag: Flag::EngineStrict,
        long: "engine-strict",
        help: "Refuse packages whose engines this machine does not meet",
        group: Group::Packages,
        ..ROW
    },
    FlagRow {
        flag: Flag::IgnoreScripts,
        long: "ignore-scripts",
        help: "Run none of the project's install scripts",
        group: Group::Packages,
        ..ROW
    },
    FlagRow {
        flag: Flag::FrozenLockfile,
        long: "frozen-lockfile",
        help: "Stop if bun.lock would change",
        group: Group::Lockfile,
        commands: &[Command::Install],
        conflicts: &[Flag::LockfileOnly, Flag::DryRun],
        ..ROW
    },
    FlagRow {
        flag: Flag::LockfileOnly,
        long: "lockfile-only",
        help: "Write bun.lock and leave node_modules alone",
        group: Group::Lockfile,
        commands: CHANGING,
        conflicts: &[Flag::DryRun, Flag::NoSave],
        ..ROW
    },
    FlagRow {
        flag: Flag::DryRun,
        long: "dry-run",
        help: "Say what would change, write nothing",
        group: Group::Lockfile,
        commands: CHANGING,
        ..ROW
    },
    FlagRow {
        flag: Flag::NoSave,
        long: "no-save",
        help: "Leave package.json and bun.lock as they are",
        group: Group::Lockfile,
        commands: CHANGING,
        ..ROW
    },
    FlagRow {
        flag: Flag::Offline,
        long: "offline",
        help: "Never use the network, only the cache",
        group: Group::Network,
        commands: FETCHING,
        conflicts: &[Flag::PreferOffline, Flag::Force],
        ..ROW
    },
    FlagRow {
        flag: Flag::PreferOffline,
        long: "prefer-offline",
        help: "Use the cache whatever its age, fetch what it lacks",
        group: Group::Network,
        commands: FETCHING,
        conflicts: &[Flag::Force],
        ..ROW
    },
    FlagRow {
        flag: Flag::Registry,
        long: "registry",
        takes: Takes::Text("URL"),
        help: "The default registry for this run",
        group: Group::Network,
        commands: FETCHING,
        ..ROW
    },
    FlagRow {
        flag: Flag::NetworkConcurrency,
        long: "network-concurrency",
        takes: Takes::Count { name: "N", max: NETWORK_CONCURRENCY_MAX },
        help: "Requests under way at once",
        group: Group::Network,
        commands: FETCHING,
        ..ROW
    },
    FlagRow {
        flag: Flag::CacheDir,
        long: "cache-dir",
        takes: Takes::Path("PATH"),
        help: "Keep the store and the cache in this folder",
        group: Group::Files,
        commands: CACHING,
        ..ROW
    },
    FlagRow {
        flag: Flag::Linker,
        long: "linker",
        takes: Takes::Choice { name: "KIND", words: &[word("hoisted"), word("isolated"), word("global")] },
        help: "How packages lie in node_modules",
        group: Group::Files,
        ..ROW
    },
    FlagRow {
        flag: Flag::Backend,
        long: "backend",
        takes: Takes::Choice {
            name: "KIND",
            words: &[
                word("hardlink"),
                Word { word: "clone", also: &["clonefile"] },
                Word { word: "copy", also: &["copyfile"] },
            ],
        },
        help: "How files get into node_modules",
        group: Group::Files,
        commands: FETCHING,
        ..ROW
    },
    FlagRow {
        flag: Flag::Force,
        long: "force",
        short: &['f'],
        help: "Believe nothing that is installed or cached",
        group: Group::Files,
        commands: FETCHING,
        ..ROW
    },
    FlagRow {
        flag: Flag::NoVerify,
        long: "no-verify",
        help: "Do not check tarballs against their integrity",
        group: Group::Files,
        commands: FETCHING,
        ..ROW
    },
    FlagRow {
        flag: Flag::Silent,
        long: "silent",
        short: &['s'],
        help: "Print errors only",
        group: Group::Output,
        commands: WORKING,
        conflicts: &[Flag::Verbose],
        ..ROW
    },
    FlagRow {
        flag: Flag::Verbose,
        long: "verbose",
        help: "Print requests, decisions and phase times",
        group: Group::Output,
        commands: FETCHING,
        ..ROW
    },
    FlagRow {
        flag: Flag::Json,
        long: "json",
        help: "Print one JSON object at the end",
        group: Group::Output,
        commands: ANSWERING,
        ..ROW
    },
    FlagRow {
        flag: Flag::Timeline,
        long: "timeline",
        takes: Takes::Path("FILE"),
        help: "Draw where the time went, as an HTML page",
        group: Group::Output,
        ..ROW
    },
    FlagRow {
        flag: Flag::Html,
        long: "html",
        takes: Takes::Path("FILE"),
        help: "Draw the report as an HTML page",
        group: Group::Output,
        commands: TRACING,
        ..ROW
    },
    FlagRow {
        flag: Flag::Output,
        long: "output",
        short: &['o'],
        takes: Takes::Path("FILE"),
        help: "Write the report to this file",
        group: Group::Output,
        commands: TRACING,
        ..ROW
    },
    FlagRow {
        flag: Flag::Color,
        long: "color",
        takes: Takes::Choice { name: "WHEN", words: &[word("auto"), word("always"), word("never")] },
        help: "Colour the output",
        group: Group::Output,
        commands: EVERY,
        ..ROW
    },
    FlagRow {
        flag: Flag::Cwd,
        long: "cwd",
        takes: Takes::Path("PATH"),
        help: "Work as if started in this folder",
        commands: WORKING,
        ..ROW
    },
    FlagRow {
        flag: Flag::Help,
        long: "help",
        short: &['h'],
        takes: Takes::Switch,
        help: "Show this help",
        commands: EVERY,
        ..ROW
    },
    FlagRow {
        flag: Flag::Version,
        long: "version",
        short: &['v'],
        takes: Takes::Switch,
        help: "Print the version",
        commands: EVERY,
        ..ROW
    },
];

/// What a row is where it says nothing else.
const ROW: FlagRow = FlagRow {
    flag: Flag::Help,
    long: "",
    also: &[],
    short: &[],
    takes: Takes::Toggle,
    help: "",
    group: Group::General,
    commands: INSTALLING,
    conflicts: &[],
};

const fn word(word: &'static str) -> Word {
    Word { word, also: &[] }
}

/// Node's names for systems, as they stand in the `os` of a package.json.
const SYSTEMS: &[Word] = &[
    word("linux"),
    word("darwin"),
    word("win32"),
    word("freebsd"),
    word("openbsd"),
    word("android"),
    word("aix"),
    word("sunos"),
    Word { word: "*", also: &["any"] },
];

/// Node's names for processors, as they stand in the `cpu` of a package.json.
const PROCESSORS: &[Word] = &[
    word("x64"),
    word("arm64"),
    word("arm"),
    word("ia32"),
    word("ppc64"),
    word("ppc"),
    word("s390x"),
    word("s390"),
    word("riscv64"),
    word("loong64"),
    word("mips"),
    word("mipsel"),
    word("x32"),
    Word { word: "*", also: &["any"] },
];
