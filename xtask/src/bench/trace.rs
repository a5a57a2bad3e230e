//! `bench trace`: what it costs a program to be watched. In: the start of node, alone, under
//! `strace -c -f`, under `rusk trace` with each collector, in turn. Out: a table, targets,
//! `bench/results/trace.json`.

pub mod row;

use super::flags::Flags;
use super::spawn::results::load_average;
use super::stored;
use crate::report::{self, Json};
use crate::{peers, place, process};
use row::{Row, Way};
use rusk_npm::json::{self, Dialect};
use std::path::Path;
use std::process::Command;

/// What is started.
const PROGRAM: [&str; 3] = ["node", "-e", "0"];

/// Measures, prints, keeps. A missed target is said, and is no error.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = Flags { rounds: 40, rusk: None, keep: true }.read("trace", arguments)?;
    let rusk = flags.rusk.clone().map_or_else(peers::rusk, Ok)?;
    let folder = place::target().join("bench-trace");
    place::empty(&folder)?;
    let load = load_average();
    let mut rows: Vec<Row> = Way::ALL.iter().map(|way| Row::new(*way)).collect();
    // A round has every way once, and each round begins with another one; a first round is not
    // counted.
    for round in 0..=flags.rounds {
        for index in 0..rows.len() {
            let row = &mut rows[(index + round) % Way::ALL.len()];
            let sample = sample(row.way, &rusk, &folder.join("report"))?;
            if round > 0 {
                row.add(sample);
            }
        }
    }
    row::print(&rows);
    if flags.keep { keep(&rusk, &folder, &load, &rows) } else { Ok(()) }
}

fn sample(way: Way, rusk: &Path, output: &Path) -> Result<row::Sample, String> {
    // Nobody pays for what the round before left: ext4 writes out what takes the place of another
    // file.
    place::remove_file(output)?;
    let mut command = match way {
        Way::Alone => Command::new(PROGRAM[0]),
        Way::Strace => {
            let mut command = Command::new("strace");
            command.args(["-c", "-f", "-o"]).arg(output).arg(PROGRAM[0]);
            command
        }
        Way::Ptrace | Way::Bpf => {
            let mut command = Command::new(rusk);
            command.args(["trace", "--json", "--collector", way.name(), "--output"]).arg(output);
            command.args(["--", PROGRAM[0]]);
            command
        }
    };
    let ended = process::succeed(command.args(&PROGRAM[1..]))?;
    let inside_ms = match way {
        Way::Ptrace | Way::Bpf => Some(wall_ms(&place::find(output).ok_or("no report")?)?),
        Way::Alone | Way::Strace => None,
    };
    Ok(row::Sample { wall_ms: ended.cost.wall.as_secs_f64() * 1000.0, inside_ms })
}

/// From the program's beginning to its end, as the report has it.
fn wall_ms(text: &str) -> Result<f64, String> {
    let root =
        json::parse(text.trim_end(), Dialect::Strict).map_err(|error| format!("a report: {error:?}"))?;
    let wall = root.find("wallNs").and_then(stored::number).ok_or("a report without `wallNs`")?;
    Ok(wall / 1e6)
}

fn keep(rusk: &Path, folder: &Path, load: &str, rows: &[Row]) -> Result<(), String> {
    let version = |program: &Path| process::version(program).unwrap_or_else(|| "absent".to_owned());
    let programs = [("rusk", rusk), ("strace", Path::new("strace")), ("node", Path::new("node"))];
    let versions = programs
        .map(|(name, program)| (name.to_owned(), Json::text(version(program).replace("-- version ", ""))));
    let json = Json::object([
        ("date", Json::text(report::today())),
        ("machine", report::machine(folder)),
        ("versions", Json::Object(versions.into())),
        ("load_before", Json::text(load)),
        ("rows", Json::List(rows.iter().map(Row::json).collect())),
    ]);
    place::write(&place::root().join("bench/results/trace.json"), &json.render())
}
