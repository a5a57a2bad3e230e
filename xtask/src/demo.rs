//! `make demo`: the program built for release, installing `examples/web-app`, and that project's own build and type check
//! on top of what was installed. Each phase with its time.

use crate::{peers, place, process};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Builds, installs, checks; the error is the first phase that went wrong.
pub fn run() -> Result<(), String> {
    let project = place::root().join("examples/web-app");
    let (rusk, built) = timed(peers::rusk)?;
    let ((), installed) = timed(|| shown(Command::new(rusk).arg("install").current_dir(&project)))?;
    let mut phases = vec![("build rusk", built), ("rusk install", installed)];
    match process::version(Path::new("node")) {
        None => say("node is not on PATH: the project's own build and type check are left out"),
        Some(_) => {
            let vite = ["node_modules/vite/bin/vite.js", "build"];
            let tsc = ["node_modules/typescript/bin/tsc", "--noEmit"];
            for (name, arguments) in [("vite build", vite), ("tsc --noEmit", tsc)] {
                let ((), took) = timed(|| shown(Command::new("node").args(arguments).current_dir(&project)))?;
                phases.push((name, took));
            }
        }
    }
    say("");
    for (name, took) in phases {
        say(&format!("{name:<14} {:>8.2} s", took.as_secs_f64()));
    }
    Ok(())
}

fn timed<T>(phase: impl FnOnce() -> Result<T, String>) -> Result<(T, Duration), String> {
    let started = Instant::now();
    Ok((phase()?, started.elapsed()))
}

/// Runs with the user's terminal.
fn shown(command: &mut Command) -> Result<(), String> {
    say(&format!("$ {}", process::line(command)));
    let status = command
        .stdin(Stdio::null())
        .status()
        .map_err(|error| format!("{}: {error}", process::line(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{}: {status}", process::line(command))) }
}

#[allow(clippy::print_stdout, reason = "a demo is for reading")]
fn say(line: &str) {
    println!("{line}");
}
