//! `bench start`: regression check of the startup cost, by system calls. In: rusk, a small project,
//! the counts of `bench/results/start.json`. Out: a table, an error if a count grew; with `--keep`
//! the new counts are stored. It also checks the cost of tracing a call against a bound. Absent:
//! absolute times. Times are shown in multiples of a null system call, and are not checked.

mod record;
pub mod row;

use super::flags::BenchFlags;
use super::results_file;
use super::spawn::results::load_average;
use crate::report::{self, Json};
use crate::{files, peers, process};
use row::StartRow;
use rusk_testkit::start::{self, Start};
use std::path::Path;
use std::time::Instant;

/// Enough that reading the clock does not matter.
const NULL_CALLS: u32 = 100_000;

/// Counts, times, prints. A count that grew is an error, unless the counts are to be stored.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = parse(arguments)?;
    let rusk = flags.rusk.clone().map_or_else(peers::rusk, Ok)?;
    let load = load_average();
    let project = Start::new(&rusk)?;
    let mut rows = baseline()?;
    for row in &mut rows {
        row.now = project.count(row.case, flags.rounds)?;
    }
    for round in 0..flags.rounds {
        let null_ns = null_call_ns();
        for index in 0..rows.len() {
            let row = &mut rows[(index + round) % start::Case::ALL.len()];
            project.prepare(row.case);
            let ended = process::succeed(&mut project.command(row.case))?;
            row.null_calls.push((ended.cost.wall.as_secs_f64() * 1e9 / null_ns).round());
        }
    }
    row::print(&rows);
    record::check(&record::RecordCost::measure()?)?;
    if flags.store { store(&rusk, &load, &rows) } else { row::check(&rows) }
}

fn parse(arguments: &[String]) -> Result<BenchFlags, String> {
    let mut flags = BenchFlags { rounds: 20, rusk: None, store: false }.read("start", arguments)?;
    if flags.rounds == 0 {
        return Err("expected a number from 1 after `--rounds`".to_owned());
    }
    if let Some(program) = &mut flags.rusk {
        *program = program.canonicalize().map_err(|error| format!("{}: {error}", program.display()))?;
    }
    Ok(flags)
}

/// One row for each case; without stored counts there is no baseline.
fn baseline() -> Result<Vec<StartRow>, String> {
    let Some(text) = results_file::find("start.json") else {
        return Ok(start::Case::ALL.iter().map(|case| StartRow::new(*case, None)).collect());
    };
    let baseline = start::held(&text).map_err(|message| format!("bench/results/start.json: {message}"))?;
    Ok(baseline.into_iter().map(|(case, calls)| StartRow::new(case, Some(calls))).collect())
}

/// The time of a trivial system call on this machine.
fn null_call_ns() -> f64 {
    let began = Instant::now();
    for _ in 0..NULL_CALLS {
        std::hint::black_box(rustix::process::getppid());
    }
    began.elapsed().as_secs_f64() * 1e9 / f64::from(NULL_CALLS)
}

fn store(rusk: &Path, load: &str, rows: &[StartRow]) -> Result<(), String> {
    let version = process::version(rusk).unwrap_or_default();
    let json = Json::object([
        ("date", Json::text(report::today())),
        ("machine", report::machine(Path::new("/dev/shm"))),
        ("versions", Json::object([("rusk", Json::text(version))])),
        ("load_before", Json::text(load)),
        ("rows", Json::List(rows.iter().map(StartRow::json).collect())),
    ]);
    files::write(&files::root().join("bench/results/start.json"), &json.render())
}
