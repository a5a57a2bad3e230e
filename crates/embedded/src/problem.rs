//! Everything that can go wrong with single-file executables.

use std::path::Path;

use rusk_base::Problem;

pub(crate) fn unreadable(program: &Path, error: std::io::Error) -> Problem {
    Problem::new("single-file", format!("`{}` cannot be read", program.display())).cause(error)
}

pub(crate) fn damaged(program: &Path) -> Problem {
    let line = format!("`{}` is damaged: it lacks the files that it was built with", program.display());
    Problem::new("single-file", line).hint("build it again, and do not strip it")
}

pub(crate) fn no_slot(program: &Path) -> Problem {
    let line = format!("`{}` cannot be copied, expected rusk as it was built", program.display());
    Problem::new("single-file", line)
}

pub(crate) fn unwritable(path: &Path, error: std::io::Error) -> Problem {
    Problem::new("single-file", format!("`{}` cannot be written", path.display())).cause(error)
}
