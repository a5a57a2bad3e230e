//! `bench trace`: overhead of tracing. In: the start of node, alone, under `strace -c -f`, under
//! `rusk trace` with each collector, in turn. Out: a table, targets, `bench/results/trace.json`.

pub mod row;

use super::flags::BenchFlags;
use super::results_file;
use super::spawn::results::load_average;
use crate::report::{self, Json};
use crate::{files, peers, process};
use row::{TraceRow, Tracer};
use rusk_npm::json::{self, Dialect};
use std::path::Path;
use std::process::Command;

/// The traced program.
const PROGRAM: [&str; 3] = ["node", "-e", "0"];

/// Measures, prints, stores. A missed target is reported, and is not an error.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = BenchFlags { rounds: 40, rusk: None, store: true }.read("trace", arguments)?;
    let rusk = flags.rusk.clone().map_or_else(peers::rusk, Ok)?;
    let directory = files::target().join("bench-trace");
    files::empty(&directory)?;
    let load = load_average();
    let mut rows: Vec<TraceRow> = Tracer::ALL.iter().map(|tracer| TraceRow::new(*tracer)).collect();
    // Each round runs every tracer once and starts with the next one; a first round is not counted.
    for round in 0..=flags.rounds {
        for index in 0..rows.len() {
            let row = &mut rows[(index + round) % Tracer::ALL.len()];
            let sample = sample(row.tracer, &rusk, &directory.join("report"))?;
            if round > 0 {
                row.add(sample);
            }
        }
    }
    row::print(&rows);
    if flags.store { store(&rusk, &directory, &load, &rows) } else { Ok(()) }
}

fn sample(tracer: Tracer, rusk: &Path, output: &Path) -> Result<row::TraceSample, String> {
    // No run pays for the output of the previous one: ext4 flushes a file that replaces another.
    files::remove_file(output)?;
    let mut command = match tracer {
        Tracer::Alone => Command::new(PROGRAM[0]),
        Tracer::Strace => {
            let mut command = Command::new("strace");
            command.args(["-c", "-f", "-o"]).arg(output).arg(PROGRAM[0]);
            command
        }
        Tracer::Ptrace | Tracer::Bpf => {
            let mut command = Command::new(rusk);
            command.args(["trace", "--json", "--collector", tracer.name(), "--output"]).arg(output);
            command.args(["--", PROGRAM[0]]);
            command
        }
    };
    let ended = process::succeed(command.args(&PROGRAM[1..]))?;
    let inside_ms = match tracer {
        Tracer::Ptrace | Tracer::Bpf => Some(wall_ms(&files::find(output).ok_or("no report")?)?),
        Tracer::Alone | Tracer::Strace => None,
    };
    Ok(row::TraceSample { wall_ms: ended.cost.wall.as_secs_f64() * 1000.0, inside_ms })
}

/// From the program's start to its end, as the report says.
fn wall_ms(text: &str) -> Result<f64, String> {
    let root =
        json::parse(text.trim_end(), Dialect::Strict).map_err(|error| format!("a report: {error:?}"))?;
    let wall = root.find("wallNs").and_then(results_file::number).ok_or("a report without `wallNs`")?;
    Ok(wall / 1e6)
}

fn store(rusk: &Path, directory: &Path, load: &str, rows: &[TraceRow]) -> Result<(), String> {
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
