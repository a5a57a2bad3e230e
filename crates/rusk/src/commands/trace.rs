//! `rusk trace`: traces a program, or an install of rusk with its phases, and prints the
//! report of it; or two reports beside each other.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusk_base::{Result, files};
use rusk_observe::ledger::ExitStatus;
use rusk_observe::{Collector, Report, StopCondition, TraceOptions, compare, table, trace::CpuAffinity};
use rusk_reports::timeline::check_target;
use rusk_reports::trace::{json, page, stored_report};
use rusk_scripts::{Exit, find_in};

use super::sysroot::{self, Inside};
use crate::{host, problem, startup};
use rusk_command_line::flags::table::{self as flags, INSTALL_COMMANDS};
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;

/// Limit of `--until` in seconds.
const SECONDS_MAX: f64 = 1e9;

/// Returns how the program ended.
pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let current_dir = host::current_dir(invocation.path(Flag::Cwd))?;
    if invocation.is_on(Flag::Compare) {
        return compare(invocation, &current_dir, screen);
    }
    let inside = sysroot::find(invocation, environment, screen)?;
    let asked = trace_options(invocation, current_dir, inside.as_ref())?;
    let target = |flag| invocation.path(flag).map(|file| asked.current_dir.join(file));
    let (html, output) = (target(Flag::Html), target(Flag::Output));
    for file in html.iter().chain(&output) {
        check_target(file, problem::bad_target)?;
    }
    startup::freeze();
    let observed = match &inside {
        Some(inside) => sysroot::observe(&asked, &inside.plan)?,
        None => rusk_observe::observe(&asked, None)?,
    };
    // The report is printed when the trace ends; the program may still run.
    let shown = show(&observed.report, invocation, html.as_deref(), output.as_deref(), screen);
    let end = observed.wait()?;
    shown?;
    Ok(match end {
        ExitStatus::Code(code) => Exit::Code(code as u8),
        ExitStatus::Signal(signal) => Exit::Signal(signal),
    })
}

/// The command line as the options of a trace.
fn trace_options(
    invocation: &Invocation,
    current_dir: PathBuf,
    inside: Option<&Inside>,
) -> Result<TraceOptions> {
    let until = invocation.value(Flag::Until).map_or(Ok(StopCondition::Exit), until)?;
    let (file, argv, variables) = match inside {
        // It is found inside.
        Some(inside) => {
            (PathBuf::from(&inside.argv[0]), inside.argv.clone(), inside.plan.variables().to_vec())
        }
        None => outside(invocation, &current_dir)?,
    };
    let collector = match invocation.value(Flag::Collector) {
        Some("bpf") => Collector::Bpf,
        Some("ptrace") => Collector::Ptrace,
        _ => Collector::Chosen,
    };
    let processors = match invocation.value(Flag::Processors) {
        Some("all") => CpuAffinity::All,
        _ => CpuAffinity::Single,
    };
    Ok(TraceOptions {
        file,
        arguments: argv,
        environment: variables,
        current_dir,
        stop: until,
        collector,
        affinity: processors,
    })
}

/// A program's file, argv and environment.
type Started = (PathBuf, Vec<OsString>, Vec<(OsString, OsString)>);

fn outside(invocation: &Invocation, current_dir: &Path) -> Result<Started> {
    let name = invocation.operands.first().ok_or_else(|| problem::no_operand(invocation))?;
    let mut variables = host::variables();
    let (file, shown) = match own(invocation) {
        Some(command) => {
            variables.push((startup::PHASES.into(), "1".into()));
            (host::program()?, vec![OsString::from("rusk"), command.into()])
        }
        None => (program(name, current_dir)?, vec![OsString::from(name)]),
    };
    let argv = shown.into_iter().chain(invocation.arguments.iter().cloned()).collect();
    Ok((file, argv, variables))
}

/// The rusk command to trace. Only by its full name, and not after `--`: `rm`
/// is a program.
fn own(invocation: &Invocation) -> Option<&'static str> {
    let mut names = INSTALL_COMMANDS.iter().map(|command| flags::command(*command).name);
    names.find(|name| *name == invocation.operands[0] && !invocation.is_after_double_dash)
}

fn program(name: &str, current_dir: &Path) -> Result<PathBuf> {
    let found = match name.contains('/') {
        true => Some(current_dir.join(name)),
        false => find_in(host::path_dirs().into_iter().map(|dir| current_dir.join(dir)), name.as_ref()),
    };
    found.ok_or_else(|| problem::not_on_path(name))
}

fn until(word: &str) -> Result<StopCondition> {
    match word {
        "exit" => return Ok(StopCondition::Exit),
        "exec" => return Ok(StopCondition::Exec),
        "listen" => return Ok(StopCondition::Listen),
        _ => {}
    }
    let seconds = word.parse::<f64>().ok().filter(|seconds| *seconds > 0.0 && *seconds <= SECONDS_MAX);
    seconds
        .map(|seconds| StopCondition::After(Duration::from_secs_f64(seconds)))
        .ok_or_else(|| problem::bad_until(word))
}

/// Writes the report to each requested output.
fn show(
    report: &Report,
    invocation: &Invocation,
    html: Option<&Path>,
    output: Option<&Path>,
    screen: &mut Screen,
) -> Result<()> {
    if let Some(file) = html {
        files::write_through_links(file, page::render(report).as_bytes())?;
    }
    let is_json = invocation.is_on(Flag::Json);
    let text = || if is_json { json::text(report) } else { table::text(report) };
    match output {
        Some(file) => files::write_through_links(file, text().as_bytes()),
        None if is_json => screen.page(&text()),
        None => {
            screen.report(&text());
            Ok(())
        }
    }
}

fn compare(invocation: &Invocation, current_dir: &Path, screen: &mut Screen) -> Result<Exit> {
    let first = invocation.operands.iter().map(Path::new);
    let names: Vec<&Path> = first.chain(invocation.arguments.iter().map(Path::new)).collect();
    let [before, after] = names[..] else { return Err(problem::two_reports(names.len())) };
    let (before, after) =
        (stored_report::read(&current_dir.join(before))?, stored_report::read(&current_dir.join(after))?);
    screen.page(&compare::text(&before, &after))?;
    Ok(Exit::DONE)
}
