//! What a configuration was read from. In: files as they are read, or looked for in vain. Out: all
//! of them, and whether their texts, together with the environment, say all there is to know.
//! Absent: what they say.

use std::path::{Path, PathBuf};

/// Variables that change from one terminal to the next and say nothing about installing.
pub const VOLATILE_VARIABLES: [&str; 16] = [
    "_",
    "COLORTERM",
    "COLUMNS",
    "GPG_TTY",
    "LINES",
    "OLDPWD",
    "PWD",
    "SHLVL",
    "SSH_CLIENT",
    "SSH_CONNECTION",
    "SSH_TTY",
    "TERM",
    "TERM_SESSION_ID",
    "TMUX_PANE",
    "WINDOW",
    "WINDOWID",
];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfigurationInputs {
    pub files: Vec<PathBuf>,
    /// Whether a text names one of [`VOLATILE_VARIABLES`] after all.
    pub uses_volatile: bool,
}

impl ConfigurationInputs {
    /// A file that was looked at, and its text.
    pub fn add_file(&mut self, path: &Path, text: &str) {
        self.add_lookup(path);
        let mut names = text.split('$').skip(1).map(|rest| rest.trim_start_matches('{'));
        self.uses_volatile |= names.any(|rest| {
            let end = rest.find(|at: char| !at.is_ascii_alphanumeric() && at != '_').unwrap_or(rest.len());
            VOLATILE_VARIABLES.contains(&&rest[..end])
        });
    }

    /// A file of which only counts whether it is there.
    pub fn add_lookup(&mut self, path: &Path) {
        self.files.push(path.to_owned());
    }
}

#[cfg(test)]
mod tests;
