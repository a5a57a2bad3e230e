//! Errors that keep a program from running at all.

use rusk_base::Problem;
use rusk_base::sys::Errno;
use rusk_jsc::EngineError;

pub(crate) fn no_engine(unusable: &EngineError) -> Problem {
    let problem = Problem::new("no-engine", unusable.to_string());
    match unusable {
        EngineError::NotFound { dlerror: said, .. } => problem
            .note(said.clone())
            .hint("install it: `apt install libjavascriptcoregtk-4.1-0`, elsewhere `webkit2gtk-4.1`"),
        EngineError::TooOld { .. } => {
            problem.hint("upgrade `libjavascriptcoregtk-4.1-0`, or the distribution")
        }
        EngineError::MissingFunction { .. } => {
            problem.hint("install the distribution's own `libjavascriptcoregtk-4.1-0`")
        }
    }
}

pub(crate) fn no_loop(call: &str, error: Errno) -> Problem {
    Problem::new("no-loop", format!("cannot start the event loop: `{call}` failed"))
        .cause(std::io::Error::from(error))
}

pub(crate) fn wait_refused(error: Errno) -> Problem {
    Problem::new("no-loop", "cannot continue the event loop: `epoll_wait` failed")
        .cause(std::io::Error::from(error))
}
