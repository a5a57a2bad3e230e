//! `bench runtime`: runs programs with rusk, bun, node and deno, in turn. In: generated projects,
//! the kernels of `bench/runtime`, two of the projects of `fixtures/real-programs`. Out: a table,
//! targets, `bench/results/runtime.json`. A missed target is reported, and is not an error.

mod case;
mod idle;
mod projects;
pub mod row;
mod steps;

use super::c;
use super::spawn::results::load_average;
use crate::report::Json;
use crate::{files, peers, process};
use case::{CASES, CaseKind, RuntimeCase};
use projects::Projects;
use row::{RuntimeRow, TARGETS};
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Runtime {
    pub name: &'static str,
    pub program: PathBuf,
    /// Inserted before the file that is run.
    pub arguments: &'static [&'static str],
    /// The cases that it runs; all if `None`.
    only: Option<&'static [&'static str]>,
}

/// The minimal program on the distribution's engine, a lower bound for any runtime that uses it:
/// `bench/runtime/least.c`.
pub(super) const LEAST: &str = "least";

pub(super) struct RuntimeFlags {
    pub rounds: usize,
    rusk: PathBuf,
    node: Option<PathBuf>,
    pub store: bool,
    /// All if empty.
    cases: Vec<String>,
}

pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = RuntimeFlags::read(arguments)?;
    let projects = Projects::prepare(&flags.rusk)?;
    let mut tools = tools(&flags);
    tools.push(least(&projects)?);
    tools.iter().for_each(|tool| projects.warm(tool, &CASES[0]));
    let load = load_average();
    let mut rows = Vec::new();
    for case in
        CASES.iter().filter(|case| flags.cases.is_empty() || flags.cases.iter().any(|name| name == case.name))
    {
        rows.extend(measure(&projects, &tools, case, flags.rounds));
    }
    projects.end()?;
    row::print(&rows, TARGETS);
    if flags.store && flags.cases.is_empty() { store(&tools, &load, flags.rounds, &rows) } else { Ok(()) }
}

impl RuntimeFlags {
    pub(super) fn read(arguments: &[String]) -> Result<RuntimeFlags, String> {
        let (mut rounds, mut rusk, mut node, mut store, mut cases) = (10, None, None, true, Vec::new());
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().ok_or_else(|| format!("expected a value after `{argument}`"));
            // Programs run in other directories.
            let path =
                |text: &String| Path::new(text).canonicalize().map_err(|error| format!("{text}: {error}"));
            match argument.as_str() {
                "--rounds" => rounds = value()?.parse().map_err(|_| "expected a number after `--rounds`")?,
                "--rusk" => rusk = Some(path(value()?)?),
                "--node" => node = Some(path(value()?)?),
                "--no-keep" => store = false,
                name if CASES.iter().any(|case| case.name == name) => cases.push(name.to_owned()),
                name => {
                    let all: Vec<_> = CASES.iter().map(|case| case.name).collect();
                    return Err(format!("expected a flag or one of {}, found `{name}`", all.join(", ")));
                }
            }
        }
        Ok(RuntimeFlags {
            rounds: rounds.max(1),
            rusk: rusk.map_or_else(peers::rusk, Ok)?,
            node,
            store,
            cases,
        })
    }
}

/// Rusk, then the others. If a node is given, it is the one that rusk is compared with, and the
/// system's node is measured as well.
pub(super) fn tools(flags: &RuntimeFlags) -> Vec<Runtime> {
    let peers = peers::find();
    let tool = |name, program, arguments| Runtime { name, program, arguments, only: None };
    let mut tools = vec![
        tool("rusk", flags.rusk.clone(), &[]),
        tool("bun", peers.join("bun"), &[]),
        tool("node", flags.node.clone().unwrap_or_else(|| "node".into()), &[]),
        tool("deno", peers.join("deno"), &["run", "-A", "--no-check", "-q"]),
    ];
    if flags.node.is_some() {
        tools.insert(3, tool("node-machine", "node".into(), &[]));
    }
    tools
}

fn least(projects: &Projects) -> Result<Runtime, String> {
    let program = projects.top.join("least");
    c::compile(&files::root().join("bench/runtime/least.c"), &program, &["-O2", "-ldl"])?;
    Ok(Runtime { name: LEAST, program, arguments: &[], only: Some(&["read-sync", "kernels"]) })
}

/// The rows of a case. Each round runs every tool once and starts with the next tool; a first one
/// is not counted if the case has caches to warm up. A tool that fails gets no more samples; its
/// error is stored.
#[allow(clippy::print_stderr, reason = "it takes long, and prints its progress")]
fn measure(projects: &Projects, tools: &[Runtime], case: &RuntimeCase, rounds: usize) -> Vec<RuntimeRow> {
    let mut found: Vec<Vec<RuntimeRow>> = tools.iter().map(|_| Vec::new()).collect();
    let mut failures: Vec<Option<String>> = tools.iter().map(|_| None).collect();
    let rounds = rounds.min(case.rounds_max);
    for round in 0..=rounds {
        eprintln!("{}, round {round} of {rounds}", case.name);
        for index in (0..tools.len()).map(|index| (index + round) % tools.len()) {
            let is_selected = tools[index].has(case);
            if !is_selected || failures[index].is_some() || (round == 0 && !case.kind.warms()) {
                continue;
            }
            match sample(projects, &tools[index], case) {
                Ok(_) if round == 0 => {}
                Ok(numbers) => row::add(&mut found[index], case, tools[index].name, numbers),
                Err(message) => failures[index] = Some(message),
            }
        }
    }
    for ((rows, failure), tool) in found.iter_mut().zip(failures).zip(tools) {
        if let Some(message) = failure {
            *rows = vec![RuntimeRow::failed(case, tool.name, message)];
        }
    }
    found.into_iter().flatten().collect()
}

impl Runtime {
    fn has(&self, case: &RuntimeCase) -> bool {
        let is_for = self.only.is_none_or(|only| only.contains(&case.name));
        is_for && (case.kind != CaseKind::Steps || self.name == "rusk")
    }
}

/// The numbers of one run, each with its name.
fn sample(projects: &Projects, tool: &Runtime, case: &RuntimeCase) -> Result<Vec<(String, f64)>, String> {
    let command = projects.command(tool, case);
    match case.kind {
        CaseKind::Wall => {
            let ended = succeed(&mut { command }, case, projects)?;
            Ok(vec![
                ("wall, ms".to_owned(), ended.cost.wall.as_secs_f64() * 1000.0),
                ("CPU, ms".to_owned(), ended.cost.cpu().as_secs_f64() * 1000.0),
                ("peak, MiB".to_owned(), ended.cost.peak_bytes as f64 / f64::from(1 << 20)),
            ])
        }
        CaseKind::Reported => {
            let ended = succeed(&mut { command }, case, projects)?;
            let line = ended.output.lines().last().unwrap_or_default();
            let root = super::results_file::parse("the program's last line", line)?;
            let number = |member: &rusk_npm::json::Member<'_>| {
                Some((format!("{}, ms", member.key), super::results_file::number(&member.node)?))
            };
            Ok(root.members().iter().filter_map(number).collect())
        }
        CaseKind::Steps => {
            let mut command = command;
            let ended = succeed(command.env("RUSK_STARTUP_TRACE", "steps"), case, projects)?;
            steps::read(&ended.output)
        }
        CaseKind::Idle => idle::measure(command),
        CaseKind::Calls => Ok(vec![("calls".to_owned(), calls(command, case, projects)?)]),
    }
}

/// Runs to the end; another exit code than the expected one is an error.
fn succeed(
    command: &mut Command,
    case: &RuntimeCase,
    projects: &Projects,
) -> Result<process::CompletedProcess, String> {
    // The error of the harness has a local path in it.
    let ended = process::run(command).map_err(|_| "it cannot be started")?;
    if ended.status.code() == Some(case.code) {
        return Ok(ended);
    }
    let is_error = |line: &&str| line.contains("rror");
    let line =
        ended.output.lines().find(is_error).or_else(|| ended.output.lines().last()).unwrap_or_default();
    Err(format!("{}: {}", ended.status, projects.without_paths(line)))
}

fn calls(command: Command, case: &RuntimeCase, projects: &Projects) -> Result<f64, String> {
    let counts = projects.top.join("calls");
    let mut traced = Command::new("strace");
    traced.args(["-f", "-qq", "-c", "-o"]).arg(&counts).arg(command.get_program()).args(command.get_args());
    if let Some(directory) = command.get_current_dir() {
        traced.current_dir(directory);
    }
    traced.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    succeed(&mut traced, case, projects)?;
    let counts = files::find(&counts).unwrap_or_default();
    let total = counts.lines().find(|line| line.trim_end().ends_with(" total"));
    let total = total.and_then(|line| line.split_whitespace().nth(3)?.parse().ok());
    total.ok_or_else(|| "strace counted nothing".to_owned())
}

/// Writes `bench/results/runtime.json`.
fn store(tools: &[Runtime], load: &str, rounds: usize, rows: &[RuntimeRow]) -> Result<(), String> {
    // A program without a version is of this commit.
    let version = |tool: &Runtime| match tool.name {
        LEAST => String::new(),
        _ => process::version(&tool.program).unwrap_or_else(|| "absent".to_owned()),
    };
    let versions = tools.iter().map(|tool| (tool.name.to_owned(), Json::text(version(tool)))).collect();
    row::store("runtime", versions, load, rounds, rows)
}
