//! Exit codes, for the manual and the documentation, and the code of each error.

use rusk_base::Problem;

/// An exit code of rusk.
pub struct ExitCode {
    /// The number, or `any`.
    pub code: &'static str,
    /// When rusk exits with it, in full sentences.
    pub meaning: &'static str,
}

pub const EXIT_CODES: &[ExitCode] = &[
    ExitCode { code: "0", meaning: "Success." },
    ExitCode {
        code: "1",
        meaning: "The user's own work failed: a script of the project, a test, a build, a program with an uncaught \
                  error. Or a command found what it looks for: rusk audit vulnerable packages, rusk dedupe --check \
                  duplicates, rusk trace --compare a difference.",
    },
    ExitCode {
        code: "2",
        meaning: "rusk could not do its work: a wrong flag, a version that does not exist, no network. The project is \
                  unchanged.",
    },
    ExitCode { code: "9", meaning: "A file that --env-file names does not exist, as in Node." },
    ExitCode {
        code: "any",
        meaning: "After rusk run, exec, x and trace, and after a program: the exit code of the script or program. If a \
                  signal ended it, the same signal ends rusk.",
    },
];

/// Errors in the user's own work.
const USER_FAILURES: &[&str] = &["script-failed"];

/// The exit code for an error.
pub fn of(problem: &Problem) -> u8 {
    match problem.code() {
        "no-env-file" => 9,
        code if USER_FAILURES.contains(&code) => 1,
        _ => 2,
    }
}
