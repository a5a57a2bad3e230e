//! `bench spawn`: compares rusk-spawn with other ways to start a process, and with `--runtimes`
//! rusk with bun, node and deno. In: the programs of `lib/spawn/bench`, each run many times for a
//! short while, the methods in turn. Out: tables, targets, `bench/results/spawn.json` or
//! `spawn-runtimes.json`.

mod method;
pub mod results;
pub mod scenario;
mod table;
pub mod targets;

use crate::process;
pub use method::Comparison;
use method::{Method, Programs};
use results::SpawnRow;
use scenario::Scenario;
use std::path::PathBuf;
use std::process::Command;

struct SpawnFlags {
    line: Comparison,
    scenarios: Vec<&'static Scenario>,
    rounds: usize,
    store: bool,
}

/// Measures, prints tables, stores the results. A missed target is reported, and is not an error.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = parse(arguments)?;
    let programs = Programs::build(&flags.line)?;
    let methods = programs.methods(&flags.line);
    let load = results::load_average();
    let rows = measure(&programs, &methods, &flags)?;
    for scenario in &flags.scenarios {
        table::print(scenario, &rows);
    }
    let targets = targets::of(&flags.line);
    targets::print(targets, &rows);
    if flags.store {
        results::store(&programs, &methods, &flags.line, flags.rounds, &load, &rows)?;
    }
    Ok(())
}

fn parse(arguments: &[String]) -> Result<SpawnFlags, String> {
    let mut flags = SpawnFlags { line: Comparison::Library, scenarios: Vec::new(), rounds: 10, store: true };
    let (mut rusk, mut node) = (None, None);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("expected a value after `{argument}`"));
        match argument.as_str() {
            "--rounds" => {
                flags.rounds = value()?.parse().map_err(|_| "expected a number after `--rounds`")?
            }
            "--scenario" => {
                let name = value()?;
                let scenario = scenario::ALL.iter().find(|scenario| scenario.name == name);
                flags.scenarios.push(scenario.ok_or_else(|| format!("no scenario `{name}`"))?);
            }
            "--no-keep" => flags.store = false,
            "--runtimes" => flags.line = Comparison::Runtimes { rusk: None, node: None },
            "--rusk" => rusk = Some(PathBuf::from(value()?)),
            "--node" => node = Some(PathBuf::from(value()?)),
            flag => return Err(format!("expected a flag of `bench spawn`, found `{flag}`")),
        }
    }
    if let Comparison::Runtimes { .. } = flags.line {
        flags.line = Comparison::Runtimes { rusk, node };
    } else if rusk.is_some() || node.is_some() {
        return Err("expected `--runtimes` beside `--rusk` and `--node`".to_owned());
    }
    if flags.scenarios.is_empty() {
        flags.scenarios = scenario::of(&flags.line).collect();
    }
    Ok(flags)
}

/// A round runs all scenarios, and in each all methods that support it; every round starts with the
/// next method. Other load on the machine affects all alike. A method that fails is left out from
/// then on, and its error is stored.
#[allow(clippy::print_stderr, reason = "a run takes minutes, and prints its progress")]
fn measure(programs: &Programs, methods: &[Method], flags: &SpawnFlags) -> Result<Vec<SpawnRow>, String> {
    let mut rows = Vec::new();
    for scenario in &flags.scenarios {
        let able = methods.iter().filter(|method| method.supports(scenario));
        rows.extend(able.map(|method| SpawnRow::new(scenario.name, method.name)));
    }
    for round in 0..flags.rounds {
        eprintln!("round {} of {}", round + 1, flags.rounds);
        for scenario in &flags.scenarios {
            for index in 0..methods.len() {
                let method = &methods[(index + round) % methods.len()];
                let row = rows.iter_mut().find(|row| row.is(scenario.name, method.name));
                let Some(row) = row.filter(|row| row.failure.is_none()) else { continue };
                if let Err(message) = sample(programs, method, scenario, row) {
                    row.failure = Some(message);
                }
            }
        }
    }
    Ok(rows)
}

/// One run of a method. If the time of exec has to be watched, it is measured in another run, so
/// that watching affects only that.
fn sample(
    programs: &Programs,
    method: &Method,
    scenario: &Scenario,
    row: &mut SpawnRow,
) -> Result<(), String> {
    let printed = print_of(&mut programs.command(method, scenario, scenario.watch))?;
    row.add(&printed, method.exec)?;
    if let Some(watch) = scenario.watch_for_exec(method.exec) {
        let printed = print_of(&mut programs.command(method, scenario, watch))?;
        row.add_exec(&printed)?;
    }
    Ok(())
}

/// The line of JSON that a program printed. The error of a failed program is its last line, without
/// local paths.
fn print_of(command: &mut Command) -> Result<String, String> {
    let ended = process::run(command)?;
    let last = ended.output.lines().last().unwrap_or_default();
    if !ended.status.success() {
        return Err(format!("{}: {last}", ended.status));
    }
    Ok(last.to_owned())
}
