//! `bun --watch test`: flags of programs before the command. In: the arguments. Out: those of
//! `rusk test`, where bun means the command.

use std::ffi::OsString;

/// Flags of bun's before `test`, and what they are after it. `--bun` and `--smol` choose what rusk
/// does anyway; a test file is never loaded anew within its process, so `--hot` runs it again.
const BEFORE: [(&str, Option<&str>); 6] = [
    ("--watch", Some("--watch")),
    ("--hot", Some("--watch")),
    ("--bun", None),
    ("-b", None),
    ("--smol", None),
    ("--no-clear-screen", Some("--no-clear-screen")),
];

/// Flags after `test` that ask for what rusk does anyway: bun's, and jest's for a line per test.
const AFTER: [&str; 6] =
    ["--bun", "--smol", "--verbose", "--prefer-offline", "--frozen-lockfile", "--no-install"];

pub fn expand(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_before = |argument: &OsString| BEFORE.iter().find(|(name, _)| argument == name);
    let count = arguments.iter().take_while(|argument| is_before(argument).is_some()).count();
    if arguments.get(count).is_none_or(|command| command != "test") {
        return arguments;
    }
    let after = arguments.split_off(count + 1);
    let moved = arguments.iter().filter_map(is_before).filter_map(|(_, name)| name.map(OsString::from));
    let dashes = after.iter().position(|argument| argument == "--").unwrap_or(after.len());
    let is_used =
        |(at, argument): &(usize, &OsString)| *at >= dashes || !AFTER.iter().any(|name| argument == name);
    let after = after.iter().enumerate().filter(is_used).map(|(at, argument)| match argument {
        argument if at < dashes && argument == "--hot" => "--watch".into(),
        argument => argument.clone(),
    });
    [OsString::from("test")].into_iter().chain(moved).chain(after).collect()
}

#[cfg(test)]
mod tests;
