//! Files that a configuration was read from. In: files as they are read or looked up. Out: their
//! paths, and whether their contents together with the environment determine the configuration.
//! Absent: parsing.

use std::path::{Path, PathBuf};

/// Environment variables that differ between terminals and do not affect an install.
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
    /// Whether a file refers to one of [`VOLATILE_VARIABLES`] after all.
    pub uses_volatile: bool,
}

impl ConfigurationInputs {
    /// Adds a file that was read, and its contents.
    pub fn add_file(&mut self, path: &Path, text: &str) {
        self.add_lookup(path);
        let mut names = text.split('$').skip(1).map(|rest| rest.trim_start_matches('{'));
        self.uses_volatile |= names.any(|rest| {
            let end = rest.find(|at: char| !at.is_ascii_alphanumeric() && at != '_').unwrap_or(rest.len());
            VOLATILE_VARIABLES.contains(&&rest[..end])
        });
    }

    /// Adds a file of which only the existence matters.
    pub fn add_lookup(&mut self, path: &Path) {
        self.files.push(path.to_owned());
    }
}

#[cfg(test)]
mod tests;
