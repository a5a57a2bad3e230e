//! What a configuration was read from. In: files as they are read, or looked for in vain. Out: all
//! of them, and whether their texts, together with the environment, say all there is to know.
//! Absent: what they say.

use std::path::{Path, PathBuf};

/// Variables that change from one terminal to the next and say nothing about installing.
pub const PASSING: [&str; 16] = [
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
pub struct Noted {
    pub files: Vec<PathBuf>,
    /// Whether a text names one of [`PASSING`] after all.
    pub names_passing: bool,
}

impl Noted {
    /// A file that was looked at, and its text.
    pub fn read(&mut self, path: &Path, text: &str) {
        self.looked_for(path);
        let mut names = text.split('$').skip(1).map(|rest| rest.trim_start_matches('{'));
        self.names_passing |= names.any(|rest| {
            let end = rest.find(|at: char| !at.is_ascii_alphanumeric() && at != '_').unwrap_or(rest.len());
            PASSING.contains(&&rest[..end])
        });
    }

    /// A file of which only counts whether it is there.
    pub fn looked_for(&mut self, path: &Path) {
        self.files.push(path.to_owned());
    }
}

#[cfg(test)]
mod tests;
