//! Names that are no command: the nearest package.json may have a script of that name (`rusk dev`),
//! or node_modules/.bin a program (`rusk eslint`). In: a name, or the error about it. Out: whether
//! it is a script, or the error with a hint.

use std::ffi::{OsStr, OsString};

use rusk_base::Problem;
use rusk_command_line::problem::program_no_command;
use rusk_scripts::{Package, find_in};

use crate::host;

/// Whether the nearest package.json has it. Whatever goes wrong while it is read is not reported:
/// the command line comes first.
pub fn is_script(name: &str) -> bool {
    let package = host::current_dir(None).and_then(|dir| Package::find(&dir)).ok().flatten();
    package.is_some_and(|package| package.scripts.find(name).is_ok_and(|script| script.is_some()))
}

/// Says how to run a program that was named as a command.
pub fn explained(problem: Problem, arguments: &[OsString]) -> Problem {
    let words = arguments.iter().filter_map(|argument| argument.to_str());
    match words.into_iter().find(|word| !word.starts_with('-')) {
        Some(name) if problem.code() == "unknown-command" && is_program(name) => program_no_command(name),
        _ => problem,
    }
}

fn is_program(name: &str) -> bool {
    let Ok(dir) = host::current_dir(None) else { return false };
    find_in(dir.ancestors().map(|dir| dir.join("node_modules/.bin")), OsStr::new(name)).is_some()
}
