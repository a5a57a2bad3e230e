//! `RUSK_STARTUP_TRACE`: where rusk's own start goes, by phases and by system calls, until it ends
//! or the first program of the user's begins. In: the variable. Out: a table on standard error,
//! behind what the command says. And `RUSK_TRACE_PHASES`, by which `rusk trace` hears of the
//! phases. Neither reaches a child. Absent: what is counted, which `rusk_base::sys::record` and
//! `rusk_base::timeline::steps` do.

mod text;

use std::ffi::OsString;
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rusk_base::Result;
use rusk_base::sys::{self, record};
use rusk_base::timeline::steps;

use crate::problem;

/// Taken out of the environment before anything else.
pub const VARIABLES: [&str; 2] = [STARTUP, PHASES];
const STARTUP: &str = "RUSK_STARTUP_TRACE";

/// Set to `1`, phases are told by system calls.
pub const PHASES: &str = "RUSK_TRACE_PHASES";

/// Processor time that went before the first instruction of ours, where steps are wanted.
static BEFORE: OnceLock<Duration> = OnceLock::new();

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Wanted {
    steps: bool,
    calls: bool,
}

/// Begins to take down what the variables ask for.
pub fn begin([startup, phases]: [Option<OsString>; 2]) -> Result<()> {
    let wanted = parse(startup)?;
    if wanted.steps {
        // Before anything is taken down: the question is none of the start's.
        let _ = BEFORE.set(sys::processor_time());
        steps::take();
    }
    if wanted.calls {
        record::begin();
    }
    match phases.as_deref().map(|value| value.to_str()) {
        None | Some(Some("" | "0")) => {}
        Some(Some("1")) => steps::tell(),
        Some(_) => return Err(problem::bad_variable(PHASES, &shown(phases), "`1`")),
    }
    Ok(())
}

fn parse(value: Option<OsString>) -> Result<Wanted> {
    let text = shown(value);
    let mut wanted = Wanted::default();
    if matches!(text.as_str(), "" | "0") {
        return Ok(wanted);
    }
    for word in text.split(',') {
        match word {
            "steps" | "1" => wanted.steps = true,
            "syscalls" => wanted.calls = true,
            "all" => wanted = Wanted { steps: true, calls: true },
            _ => {
                let expected = "`steps`, `syscalls` or `all`, or several between commas";
                return Err(problem::bad_variable(STARTUP, &text, expected));
            }
        }
    }
    Ok(wanted)
}

fn shown(value: Option<OsString>) -> String {
    value.map(|value| value.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Whatever comes now is another program's.
pub fn freeze() {
    steps::freeze();
    record::freeze();
}

/// Says what was taken down, once; nothing, where nothing was asked for.
pub fn tell() {
    static IS_TOLD: AtomicBool = AtomicBool::new(false);
    freeze();
    if IS_TOLD.swap(true, Ordering::Relaxed) {
        return;
    }
    let text = text::text(steps::taken(), BEFORE.get().copied(), record::sums());
    if text.is_empty() {
        return;
    }
    // There is no other place to say that stderr is gone.
    let _ = sys::streams::errors().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests;
