//! `rusk pm COMMAND`: bun's spelling of commands that rusk has at the top level. In: the arguments.
//! Out: the arguments without `pm`, where a command of ours follows it.

use std::ffi::OsString;

use super::parse::find_command;

/// Words of bun that have another name here: what would be approved, and the approval; the search
/// for vulnerable packages.
pub const RENAMED: [(&str, &str); 3] = [("trust", "approve"), ("untrusted", "approve"), ("scan", "audit")];

/// Sub-commands of bun's that rusk does not have, and why. Sorted by name.
const ABSENT: [(&str, &str); 5] = [
    ("default-trusted", "no package is trusted from the start: `rusk approve` lists what asks to run"),
    ("diff", "`rusk pack` of both versions, or `npm diff`, compares them"),
    ("hash", NO_HASH),
    ("hash-print", NO_HASH),
    ("hash-string", NO_HASH),
];
const NO_HASH: &str = "bun.lock has no hash of itself: compare the file";

/// Before the name of a sub-command, in errors.
pub const PREFIX: &str = "pm ";

/// What to use instead of a sub-command that rusk does not have.
pub fn absent(name: &str) -> Option<&'static str> {
    ABSENT.iter().find(|(absent, _)| *absent == name).map(|(_, advice)| *advice)
}

/// Takes `pm` off; `pm cache` alone is `cache dir`, and `pm cache rm` without a name `cache clear`,
/// as with bun.
pub fn expand(mut arguments: Vec<OsString>) -> Vec<OsString> {
    // `rusk help pm trust` is `rusk help approve`.
    if arguments.starts_with(&["help".into(), "pm".into()]) {
        let mut about = expand(arguments.split_off(1));
        if about.first().is_some_and(|command| command != "pm") {
            about.truncate(1);
        }
        arguments.extend(about);
        return arguments;
    }
    let is_pm = arguments.first().is_some_and(|first| first == "pm");
    if let Some(word) = arguments.get_mut(1).filter(|_| is_pm)
        && let Some((_, ours)) = RENAMED.iter().find(|(bun, _)| word == bun)
    {
        *word = (*ours).into();
    }
    let word = |at: usize| arguments.get(at).and_then(|argument: &OsString| argument.to_str());
    if let Some(absent) = word(1).filter(|name| is_pm && absent(name).is_some()) {
        // One word, which the error names.
        return vec![format!("{PREFIX}{absent}").into()];
    }
    if word(0) != Some("pm") || word(1).and_then(find_command).is_none() {
        return arguments;
    }
    let is_cache_dir = word(1) == Some("cache") && word(2).is_none_or(|next| next.starts_with('-'));
    if is_cache_dir {
        arguments.insert(2, "dir".into());
    } else if word(1) == Some("cache")
        && matches!(word(2), Some("rm" | "remove"))
        && word(3).is_none_or(|next| next.starts_with('-'))
    {
        arguments[2] = "clear".into();
    }
    arguments.remove(0);
    arguments
}

#[cfg(test)]
mod tests;
