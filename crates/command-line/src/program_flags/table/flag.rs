//! Flag of a program: its names, its help, and what it does. Absent: the flags (table.rs).

use rusk_runtime::PreloadKind;

/// A flag of a program.
pub struct ProgramFlag {
    /// All spellings; the help shows the first and the last.
    pub names: &'static [&'static str],
    /// What the help calls the value, if the flag has one.
    pub value_name: Option<&'static str>,
    pub help: &'static str,
    pub(in crate::program_flags) action: Action,
}

/// What a flag does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::program_flags) enum Action {
    Eval,
    Print,
    Preload(PreloadKind),
    /// A module of the runtime is loaded before the program, and reads the flag.
    PreloadInternal(&'static str),
    Condition,
    InputType,
    /// The JavaScript side of the runtime reads it from `process.execArgv`.
    Pass,
    /// As `Pass`, beside another flag.
    With(&'static str),
    /// As `Pass`, if the value is one of these.
    Choose(&'static [&'static str]),
    Define,
    EnvFile {
        must_exist: bool,
    },
    NoEnvFile,
    /// Files are tests, and their runner is the program.
    RunTests,
    Watch,
    WatchPath,
    KeepScreen,
    V8Options,
}
