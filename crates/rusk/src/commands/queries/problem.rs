//! Errors of the commands that read what is installed.

use rusk_base::Problem;

pub fn no_lockfile(file: &str) -> Problem {
    Problem::new("no-lockfile", format!("there is no {file}, which says what is installed"))
        .hint("run `rusk install` first")
}

pub fn bad_range(argument: &str) -> Problem {
    Problem::new("bad-range", format!("the part of `{argument}` after `@` is not a version range"))
}

/// `what`: the arguments.
pub fn not_installed(what: &str) -> Problem {
    Problem::new("not-installed", format!("no package in the lockfile matches {what}"))
}
