//! Startup trace (`RUSK_STARTUP_TRACE`): time and system calls of rusk itself, until it exits or
//! starts the user's program. In: the environment variable. Out: a table on standard error after
//! the output of the command. Also `RUSK_TRACE_PHASES`, by which `rusk trace` sees the phases.
//! Children inherit neither. Absent: the recording, which `rusk_base::sys::syscall_stats` and
//! `rusk_base::timeline::process_phases` do.

mod text;

use std::ffi::OsString;
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rusk_base::Result;
use rusk_base::sys::{self, syscall_stats};
use rusk_base::timeline::process_phases;

use crate::problem;

/// Removed from the environment before anything else runs.
pub const VARIABLES: [&str; 2] = [STARTUP, PHASES];
const STARTUP: &str = "RUSK_STARTUP_TRACE";

/// If `1`, phases are reported by marker system calls.
pub const PHASES: &str = "RUSK_TRACE_PHASES";

/// CPU time before `main`, if steps are recorded.
static BEFORE: OnceLock<Duration> = OnceLock::new();

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct TraceOptions {
    steps: bool,
    calls: bool,
}

/// Starts the recording that the variables ask for.
pub fn begin([startup, phases]: [Option<OsString>; 2]) -> Result<()> {
    let options = parse(startup)?;
    if options.steps {
        // Before the recording starts, so that this system call is not part of it.
        let _ = BEFORE.set(sys::cpu_time());
        process_phases::record();
    }
    if options.calls {
        syscall_stats::begin();
    }
    match phases.as_deref().map(|value| value.to_str()) {
        None | Some(Some("" | "0")) => {}
        Some(Some("1")) => process_phases::emit_markers(),
        Some(_) => return Err(problem::bad_variable(PHASES, &shown(phases), "`1`")),
    }
    Ok(())
}

fn parse(value: Option<OsString>) -> Result<TraceOptions> {
    let text = shown(value);
    let mut options = TraceOptions::default();
    if matches!(text.as_str(), "" | "0") {
        return Ok(options);
    }
    for name in text.split(',') {
        match name {
            "steps" | "1" => options.steps = true,
            "syscalls" => options.calls = true,
            "all" => options = TraceOptions { steps: true, calls: true },
            _ => {
                let expected = "`steps`, `syscalls` or `all`, or several between commas";
                return Err(problem::bad_variable(STARTUP, &text, expected));
            }
        }
    }
    Ok(options)
}

fn shown(value: Option<OsString>) -> String {
    value.map(|value| value.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Stops recording: what follows belongs to the user's program.
pub fn freeze() {
    process_phases::freeze();
    syscall_stats::freeze();
}

/// Prints the recording, once; nothing if there is none.
pub fn report() {
    static IS_REPORTED: AtomicBool = AtomicBool::new(false);
    freeze();
    if IS_REPORTED.swap(true, Ordering::Relaxed) {
        return;
    }
    let text = text::text(process_phases::recorded(), BEFORE.get().copied(), syscall_stats::summary());
    if text.is_empty() {
        return;
    }
    // If stderr is closed, there is nowhere to report it.
    let _ = sys::stdio::stderr().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests;
