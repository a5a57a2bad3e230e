//! What was seen, ready to be shown. In: a [`Ledger`] and what is known of the watch. Out: calls of
//! the whole tree and of each process, the one that took longest first; paths; patterns. Absent:
//! how it looks.

use std::collections::{BTreeMap, HashMap};

use crate::calls::{Aim, Call, error_name};
use crate::ledger::{ExitStatus, Ledger, Process, Stats};
use crate::paths::{AIMS, Count, Paths};
use crate::patterns::{self, Pattern};
use crate::phases::{BEFORE, Phase};

/// Paths and patterns that a report names.
const TOP: usize = 20;

/// Everything that a report says.
#[derive(Clone, Debug)]
pub struct Report {
    /// The command's words.
    pub command: Vec<String>,
    pub watch: Watch,
    /// All processes together.
    pub rows: Vec<Row>,
    pub processes: Vec<Member>,
    pub looks: Vec<Looks>,
    pub patterns: Vec<Pattern>,
    /// Of a process that says which phase it is in; those within others behind them.
    pub phases: Vec<Stage>,
    /// Looks for paths beyond those that were kept.
    pub looks_left_out: u64,
}

/// How it was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// `bpf` or `ptrace`.
    pub collector: &'static str,
    /// Whether the program was kept on one processor.
    pub on_one_processor: bool,
    /// When the watch was to end, and whether that came.
    pub until: String,
    pub is_reached: bool,
    /// From the program's beginning to the end of the watch.
    pub wall_ns: u64,
    /// What observing adds to a call, as test calls said before the program began.
    pub overhead_ns: u64,
    /// Records that found no room.
    pub lost: u64,
}

/// A call and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub name: String,
    pub waits: bool,
    pub stats: Stats,
}

/// A process of the tree.
#[derive(Clone, Debug)]
pub struct Member {
    pub number: i32,
    pub parent: Option<usize>,
    pub programs: Vec<(u64, String)>,
    pub begun_ns: u64,
    pub ended_ns: Option<u64>,
    pub end: Option<ExitStatus>,
    pub threads: u32,
    pub unfinished: u64,
    pub rows: Vec<Row>,
    pub looks: Vec<Looks>,
    /// More than 1: it is all those that were too many.
    pub stands_for: u64,
}

/// A phase, and what was asked in it and in those within it.
#[derive(Clone, Debug)]
pub struct Stage {
    pub name: String,
    /// Phases around it.
    pub depth: usize,
    /// Of another thread than the first one.
    pub is_beside: bool,
    /// How often it was begun.
    pub times: u64,
    pub wall_ns: u64,
    pub rows: Vec<Row>,
}

/// An error: which, how often, by which calls.
pub type Failure<'a> = (String, u64, Vec<(&'a str, u64)>);

/// Looks for paths of one aim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looks {
    pub aim: Aim,
    pub count: u64,
    pub missed: u64,
    pub top: Vec<Count>,
    pub top_misses: Vec<Count>,
}

impl Report {
    pub fn new(command: Vec<String>, watch: Watch, ledger: &Ledger) -> Report {
        let (processes, wall_ns) = (&ledger.processes, watch.wall_ns);
        let mut paths = Paths::default();
        processes.iter().for_each(|process| paths.merge(&process.paths));
        Report {
            command,
            watch,
            rows: rows(processes.iter().map(|process| &process.calls)),
            processes: processes.iter().map(member).collect(),
            looks: looks(&paths, TOP),
            patterns: patterns::find(&paths, TOP),
            phases: stages(ledger, wall_ns),
            looks_left_out: paths.left_out,
        }
    }

    /// Calls that returned.
    pub fn count(&self) -> u64 {
        self.rows.iter().map(|row| row.stats.count()).sum()
    }

    pub fn threads(&self) -> u64 {
        self.processes.iter().map(|process| u64::from(process.threads)).sum()
    }

    /// Processes, those counted as one included.
    pub fn processes_count(&self) -> u64 {
        self.processes.iter().map(|process| process.stands_for).sum()
    }

    /// What observing added to all calls, about.
    pub fn overhead_ns(&self) -> u64 {
        self.watch.overhead_ns.saturating_mul(self.count())
    }

    /// Errors of all calls: which, how often, by which calls; the most frequent first.
    pub fn errors(&self) -> Vec<Failure<'_>> {
        let mut errors: BTreeMap<u16, Vec<(&str, u64)>> = BTreeMap::new();
        for row in &self.rows {
            for (errno, count) in &row.stats.errors {
                errors.entry(*errno).or_default().push((&row.name, *count));
            }
        }
        let sum = |calls: &[(&str, u64)]| calls.iter().map(|(_, count)| count).sum();
        let mut errors: Vec<_> = errors
            .into_iter()
            .map(|(errno, mut calls)| {
                calls.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
                (error_name(errno), sum(&calls), calls)
            })
            .collect();
        errors.sort_by_key(|(_, count, _)| std::cmp::Reverse(*count));
        errors
    }
}

impl Member {
    /// The file's name of what it was last; a number where nobody saw it.
    pub fn name(&self) -> &str {
        match self.programs.last() {
            Some((_, path)) => path.rsplit('/').next().unwrap_or(path),
            None if self.stands_for > 1 => "(others)",
            None => "?",
        }
    }

    pub fn count(&self) -> u64 {
        self.rows.iter().map(|row| row.stats.count()).sum()
    }

    /// Time in calls that wait, or in those that work.
    pub fn time_ns(&self, waits: bool) -> u64 {
        self.rows.iter().filter(|row| row.waits == waits).map(|row| row.stats.total_ns).sum()
    }
}

impl Stage {
    pub fn count(&self) -> u64 {
        self.rows.iter().map(|row| row.stats.count()).sum()
    }

    pub fn errors(&self) -> u64 {
        self.rows.iter().map(|row| row.stats.error_count()).sum()
    }

    /// Time in calls that wait, or in those that work, of all threads.
    pub fn time_ns(&self, waits: bool) -> u64 {
        self.rows.iter().filter(|row| row.waits == waits).map(|row| row.stats.total_ns).sum()
    }
}

/// Calls of these processes or phases, added up by name; what took longest first.
fn rows<'a>(calls: impl Iterator<Item = &'a HashMap<(Call, bool), Stats>>) -> Vec<Row> {
    let mut sums: BTreeMap<(String, bool), Stats> = BTreeMap::new();
    for ((call, waits), stats) in calls.flatten() {
        sums.entry((call.name(), *waits)).or_default().merge(stats);
    }
    let mut rows: Vec<Row> =
        sums.into_iter().map(|((name, waits), stats)| Row { name, waits, stats }).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.stats.total_ns));
    rows
}

fn member(process: &Process) -> Member {
    Member {
        number: process.number,
        parent: process.parent,
        programs: process.programs.clone(),
        begun_ns: process.begun_ns,
        ended_ns: process.ended_ns,
        end: process.end,
        threads: process.threads,
        unfinished: process.unfinished,
        rows: rows([&process.calls].into_iter()),
        looks: looks(&process.paths, TOP / 2),
        stands_for: process.stands_for,
    }
}

/// Phases in the order in which they began, each before those within it.
fn stages(ledger: &Ledger, end_ns: u64) -> Vec<Stage> {
    let marking = ledger.phases.process();
    let process = ledger.processes.iter().find(|process| Some(process.number) == marking);
    let end_ns = process.and_then(|process| process.ended_ns).unwrap_or(end_ns);
    let phases = ledger.phases.finish(end_ns);
    let mut stages = Vec::new();
    push_stages(&phases, None, 0, &mut stages);
    // What no phase covers comes last.
    if stages.len() > BEFORE + 1 {
        let between = stages.remove(BEFORE + 1);
        stages.push(between);
    }
    stages
}

fn push_stages(phases: &[Phase], parent: Option<usize>, depth: usize, stages: &mut Vec<Stage>) {
    for (place, phase) in phases.iter().enumerate().filter(|(_, phase)| phase.parent == parent) {
        let within = phases.iter().enumerate().filter(|(other, _)| is_within(phases, *other, place));
        let calls = within.map(|(_, phase)| &phase.calls);
        let (name, is_beside) = (phase.name.clone(), phase.is_beside);
        let (times, wall_ns, rows) = (phase.times, phase.wall_ns, rows(calls));
        stages.push(Stage { name, depth, is_beside, times, wall_ns, rows });
        push_stages(phases, Some(place), depth + 1, stages);
    }
}

/// Whether a phase is another one, or lies within it.
fn is_within(phases: &[Phase], place: usize, outer: usize) -> bool {
    std::iter::successors(Some(place), |place| phases[*place].parent).any(|place| place == outer)
}

fn looks(paths: &Paths, top: usize) -> Vec<Looks> {
    let of = |aim| {
        let (count, missed) = paths.sums(aim);
        Looks { aim, count, missed, top: paths.top(aim, top), top_misses: paths.top_misses(aim, top) }
    };
    AIMS.into_iter().map(of).filter(|looks| looks.count > 0).collect()
}

#[cfg(test)]
pub mod tests;
