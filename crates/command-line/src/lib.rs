//! The command line as data: commands, flags, environment variables, files and exit codes, and the
//! parsers of arguments. In: arguments. Out: an [`Invocation`](flags::Invocation) of a command or a
//! [`ProgramInvocation`](program_flags::ProgramInvocation); help, completions and the manual as
//! text. Absent: printing, the environment, what a command does.

pub mod flags;
pub mod problem;
pub mod program_flags;
pub mod reference;
