//! Errors of output.

use rusk_base::Problem;

/// `noun`: what a task runs. `causes`: how the failed ones ended. `unfinished`: those that were
/// stopped or not started.
pub(crate) fn tasks_failed(noun: &str, causes: &[String], total: usize, unfinished: usize) -> Problem {
    const CAUSES_MAX: usize = 20;
    let failed = causes.len();
    let mut problem = Problem::new("script-failed", format!("{failed} of {total} {noun}s failed"));
    for cause in causes.iter().take(CAUSES_MAX) {
        problem = problem.note(cause);
    }
    match unfinished {
        0 => problem,
        _ => problem
            .note(format!("{unfinished} stopped or not started"))
            .hint("`--no-exit-on-error` runs the others to their end"),
    }
}

pub(crate) fn output(error: std::io::Error) -> Problem {
    Problem::new("output", "cannot write to standard output").cause(error)
}
