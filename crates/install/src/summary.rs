//! Results of an install, as values for the terminal and for `--json`.

use std::time::Duration;

use rusk_lockfiles::Format;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Changed direct dependencies of the project and its workspaces, by name.
    pub direct: Vec<Change>,
    /// Files of the project in which an update changed ranges, relative to it.
    pub rewritten: Vec<String>,
    /// Of a dry run and of `rusk dedupe`: other packages that change or go.
    pub locations: Vec<LocationChange>,
    /// Packages in node_modules, without workspaces.
    pub installed: usize,
    pub added: usize,
    pub changed: usize,
    pub removed: usize,
    /// Packages whose install scripts were not run: `name@version`, sorted.
    pub scripts_held_back: Vec<String>,
    /// `ignore-scripts`: approved scripts are among those that were not run.
    pub scripts_ignored: bool,
    /// Packages whose approved scripts ran: `name@version`, sorted.
    pub scripts_run: Vec<String>,
    /// Names whose scripts were to run again, and of which no package's did.
    pub scripts_not_rerun: Vec<String>,
    pub lockfile: LockfileOutcome,
    /// Its format.
    pub lockfile_format: Format,
    /// Tarballs fetched and their compressed bytes.
    pub fetched: usize,
    pub fetched_bytes: u64,
    pub times: Times,
}

/// A direct dependency before and after; `None` where it was not, or is no longer, declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub name: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// A package in node_modules, by its path in the project; `None`: it is removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocationChange {
    pub path: String,
    pub after: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LockfileOutcome {
    #[default]
    Unchanged,
    Written,
    /// There are no dependencies any more; bun removes the lockfile then, too.
    Removed,
    /// `--dry-run` or `--no-save`: it would have been written.
    Withheld,
}

impl LockfileOutcome {
    /// For a run that writes nothing.
    pub fn withheld(is_new: bool) -> LockfileOutcome {
        if is_new { LockfileOutcome::Withheld } else { LockfileOutcome::Unchanged }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    pub resolve: Duration,
    pub fetch: Duration,
    pub link: Duration,
    pub scripts: Duration,
    pub total: Duration,
}
