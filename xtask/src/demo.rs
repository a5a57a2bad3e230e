//! `make demo`: builds rusk for release, installs `examples/web-app`, and runs that project's own
//! build and type check, all by rusk. Each phase with its time.

use crate::{files, peers, process};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Builds, installs, checks; the error is that of the first phase that failed. Arguments: none, or
/// `--built-since SECONDS` for a program that was built already.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let project = files::root().join("examples/web-app");
    let (rusk, built) = match arguments {
        [] => timed(peers::rusk)?,
        [flag, seconds] if flag == "--built-since" => (peers::release(), since(seconds)?),
        _ => return Err("expected `demo [--built-since SECONDS]`".to_owned()),
    };
    let ((), installed) = timed(|| shown(Command::new(&rusk).arg("install").current_dir(&project)))?;
    let mut phases = vec![("build rusk", built), ("rusk install", installed)];
    let vite = ["node_modules/vite/bin/vite.js", "build"];
    let tsc = ["node_modules/typescript/bin/tsc", "--noEmit"];
    for (name, arguments) in [("vite build", vite), ("tsc --noEmit", tsc)] {
        let ((), took) = timed(|| shown(Command::new(&rusk).args(arguments).current_dir(&project)))?;
        phases.push((name, took));
    }
    print_line("");
    for (name, took) in phases {
        print_line(&format!("{name:<14} {:>8.2} s", took.as_secs_f64()));
    }
    Ok(())
}

/// From a Unix time to now.
fn since(seconds: &str) -> Result<Duration, String> {
    let seconds = seconds.parse().map_err(|_| format!("expected seconds since 1970, found `{seconds}`"))?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(now.saturating_sub(Duration::from_secs(seconds)))
}

fn timed<T>(phase: impl FnOnce() -> Result<T, String>) -> Result<(T, Duration), String> {
    let started = Instant::now();
    Ok((phase()?, started.elapsed()))
}

/// Runs with the user's terminal.
fn shown(command: &mut Command) -> Result<(), String> {
    print_line(&format!("$ {}", process::line(command)));
    let status = command
        .stdin(Stdio::null())
        .status()
        .map_err(|error| format!("{}: {error}", process::line(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{}: {status}", process::line(command))) }
}

#[allow(clippy::print_stdout, reason = "a demo is for reading")]
fn print_line(line: &str) {
    println!("{line}");
}
