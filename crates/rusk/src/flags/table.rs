//! The table: every command and every flag of `rusk`, once. Names and letters are bun's where bun has them.
//! A flag means the same in every command that takes it.

use super::{CommandRow, FlagRow, Group, Takes, Word, Words};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    Install,
    Ci,
    Add,
    Remove,
    Update,
    Completions,
    Man,
    Help,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flag {
    Dev,
    Optional,
    Peer,
    Exact,
    Latest,
    Production,
    Omit,
    Os,
    Cpu,
    Libc,
    EngineStrict,
    IgnoreScripts,
    FrozenLockfile,
    LockfileOnly,
    DryRun,
    NoSave,
    Offline,
    PreferOffline,
    Registry,
    NetworkConcurrency,
    CacheDir,
    Backend,
    Force,
    NoVerify,
    Silent,
    Verbose,
    Json,
    Color,
    Cwd,
    Help,
    Version,
}

/// More sockets than this pass the 1,024 open files that many systems allow a process.
const NETWORK_CONCURRENCY_MAX: u32 = 1000;

const INSTALLING: &[Command] =
    &[Command::Install, Command::Ci, Command::Add, Command::Remove, Command::Update];
const CHANGING: &[Command] = &[Command::Install, Command::Add, Command::Remove, Command::Update];
const ADDING: &[Command] = &[Command::Add, Command::Install];
pub const EVERY: &[Command] = &[
    Command::Install,
    Command::Ci,
    Command::Add,
    Command::Remove,
    Command::Update,
    Command::Completions,
    Command::Man,
    Command::Help,
];

pub const COMMANDS: &[CommandRow] = &[
    CommandRow {
        command: Command::Install,
        name: "install",
        also: &["i"],
        words: Words::Names { min: 0, shown: "[name[@range]...]" },
        summary: "Install what package.json asks for",
        about: "Reads package.json and bun.lock, resolves what the lockfile does not pin, and leaves bun.lock \
                and node_modules in step. With names it does what `rusk add` does.",
        examples: [
            ("Install the project in this folder", "rusk install"),
            ("Leave out development dependencies", "rusk install --production"),
        ],
    },
    CommandRow {
        command: Command::Ci,
        name: "ci",
        also: &[],
        words: Words::None,
        summary: "Install exactly what bun.lock pins, into a fresh node_modules",
        about: "Stops when bun.lock is missing or does not match package.json. Writes neither of them.",
        examples: [
            ("Install in continuous integration", "rusk ci"),
            ("As machine-readable JSON", "rusk ci --json"),
        ],
    },
    CommandRow {
        command: Command::Add,
        name: "add",
        also: &["a"],
        words: Words::Names { min: 1, shown: "<name[@range]>..." },
        summary: "Add packages to package.json and install them",
        about: "A package is a name, `name@range`, `alias@npm:name@range`, a folder, a tarball, a URL or a \
                repository.",
        examples: [
            ("Add two packages", "rusk add react react-dom"),
            ("Add an exact version for development", "rusk add -DE typescript@5.9.2"),
        ],
    },
    CommandRow {
        command: Command::Remove,
        name: "remove",
        also: &["rm", "uninstall"],
        words: Words::Names { min: 1, shown: "<name>..." },
        summary: "Remove packages from package.json and node_modules",
        about: "What nothing else wants any more disappears with them.",
        examples: [
            ("Remove one package", "rusk remove left-pad"),
            ("See what would go with it", "rusk remove left-pad --dry-run"),
        ],
    },
    CommandRow {
        command: Command::Update,
        name: "update",
        also: &["up", "upgrade"],
        words: Words::Names { min: 0, shown: "[name...]" },
        summary: "Move packages to the newest versions that package.json allows",
        about: "Without names, everything moves.",
        examples: [
            ("Update everything within its range", "rusk update"),
            ("Move two packages past their range", "rusk update --latest vite vitest"),
        ],
    },
    CommandRow {
        command: Command::Completions,
        name: "completions",
        also: &[],
        words: Words::OneOf(&["bash", "zsh", "fish"]),
        summary: "Print completions for a shell",
        about: "",
        examples: [
            ("For this bash", "source <(rusk completions bash)"),
            ("For every fish", "rusk completions fish > ~/.config/fish/completions/rusk.fish"),
        ],
    },
    CommandRow {
        command: Command::Man,
        name: "man",
        also: &[],
        words: Words::None,
        summary: "Print the manual page",
        about: "",
        examples: [
            ("Read it", "rusk man | man -l -"),
            ("Keep it", "rusk man > ~/.local/share/man/man1/rusk.1"),
        ],
    },
    CommandRow {
        command: Command::Help,
        name: "help",
        also: &[],
        words: Words::Command,
        summary: "Show help, for one command or for all",
        about: "",
        examples: [("All commands", "rusk help"), ("The flags of one", "rusk help add")],
    },
];

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
        conflicts: &[Flag::PreferOffline, Flag::Force],
        ..ROW
    },
    FlagRow {
        flag: Flag::PreferOffline,
        long: "prefer-offline",
        help: "Use the cache whatever its age, fetch what it lacks",
        group: Group::Network,
        conflicts: &[Flag::Force],
        ..ROW
    },
    FlagRow {
        flag: Flag::Registry,
        long: "registry",
        takes: Takes::Text("URL"),
        help: "The default registry for this run",
        group: Group::Network,
        ..ROW
    },
    FlagRow {
        flag: Flag::NetworkConcurrency,
        long: "network-concurrency",
        takes: Takes::Count { name: "N", max: NETWORK_CONCURRENCY_MAX },
        help: "Requests under way at once",
        group: Group::Network,
        ..ROW
    },
    FlagRow {
        flag: Flag::CacheDir,
        long: "cache-dir",
        takes: Takes::Path("PATH"),
        help: "Keep the store and the cache in this folder",
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
        ..ROW
    },
    FlagRow {
        flag: Flag::Force,
        long: "force",
        short: &['f'],
        help: "Believe nothing that is installed or cached",
        group: Group::Files,
        ..ROW
    },
    FlagRow {
        flag: Flag::NoVerify,
        long: "no-verify",
        help: "Do not check tarballs against their integrity",
        group: Group::Files,
        ..ROW
    },
    FlagRow {
        flag: Flag::Silent,
        long: "silent",
        help: "Print errors only",
        group: Group::Output,
        conflicts: &[Flag::Verbose],
        ..ROW
    },
    FlagRow {
        flag: Flag::Verbose,
        long: "verbose",
        help: "Print every request, decision and phase time",
        group: Group::Output,
        ..ROW
    },
    FlagRow {
        flag: Flag::Json,
        long: "json",
        help: "Print one JSON object at the end",
        group: Group::Output,
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

/// The row of a command.
pub fn command(command: Command) -> &'static CommandRow {
    COMMANDS.iter().find(|row| row.command == command).expect("the table has a row for every command")
}

/// The row of a flag.
pub fn flag(flag: Flag) -> &'static FlagRow {
    FLAGS.iter().find(|row| row.flag == flag).expect("the table has a row for every flag")
}
