//! `bun --watch test`: flags of programs before the command; `jest --runInBand`: spellings of jest.
//! In: the arguments. Out: those of `rusk test`, where bun means the command.

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

/// Flags of jest, and what they are here.
const OF_JEST: [(&str, &str); 6] = [
    ("--runInBand", "--parallel=1"),
    ("-i", "--parallel=1"),
    ("--passWithNoTests", "--pass-with-no-tests"),
    ("--updateSnapshot", "--update-snapshots"),
    ("--testNamePattern", "--test-name-pattern"),
    ("--testTimeout", "--timeout"),
];

/// jest's number of workers, or their share of the processors in percent.
const WORKERS: [&str; 2] = ["--maxWorkers", "-w"];

pub fn expand(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_before = |argument: &OsString| BEFORE.iter().find(|(name, _)| argument == name);
    let count = arguments.iter().take_while(|argument| is_before(argument).is_some()).count();
    if arguments.get(count).is_none_or(|command| command != "test") {
        return arguments;
    }
    let after = arguments.split_off(count + 1);
    let moved = arguments.iter().filter_map(is_before).filter_map(|(_, name)| name.map(OsString::from));
    let dashes = after.iter().position(|argument| argument == "--").unwrap_or(after.len());
    let (flags, rest) = after.split_at(dashes);
    let expanded = flags_after(flags);
    [OsString::from("test")].into_iter().chain(moved).chain(expanded).chain(rest.iter().cloned()).collect()
}

fn flags_after(arguments: &[OsString]) -> Vec<OsString> {
    let mut expanded = Vec::new();
    let mut arguments = arguments.iter().peekable();
    while let Some(argument) = arguments.next() {
        let Some(text) = argument.to_str() else {
            expanded.push(argument.clone());
            continue;
        };
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        if AFTER.contains(&text) {
            continue;
        }
        if WORKERS.contains(&name) {
            let next = arguments.next_if(|next| value.is_none() && is_share(next));
            let count = value.or(next.and_then(|next| next.to_str()));
            expanded.push(count.map_or("--parallel".into(), |count| format!("--parallel={count}").into()));
            continue;
        }
        let ours = OF_JEST.iter().find(|(jest, _)| *jest == name).map(|(_, ours)| *ours);
        expanded.push(match (ours, value) {
            _ if text == "--hot" => "--watch".into(),
            (Some(ours), Some(value)) => format!("{ours}={value}").into(),
            (Some(ours), None) => ours.into(),
            (None, _) => argument.clone(),
        });
    }
    expanded
}

/// `4` or `50%`.
fn is_share(argument: &OsString) -> bool {
    let text = argument.to_str().unwrap_or_default();
    let digits = text.strip_suffix('%').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests;
