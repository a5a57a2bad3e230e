//! Rows of `bench trace`: samples of one tracer, their JSON, and performance targets. Times in
//! milliseconds.

use crate::bench::median::median;
use crate::bench::results_file::{numbers, text};
use crate::report::Json;
use rusk_npm::json::Node;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracer {
    Alone,
    Strace,
    Ptrace,
    Bpf,
}

impl Tracer {
    pub const ALL: &[Tracer] = &[Tracer::Alone, Tracer::Strace, Tracer::Ptrace, Tracer::Bpf];

    /// In results; for a collector its own name.
    pub fn name(self) -> &'static str {
        match self {
            Tracer::Alone => "alone",
            Tracer::Strace => "strace",
            Tracer::Ptrace => "ptrace",
            Tracer::Bpf => "bpf",
        }
    }

    pub fn description(self) -> &'static str {
        match self {
            Tracer::Alone => "alone",
            Tracer::Strace => "`strace -c -f`",
            Tracer::Ptrace => "`rusk trace`, ptrace",
            Tracer::Bpf => "`rusk trace`, BPF",
        }
    }
}

/// One run.
#[derive(Clone, Copy)]
pub struct TraceSample {
    /// Of all processes, tracer included.
    pub wall_ms: f64,
    /// Of the program, from its first call to its end, as the report says.
    pub inside_ms: Option<f64>,
}

/// All runs with one tracer, per round.
pub struct TraceRow {
    pub tracer: Tracer,
    pub wall_ms: Vec<f64>,
    pub inside_ms: Vec<f64>,
}

impl TraceRow {
    pub fn new(tracer: Tracer) -> TraceRow {
        TraceRow { tracer, wall_ms: Vec::new(), inside_ms: Vec::new() }
    }

    pub fn add(&mut self, sample: TraceSample) {
        // Rounded as stored, so that a ratio is the same before and after.
        let stored = |number: f64| (number * 1000.0).round() / 1000.0;
        self.wall_ms.push(stored(sample.wall_ms));
        self.inside_ms.extend(sample.inside_ms.map(stored));
    }

    pub fn json(&self) -> Json {
        let list = |numbers: &[f64]| Json::List(numbers.iter().map(|number| Json::number(*number)).collect());
        Json::object([
            ("way", Json::text(self.tracer.name())),
            ("wall_ms", list(&self.wall_ms)),
            ("inside_ms", list(&self.inside_ms)),
        ])
    }

    pub fn read(node: &Node<'_>) -> Option<TraceRow> {
        let name = text(node, "way");
        let tracer = Tracer::ALL.iter().find(|tracer| tracer.name() == name)?;
        let list = |key| node.find(key).map(numbers).unwrap_or_default();
        Some(TraceRow { tracer: *tracer, wall_ms: list("wall_ms"), inside_ms: list("inside_ms") })
    }
}

/// Median over the rounds of what a tracer adds to the program alone.
pub fn added_ms(rows: &[TraceRow], tracer: Tracer) -> Option<f64> {
    pairs(rows, tracer, Tracer::Alone).map(|pairs| median(pairs.map(|(own, alone)| own - alone).collect()))
}

/// The time with a tracer relative to the program alone.
pub fn ratio(rows: &[TraceRow], tracer: Tracer) -> Option<f64> {
    pairs(rows, tracer, Tracer::Alone).map(|pairs| median(pairs.map(|(own, alone)| own / alone).collect()))
}

fn pairs(rows: &[TraceRow], tracer: Tracer, other: Tracer) -> Option<impl Iterator<Item = (f64, f64)>> {
    let find = |tracer| rows.iter().find(|row| row.tracer == tracer).filter(|row| !row.wall_ms.is_empty());
    Some(find(tracer)?.wall_ms.iter().copied().zip(find(other)?.wall_ms.iter().copied()))
}

/// A target, the measured number, and whether it is reached.
pub struct TraceTarget {
    pub description: &'static str,
    pub bound: f64,
    pub found: Option<f64>,
}

pub fn targets(rows: &[TraceRow]) -> [TraceTarget; 2] {
    let added = |tracer| added_ms(rows, tracer);
    let share = added(Tracer::Ptrace).zip(added(Tracer::Strace)).map(|(own, strace)| own / strace);
    [
        TraceTarget {
            description: "overhead of ptrace, relative to `strace -c -f`",
            bound: 0.6,
            found: share,
        },
        TraceTarget {
            description: "under BPF relative to the program alone",
            bound: 1.05,
            found: ratio(rows, Tracer::Bpf),
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

#[allow(clippy::print_stdout, reason = "the table is the output of the task")]
pub fn print(rows: &[TraceRow]) {
    for row in rows {
        let inside = if row.inside_ms.is_empty() { 0.0 } else { median(row.inside_ms.clone()) };
        println!(
            "{:<8} {:>8.2} ms, added {:>7.2} ms, the program itself {inside:>8.2} ms",
            row.tracer.name(),
            median(row.wall_ms.clone()),
            added_ms(rows, row.tracer).unwrap_or_default(),
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
