//! Everything that can go wrong with a script or a program.

use std::io;
use std::path::Path;

use rusk_base::Problem;

use crate::Exit;

/// The user's own work went wrong: the only code here that ends an install with 1.
/// A signal that this process received.
pub fn script_interrupted(name: &str, signal: i32) -> Problem {
    Problem::new("script-interrupted", format!("signal {signal} ended script `{name}`")).ended_by(signal)
}

pub fn script_failed(name: &str, command: &str, directory: &Path, exit: Exit) -> Problem {
    let expected = if let Exit::Code(_) = exit { ", expected 0" } else { "" };
    let problem = Problem::new("script-failed", format!("script `{name}` ended with {exit}{expected}"))
        .note(format!("command: `{command}`"))
        .note(format!("directory: `{}`", directory.display()));
    match (command, exit) {
        ("node-gyp rebuild", Exit::Code(127)) => problem.hint("run `rusk add -D node-gyp --ignore-scripts`"),
        _ => problem,
    }
}

pub fn script_start(name: &str, directory: &Path, error: io::Error) -> Problem {
    Problem::new("script-start", format!("cannot start script `{name}` in `{}`", directory.display()))
        .cause(error)
}

pub fn program_start(file: &Path, directory: &Path, error: io::Error) -> Problem {
    Problem::new("program-start", format!("cannot start `{}` in `{}`", file.display(), directory.display()))
        .cause(error)
}

pub fn bad_script_expression(text: &str, error: &str) -> Problem {
    Problem::new("script-expression", format!("`{text}` is not a regular expression of scripts: {error}"))
        .hint("write `/EXPRESSION/` without flags, as in JavaScript")
}
