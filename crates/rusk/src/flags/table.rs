//! The tables of commands and flags. Long and short names are bun's where bun has the flag. A flag
//! means the same in every command that accepts it.

mod commands;
mod concat;
mod flags;

use super::{CommandSpec, FlagSpec};
pub use commands::COMMANDS;
pub use flags::FLAGS;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    Install,
    Ci,
    Add,
    Remove,
    Update,
    Run,
    Exec,
    X,
    Trace,
    Pack,
    Cache,
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
    IfPresent,
    Package,
    Sysroot,
    Rw,
    Bind,
    Env,
    Workdir,
    User,
    Until,
    Collector,
    Processors,
    Compare,
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
    Linker,
    Backend,
    Force,
    NoVerify,
    Destination,
    Filename,
    GzipLevel,
    Silent,
    Verbose,
    Json,
    Timeline,
    Html,
    Output,
    Color,
    Cwd,
    Help,
    Version,
}

/// The commands that install packages into a project.
pub const INSTALL_COMMANDS: &[Command] =
    &[Command::Install, Command::Ci, Command::Add, Command::Remove, Command::Update];

/// The commands that may fetch packages.
pub const NETWORK_COMMANDS: &[Command] =
    &[Command::Install, Command::Ci, Command::Add, Command::Remove, Command::Update, Command::X];

/// The commands that use the cache.
pub const CACHE_COMMANDS: &[Command] = &[
    Command::Install,
    Command::Ci,
    Command::Add,
    Command::Remove,
    Command::Update,
    Command::X,
    Command::Cache,
];

/// The commands that can print their result as JSON.
pub const JSON_COMMANDS: &[Command] = &[
    Command::Install,
    Command::Ci,
    Command::Add,
    Command::Remove,
    Command::Update,
    Command::Run,
    Command::Trace,
    Command::Pack,
];

/// The commands that work in a project: install, or run a script or program.
pub const PROJECT_COMMANDS: &[Command] = &[
    Command::Install,
    Command::Ci,
    Command::Add,
    Command::Remove,
    Command::Update,
    Command::Run,
    Command::Exec,
    Command::X,
    Command::Trace,
    Command::Pack,
];

/// The commands that start a program by its name or path.
pub const PROGRAM_COMMANDS: &[Command] = &[Command::Exec, Command::Trace];

pub const ALL_COMMANDS: &[Command] = &[
    Command::Install,
    Command::Ci,
    Command::Add,
    Command::Remove,
    Command::Update,
    Command::Run,
    Command::Exec,
    Command::X,
    Command::Trace,
    Command::Pack,
    Command::Cache,
    Command::Completions,
    Command::Man,
    Command::Help,
];

/// The table's entry of a command.
pub fn command(command: Command) -> &'static CommandSpec {
    COMMANDS.iter().find(|spec| spec.command == command).expect("the table has an entry for every command")
}

/// The table's entry of a flag.
pub fn flag(flag: Flag) -> &'static FlagSpec {
    FLAGS.iter().find(|spec| spec.flag == flag).expect("the table has an entry for every flag")
}
