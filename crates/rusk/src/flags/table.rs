//! The table: every command and every flag of `rusk`, once. Names and letters are bun's where bun
//! has them. A flag means the same in every command that takes it.

mod commands;
mod flags;

use super::{CommandRow, FlagRow};
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

/// The commands that end in an install.
pub const INSTALLING: &[Command] =
    &[Command::Install, Command::Ci, Command::Add, Command::Remove, Command::Update];

/// The commands that may fetch packages.
pub const FETCHING: &[Command] =
    &[Command::Install, Command::Ci, Command::Add, Command::Remove, Command::Update, Command::X];

/// The commands that have to do with the cache.
pub const CACHING: &[Command] = &[
    Command::Install,
    Command::Ci,
    Command::Add,
    Command::Remove,
    Command::Update,
    Command::X,
    Command::Cache,
];

/// The commands that answer with something a program can read.
pub const ANSWERING: &[Command] = &[
    Command::Install,
    Command::Ci,
    Command::Add,
    Command::Remove,
    Command::Update,
    Command::Run,
    Command::Trace,
];

/// Those, and the commands that start something of the project.
pub const WORKING: &[Command] = &[
    Command::Install,
    Command::Ci,
    Command::Add,
    Command::Remove,
    Command::Update,
    Command::Run,
    Command::Exec,
    Command::X,
    Command::Trace,
];

/// The commands that start a program wherever it is.
pub const STARTING: &[Command] = &[Command::Exec, Command::Trace];

pub const EVERY: &[Command] = &[
    Command::Install,
    Command::Ci,
    Command::Add,
    Command::Remove,
    Command::Update,
    Command::Run,
    Command::Exec,
    Command::X,
    Command::Trace,
    Command::Cache,
    Command::Completions,
    Command::Man,
    Command::Help,
];

/// The row of a command.
pub fn command(command: Command) -> &'static CommandRow {
    COMMANDS.iter().find(|row| row.command == command).expect("the table has a row for every command")
}

/// The row of a flag.
pub fn flag(flag: Flag) -> &'static FlagRow {
    FLAGS.iter().find(|row| row.flag == flag).expect("the table has a row for every flag")
}
