//! Hint for a name that is no command and that the nearest package.json has as a script, as in
//! `rusk test`. In: the problem with the command line. Out: that problem, or a better one.

use std::ffi::OsString;

use rusk_base::Problem;
use rusk_scripts::Package;

use crate::{host, problem};

/// Names the script. Whatever goes wrong while package.json is read is not reported: the problem
/// with the command line comes first.
pub fn with_script(found: Problem, arguments: &[OsString]) -> Problem {
    let is_flag = |argument: &&OsString| argument.as_encoded_bytes().starts_with(b"-");
    let name = arguments.iter().find(|argument| !is_flag(argument)).and_then(|name| name.to_str());
    match name {
        Some(name) if found.code() == "unknown-command" && is_script(name) => {
            problem::script_without_run(name)
        }
        _ => found,
    }
}

/// Whether the nearest package.json has it.
pub fn is_script(name: &str) -> bool {
    let package = host::current_dir(None).and_then(|dir| Package::find(&dir)).ok().flatten();
    package.is_some_and(|package| package.scripts.find(name).is_ok_and(|script| script.is_some()))
}
