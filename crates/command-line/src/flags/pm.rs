//! `rusk pm COMMAND`: bun's spelling of commands that rusk has at the top level. In: the arguments.
//! Out: the arguments without `pm`, where a command of ours follows it.

use std::ffi::OsString;

use super::parse::find_command;

/// Words of bun that have another name here: what would be approved, and the approval.
const RENAMED: [(&str, &str); 2] = [("trust", "approve"), ("untrusted", "approve")];

/// Takes `pm` off; `pm cache` alone is `cache dir`, as with bun.
pub fn expand(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_pm = arguments.first().is_some_and(|first| first == "pm");
    if let Some(word) = arguments.get_mut(1).filter(|_| is_pm)
        && let Some((_, ours)) = RENAMED.iter().find(|(bun, _)| word == bun)
    {
        *word = (*ours).into();
    }
    let word = |at: usize| arguments.get(at).and_then(|argument: &OsString| argument.to_str());
    if word(0) != Some("pm") || word(1).and_then(find_command).is_none() {
        return arguments;
    }
    let is_cache_dir = word(1) == Some("cache") && word(2).is_none_or(|next| next.starts_with('-'));
    if is_cache_dir {
        arguments.insert(2, "dir".into());
    }
    arguments.remove(0);
    arguments
}

#[cfg(test)]
mod tests;
