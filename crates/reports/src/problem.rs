//! Errors of reports.

use std::path::Path;

use rusk_base::Problem;

pub fn bad_timeline(file: &Path, found: &str) -> Problem {
    Problem::new("bad-timeline", format!("cannot write the timeline to `{}`: {found}", file.display()))
}

pub fn bad_report(file: &Path, found: &str) -> Problem {
    Problem::new(
        "bad-report",
        format!("`{}` is not a report of `rusk trace --json`: {found}", file.display()),
    )
}
