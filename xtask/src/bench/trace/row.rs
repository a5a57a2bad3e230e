//! What was measured of one way to start a program, as JSON and back, and what is to be reached.
//! Times in milliseconds.

use crate::bench::median::median;
use crate::bench::results_file::{numbers, text};
use crate::report::Json;
use rusk_npm::json::Node;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watcher {
    Alone,
    Strace,
    Ptrace,
    Bpf,
}

impl Watcher {
    pub const ALL: &[Watcher] = &[Watcher::Alone, Watcher::Strace, Watcher::Ptrace, Watcher::Bpf];

    /// In results; of a collector its own name.
    pub fn name(self) -> &'static str {
        match self {
            Watcher::Alone => "alone",
            Watcher::Strace => "strace",
            Watcher::Ptrace => "ptrace",
            Watcher::Bpf => "bpf",
        }
    }

    pub fn description(self) -> &'static str {
        match self {
            Watcher::Alone => "alone",
            Watcher::Strace => "`strace -c -f`",
            Watcher::Ptrace => "`rusk trace`, ptrace",
            Watcher::Bpf => "`rusk trace`, BPF",
        }
    }
}

/// One run.
#[derive(Clone, Copy)]
pub struct TraceSample {
    /// Of all that was started.
    pub wall_ms: f64,
    /// Of the program, from its first call to its end, as the report has it.
    pub inside_ms: Option<f64>,
}

/// All runs of one way, round by round.
pub struct TraceRow {
    pub way: Watcher,
    pub wall_ms: Vec<f64>,
    pub inside_ms: Vec<f64>,
}

impl TraceRow {
    pub fn new(way: Watcher) -> TraceRow {
        TraceRow { way, wall_ms: Vec::new(), inside_ms: Vec::new() }
    }

    pub fn add(&mut self, sample: TraceSample) {
        // As fine as it is stored, so that a ratio is the same before and after.
        let stored = |number: f64| (number * 1000.0).round() / 1000.0;
        self.wall_ms.push(stored(sample.wall_ms));
        self.inside_ms.extend(sample.inside_ms.map(stored));
    }

    pub fn json(&self) -> Json {
        let list = |numbers: &[f64]| Json::List(numbers.iter().map(|number| Json::number(*number)).collect());
        Json::object([
            ("way", Json::text(self.way.name())),
            ("wall_ms", list(&self.wall_ms)),
            ("inside_ms", list(&self.inside_ms)),
        ])
    }

    pub fn read(node: &Node<'_>) -> Option<TraceRow> {
        let name = text(node, "way");
        let way = Watcher::ALL.iter().find(|way| way.name() == name)?;
        let list = |key| node.find(key).map(numbers).unwrap_or_default();
        Some(TraceRow { way: *way, wall_ms: list("wall_ms"), inside_ms: list("inside_ms") })
    }
}

/// What a way adds to the program alone, round by round, the middle of it.
pub fn added_ms(rows: &[TraceRow], way: Watcher) -> Option<f64> {
    pairs(rows, way, Watcher::Alone).map(|pairs| median(pairs.map(|(own, alone)| own - alone).collect()))
}

/// How long a way takes, of the program alone.
pub fn ratio(rows: &[TraceRow], way: Watcher) -> Option<f64> {
    pairs(rows, way, Watcher::Alone).map(|pairs| median(pairs.map(|(own, alone)| own / alone).collect()))
}

fn pairs(rows: &[TraceRow], way: Watcher, other: Watcher) -> Option<impl Iterator<Item = (f64, f64)>> {
    let find = |way| rows.iter().find(|row| row.way == way).filter(|row| !row.wall_ms.is_empty());
    Some(find(way)?.wall_ms.iter().copied().zip(find(other)?.wall_ms.iter().copied()))
}

/// What is to be reached, what was, and whether that is enough.
pub struct TraceTarget {
    pub description: &'static str,
    pub bound: f64,
    pub found: Option<f64>,
}

pub fn targets(rows: &[TraceRow]) -> [TraceTarget; 2] {
    let added = |way| added_ms(rows, way);
    let share = added(Watcher::Ptrace).zip(added(Watcher::Strace)).map(|(own, strace)| own / strace);
    [
        TraceTarget {
            description: "overhead of ptrace, relative to `strace -c -f`",
            bound: 0.6,
            found: share,
        },
        TraceTarget {
            description: "under BPF relative to the program alone",
            bound: 1.05,
            found: ratio(rows, Watcher::Bpf),
        },
    ]
}

impl TraceTarget {
    pub fn verdict(&self) -> &'static str {
        match self.found {
            Some(found) if found <= self.bound => "pass",
            Some(_) => "FAIL",
            None => "not measured",
        }
    }
}

#[allow(clippy::print_stdout, reason = "the table is what the benchmark is for")]
pub fn print(rows: &[TraceRow]) {
    for row in rows {
        let inside = if row.inside_ms.is_empty() { 0.0 } else { median(row.inside_ms.clone()) };
        println!(
            "{:<8} {:>8.2} ms, added {:>7.2} ms, the program itself {inside:>8.2} ms",
            row.way.name(),
            median(row.wall_ms.clone()),
            added_ms(rows, row.way).unwrap_or_default(),
        );
    }
    for target in targets(rows) {
        println!(
            "{}: {:.2}, target {}: {}",
            target.description,
            target.found.unwrap_or_default(),
            target.bound,
            target.verdict()
        );
    }
}

#[cfg(test)]
mod tests;
