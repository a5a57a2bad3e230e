//! `bench trace`: what it costs a program to be watched. In: the start of node, alone, under
//! `strace -c -f`, under `rusk trace` with each collector, in turn. Out: a table, targets,
//! `bench/results/trace.json`.

pub mod row;

use super::flags::BenchFlags;
use super::results_file;
use super::spawn::results::load_average;
use crate::report::{self, Json};
use crate::{files, peers, process};
use row::{TraceRow, Watcher};
use rusk_npm::json::{self, Dialect};
use std::path::Path;
use std::process::Command;

/// What is started.
const PROGRAM: [&str; 3] = ["node", "-e", "0"];

/// Measures, prints, keeps. A missed target is said, and is no error.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = BenchFlags { rounds: 40, rusk: None, keep: true }.read("trace", arguments)?;
    let rusk = flags.rusk.clone().map_or_else(peers::rusk, Ok)?;
    let directory = files::target().join("bench-trace");
    files::empty(&directory)?;
    let load = load_average();
    let mut rows: Vec<TraceRow> = Watcher::ALL.iter().map(|way| TraceRow::new(*way)).collect();
    // A round has every way once, and each round begins with another one; a first round is not
    // counted.
    for round in 0..=flags.rounds {
        for index in 0..rows.len() {
            let row = &mut rows[(index + round) % Watcher::ALL.len()];
            let sample = sample(row.way, &rusk, &directory.join("report"))?;
            if round > 0 {
                row.add(sample);
            }
        }
    }
    row::print(&rows);
    if flags.keep { keep(&rusk, &directory, &load, &rows) } else { Ok(()) }
}

fn sample(way: Watcher, rusk: &Path, output: &Path) -> Result<row::TraceSample, String> {
    // Nobody pays for what the round before left: ext4 writes out what takes the place of another
    // file.
    files::remove_file(output)?;
    let mut command = match way {
        Watcher::Alone => Command::new(PROGRAM[0]),
        Watcher::Strace => {
            let mut command = Command::new("strace");
            command.args(["-c", "-f", "-o"]).arg(output).arg(PROGRAM[0]);
            command
        }
        Watcher::Ptrace | Watcher::Bpf => {
            let mut command = Command::new(rusk);
            command.args(["trace", "--json", "--collector", way.name(), "--output"]).arg(output);
            command.args(["--", PROGRAM[0]]);
            command
        }
    };
    let ended = process::succeed(command.args(&PROGRAM[1..]))?;
    let inside_ms = match way {
        Watcher::Ptrace | Watcher::Bpf => Some(wall_ms(&files::find(output).ok_or("no report")?)?),
        Watcher::Alone | Watcher::Strace => None,
    };
    Ok(row::TraceSample { wall_ms: ended.cost.wall.as_secs_f64() * 1000.0, inside_ms })
}

/// From the program's beginning to its end, as the report has it.
fn wall_ms(text: &str) -> Result<f64, String> {
    let root =
        json::parse(text.trim_end(), Dialect::Strict).map_err(|error| format!("a report: {error:?}"))?;
    let wall = root.find("wallNs").and_then(results_file::number).ok_or("a report without `wallNs`")?;
    Ok(wall / 1e6)
}

fn keep(rusk: &Path, directory: &Path, load: &str, rows: &[TraceRow]) -> Result<(), String> {
    let version = |program: &Path| process::version(program).unwrap_or_else(|| "absent".to_owned());
    let programs = [("rusk", rusk), ("strace", Path::new("strace")), ("node", Path::new("node"))];
    let versions = programs
        .map(|(name, program)| (name.to_owned(), Json::text(version(program).replace("-- version ", ""))));
    let json = Json::object([
        ("date", Json::text(report::today())),
        ("machine", report::machine(directory)),
        ("versions", Json::Object(versions.into())),
        ("load_before", Json::text(load)),
        ("rows", Json::List(rows.iter().map(TraceRow::json).collect())),
    ]);
    files::write(&files::root().join("bench/results/trace.json"), &json.render())
}
