//! Everything that can go wrong when tests are run; what fails in tests is in reports.

use std::io;
use std::path::Path;

use rusk_base::Problem;

pub fn no_worker(step: &'static str, error: impl Into<io::Error>) -> Problem {
    let error = error.into();
    Problem::new("no-test-worker", format!("no process can run tests: `{step}` failed")).cause(error)
}

pub fn parent_ended() -> Problem {
    Problem::new("test-parent-ended", "the process that has started this run has ended, and so does the run")
        .note("`--no-orphans` asks for it")
}

pub fn output_closed(error: io::Error) -> Problem {
    Problem::new("output-closed", "the report was not read to its end: standard output or error is closed")
        .cause(error)
}

pub fn report_not_written(path: &Path, error: io::Error) -> Problem {
    Problem::new("report-not-written", format!("the report `{}` cannot be written", path.display()))
        .cause(error)
}

pub fn bad_timings(path: &Path, what: &str) -> Problem {
    Problem::new("bad-timings", format!("`{}` is not a file of timings: {what}", path.display()))
        .hint("remove it; `rusk test --update-timings` writes a new one")
}
