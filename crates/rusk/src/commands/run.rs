//! `rusk run`: a script of the nearest package with its pre and post scripts, or a program of the
//! project. The last one replaces the rusk process, so that signals, the terminal and the exit code
//! are its own; those before it are child processes.

use std::ffi::OsString;

use rusk_base::Result;
use rusk_base::timeline::phase;
use rusk_scripts::{Environment, Exit, Job, Package, Script, Streams, problem as scripts, shell_line};
use rustix::process::Signal;

use super::context::RunContext;
use super::lifecycle::run_child;
use super::run_many;
use crate::{problem, program, startup};
use rusk_command_line::flags::{Flag, Invocation, suggest};
use rusk_screen::Screen;

/// Runs the script or program. Returns how it ended if it did not replace this process.
pub fn run(invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    let context = RunContext::find(invocation, "run-script")?;
    if run_many::is_wanted(invocation) {
        return run_many::run(invocation, &context, screen);
    }
    if let Some(name) = invocation.operands.first()
        && is_program(name, context.package.as_ref())?
    {
        if name.ends_with(".sh") {
            return Err(rusk_command_line::problem::shell_script(name));
        }
        let arguments = without_double_dash(&invocation.arguments);
        return program::run_file(name, arguments, context.current_dir.clone());
    }
    let package = context.package.as_ref().ok_or_else(|| problem::no_package(&context.current_dir))?;
    let Some(name) = invocation.operands.first() else {
        return screen.scripts(&package.scripts).map(|()| Exit::DONE);
    };
    let command = package.scripts.find(name)?;
    if command.is_some() && invocation.is_on(Flag::Json) {
        return run_many::run(invocation, &context, screen);
    }
    let mut environment = context.environment();
    let arguments = without_double_dash(&invocation.arguments);
    if let Some(command) = command {
        return run_with_hooks(Script { name, command, arguments }, package, &mut environment, screen);
    }
    if let Some(file) = environment.find_local(name.as_ref()) {
        return Err(context.replace(environment, file, name, arguments));
    }
    if invocation.is_on(Flag::IfPresent) {
        return Ok(Exit::DONE);
    }
    let programs = super::context::programs(environment.local_directories());
    let known = package.scripts.commands.iter().map(|(name, _)| name).chain(&programs);
    Err(problem::no_script(name, &package.dir, suggest::nearest(name, known.map(String::as_str))))
}

/// A file is run as a program, where no script has its name.
fn is_program(name: &str, package: Option<&Package>) -> Result<bool> {
    let is_script = package.map(|package| package.scripts.find(name)).transpose()?.flatten().is_some();
    Ok(!is_script && rusk_command_line::program_flags::is_file(name))
}

/// npm requires a `--` before the flags of a script; here it is optional.
pub fn without_double_dash(arguments: &[OsString]) -> &[OsString] {
    match arguments.split_first() {
        Some((first, rest)) if first == "--" => rest,
        _ => arguments,
    }
}

/// Runs a script between its `pre` and `post` scripts.
pub fn run_with_hooks(
    script: Script<'_>,
    package: &Package,
    environment: &mut Environment,
    screen: &mut Screen,
) -> Result<Exit> {
    let (before, after) = (format!("pre{}", script.name), format!("post{}", script.name));
    let hook = |name| {
        let command = package.scripts.find(name)?;
        Result::Ok(command.map(|command| Script { name, command, arguments: &[] }))
    };
    let (before, after) = (hook(&before)?, hook(&after)?);
    let scripts: Vec<Script<'_>> = before.into_iter().chain([script]).chain(after).collect();
    let last = scripts.len() - 1;
    for (index, script) in scripts.into_iter().enumerate() {
        screen.command(&shell_line(script.command, script.arguments).to_string_lossy());
        let dir = &package.dir;
        let job = Job::script(script, environment, dir, Streams::Inherited);
        if index == last {
            startup::report();
            let error = phase("start program", || job.replace());
            return Err(scripts::script_start(script.name, dir, error));
        }
        let exit = run_child(&job, script.name, dir)?;
        if exit != Exit::DONE {
            // After Ctrl-C the reason is known to the user.
            if exit != Exit::Signal(Signal::INT.as_raw()) {
                screen.problem(&scripts::script_failed(script.name, script.command, dir, exit));
            }
            return Ok(exit);
        }
    }
    Ok(Exit::DONE)
}
