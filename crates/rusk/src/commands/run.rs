//! `rusk run`: a script of the nearest package with what surrounds it, or a program of the project.
//! Whatever comes last takes our place, so that signals, the terminal and the exit code are its
//! own; what comes before it is a child.

use std::ffi::OsString;
use std::path::Path;

use rusk_base::Result;
use rusk_base::sys::signal_relay::SignalRelay;
use rusk_base::timeline::phase;
use rusk_scripts::{Environment, Exit, Job, Package, Script, Streams, line, problem as scripts};
use rustix::process::Signal;

use super::ground::Ground;
use crate::flags::{Flag, Invocation, suggest};
use crate::screen::Screen;
use crate::{problem, program, startup};

/// Runs what the invocation names. Returns how it ended when that was not in our place.
pub fn run(invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    let ground = Ground::find(invocation, "run-script")?;
    if let Some(name) = invocation.operands.first()
        && is_program(name, ground.package.as_ref())?
    {
        let arguments = handed_on(&invocation.arguments);
        return program::run_file(name, arguments, ground.current_dir.clone());
    }
    let package = ground.package.as_ref().ok_or_else(|| problem::no_package(&ground.current_dir))?;
    let Some(name) = invocation.operands.first() else {
        return screen.scripts(&package.scripts).map(|()| Exit::DONE);
    };
    let command = package.scripts.find(name)?;
    let mut environment = ground.environment();
    let arguments = handed_on(&invocation.arguments);
    if let Some(command) = command {
        return run_around(Script { name, command, arguments }, package, &mut environment, screen);
    }
    if let Some(file) = environment.find_local(name.as_ref()) {
        return Err(ground.replace(environment, file, name, arguments));
    }
    if invocation.is_on(Flag::IfPresent) {
        return Ok(Exit::DONE);
    }
    let programs = super::ground::programs(environment.local_folders());
    let known = package.scripts.commands.iter().map(|(name, _)| name).chain(&programs);
    Err(problem::no_script(name, &package.folder, suggest::nearest(name, known.map(String::as_str))))
}

/// A file is run as a program, where no script has its name.
fn is_program(name: &str, package: Option<&Package>) -> Result<bool> {
    let is_script = package.map(|package| package.scripts.find(name)).transpose()?.flatten().is_some();
    Ok(!is_script && program::flags::is_file(name))
}

/// npm needs a `--` in front of flags for the script; here it may stand.
fn handed_on(arguments: &[OsString]) -> &[OsString] {
    match arguments.split_first() {
        Some((first, rest)) if first == "--" => rest,
        _ => arguments,
    }
}

/// A script between its `pre` and its `post`.
fn run_around(
    script: Script<'_>,
    package: &Package,
    environment: &mut Environment,
    screen: &mut Screen,
) -> Result<Exit> {
    let (before, after) = (format!("pre{}", script.name), format!("post{}", script.name));
    let beside = |name| {
        let command = package.scripts.find(name)?;
        Result::Ok(command.map(|command| Script { name, command, arguments: &[] }))
    };
    let (before, after) = (beside(&before)?, beside(&after)?);
    let scripts: Vec<Script<'_>> = before.into_iter().chain([script]).chain(after).collect();
    let last = scripts.len() - 1;
    for (index, script) in scripts.into_iter().enumerate() {
        screen.command(&line(script.command, script.arguments).to_string_lossy());
        let folder = &package.folder;
        let job = Job::script(script, environment, folder, Streams::Inherited);
        if index == last {
            startup::report();
            let error = phase("start program", || job.replace());
            return Err(scripts::script_start(script.name, folder, error));
        }
        let exit = run_beside(&job, script.name, folder)?;
        if exit != Exit::DONE {
            // Who pressed Ctrl-C knows why it ended.
            if exit != Exit::Signal(Signal::INT.as_raw()) {
                screen.problem(&scripts::script_failed(script.name, script.command, folder, exit));
            }
            return Ok(exit);
        }
    }
    Ok(Exit::DONE)
}

/// A child, and the signals that are meant for it.
fn run_beside(job: &Job<'_>, name: &str, folder: &Path) -> Result<Exit> {
    let relay = SignalRelay::install();
    let refused = |error| scripts::script_start(name, folder, error);
    let child = job.child().map_err(refused)?;
    relay.forward_to(child.id());
    relay.wait_for_end();
    let exit = child.wait().map_err(refused)?;
    // Who asked us to end does not want the next script.
    match (exit, relay.last_sent()) {
        (Exit::DONE, Some(signal)) => Ok(Exit::Signal(signal)),
        _ => Ok(exit),
    }
}
