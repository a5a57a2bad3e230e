//! The command-line reference as data, of which the manual and the documentation are made. In:
//! nothing. Out: tables of commands, flags, environment variables, files and exit codes.

mod environment;
pub mod exit_codes;
mod files;

pub use crate::flags::help::{PAGE_FLAGS, TAGLINE};
pub use crate::flags::table::{
    ALL_COMMANDS, COMMANDS, Command, FLAGS, Flag, INSTALL_COMMANDS, command, flag,
};
pub use crate::flags::{Choice, CommandSpec, FlagGroup, FlagSpec, FlagValue, Operands};
pub use crate::program_flags::{PROGRAM_FLAGS, ProgramFlag};
pub use environment::{ENVIRONMENT, EnvironmentVariable, Reader};
pub use exit_codes::{EXIT_CODES, ExitCode};
pub use files::{FILES, FileUse};
