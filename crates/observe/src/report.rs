//! Report of a trace. In: a [`Ledger`] and details of the trace. Out: system calls of all processes
//! and of each one, in descending order of time; path lookups; patterns of failed lookups. Absent:
//! rendering.

use std::collections::{BTreeMap, HashMap};

use crate::ledger::{ExitStatus, Ledger, Process, Stats};
use crate::miss_patterns::{self, MissPattern};
use crate::paths::{OPERATIONS, PathCount, Paths};
use crate::phases::{BEFORE, Phase};
use crate::syscalls::{PathOperation, Syscall, error_name};

/// Paths and patterns in a report.
const TOP: usize = 20;

/// The report of a trace.
#[derive(Clone, Debug)]
pub struct Report {
    /// The command's arguments.
    pub command: Vec<String>,
    pub info: TraceInfo,
    /// All processes together.
    pub rows: Vec<ReportRow>,
    pub processes: Vec<ProcessReport>,
    pub lookups: Vec<PathLookups>,
    pub patterns: Vec<MissPattern>,
    /// Phases of a process that emits phase markers; inner ones follow their outer one.
    pub phases: Vec<PhaseReport>,
    /// Lookups of paths beyond the limit.
    pub dropped_lookups: u64,
}

/// How the program was traced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceInfo {
    /// `bpf` or `ptrace`.
    pub collector: &'static str,
    /// Whether the program was pinned to one CPU.
    pub is_pinned: bool,
    /// The stop condition, and whether it was met.
    pub until: String,
    pub is_condition_met: bool,
    /// From the program's start to the end of the trace.
    pub wall_ns: u64,
    /// What tracing adds to a system call, measured by probe calls before the program started.
    pub overhead_ns: u64,
    /// Records lost because the ring buffer was full.
    pub lost: u64,
}

/// Statistics of one system call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportRow {
    pub name: String,
    pub waits: bool,
    pub stats: Stats,
}

/// A process of the tree.
#[derive(Clone, Debug)]
pub struct ProcessReport {
    pub id: i32,
    pub parent: Option<usize>,
    pub programs: Vec<(u64, String)>,
    pub start_ns: u64,
    pub end_ns: Option<u64>,
    pub end: Option<ExitStatus>,
    pub threads: u32,
    pub unfinished: u64,
    pub rows: Vec<ReportRow>,
    pub lookups: Vec<PathLookups>,
    /// More than 1 for the entry of all processes beyond the limit.
    pub process_count: u64,
}

/// A phase, with the system calls in it and in its inner phases.
#[derive(Clone, Debug)]
pub struct PhaseReport {
    pub name: String,
    /// Number of enclosing phases.
    pub depth: usize,
    /// Whether it ran on another thread than the first.
    pub is_other_thread: bool,
    /// How often it began.
    pub times: u64,
    pub wall_ns: u64,
    pub rows: Vec<ReportRow>,
}

/// An error: its name, its count, and the system calls that returned it.
pub type ErrorCount<'a> = (String, u64, Vec<(&'a str, u64)>);

/// Path lookups of one operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathLookups {
    pub operation: PathOperation,
    pub count: u64,
    pub failed: u64,
    pub top: Vec<PathCount>,
    pub top_failed: Vec<PathCount>,
}

impl Report {
    pub fn new(command: Vec<String>, info: TraceInfo, ledger: &Ledger) -> Report {
        let (processes, wall_ns) = (&ledger.processes, info.wall_ns);
        let mut paths = Paths::default();
        processes.iter().for_each(|process| paths.merge(&process.paths));
        Report {
            command,
            info,
            rows: rows(processes.iter().map(|process| &process.calls)),
            processes: processes.iter().map(process_report).collect(),
            lookups: path_lookups(&paths, TOP),
            patterns: miss_patterns::find(&paths, TOP),
            phases: phase_reports(ledger, wall_ns),
            dropped_lookups: paths.dropped,
        }
    }

    /// System calls that returned.
    pub fn count(&self) -> u64 {
        self.rows.iter().map(|row| row.stats.count()).sum()
    }

    pub fn threads(&self) -> u64 {
        self.processes.iter().map(|process| u64::from(process.threads)).sum()
    }

    /// The number of processes, including those counted as one.
    pub fn processes_count(&self) -> u64 {
        self.processes.iter().map(|process| process.process_count).sum()
    }

    /// The estimated overhead of tracing all system calls.
    pub fn overhead_ns(&self) -> u64 {
        self.info.overhead_ns.saturating_mul(self.count())
    }

    /// Errors of all system calls, the most frequent first.
    pub fn errors(&self) -> Vec<ErrorCount<'_>> {
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

impl ProcessReport {
    /// The name of its last program's file; a placeholder if that is unknown.
    pub fn name(&self) -> &str {
        match self.programs.last() {
            Some((_, path)) => path.rsplit('/').next().unwrap_or(path),
            None if self.process_count > 1 => "(others)",
            None => "?",
        }
    }

    pub fn count(&self) -> u64 {
        self.rows.iter().map(|row| row.stats.count()).sum()
    }

    /// Total time of system calls that wait, or of those that do not.
    pub fn time_ns(&self, waits: bool) -> u64 {
        self.rows.iter().filter(|row| row.waits == waits).map(|row| row.stats.total_ns).sum()
    }
}

impl PhaseReport {
    pub fn count(&self) -> u64 {
        self.rows.iter().map(|row| row.stats.count()).sum()
    }

    pub fn errors(&self) -> u64 {
        self.rows.iter().map(|row| row.stats.error_count()).sum()
    }

    /// Total time of system calls that wait, or of those that do not, of all threads.
    pub fn time_ns(&self, waits: bool) -> u64 {
        self.rows.iter().filter(|row| row.waits == waits).map(|row| row.stats.total_ns).sum()
    }
}

/// Adds up system calls by name; in descending order of time.
fn rows<'a>(calls: impl Iterator<Item = &'a HashMap<(Syscall, bool), Stats>>) -> Vec<ReportRow> {
    let mut sums: BTreeMap<(String, bool), Stats> = BTreeMap::new();
    for ((call, waits), stats) in calls.flatten() {
        sums.entry((call.name(), *waits)).or_default().merge(stats);
    }
    let mut rows: Vec<ReportRow> =
        sums.into_iter().map(|((name, waits), stats)| ReportRow { name, waits, stats }).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.stats.total_ns));
    rows
}

fn process_report(process: &Process) -> ProcessReport {
    ProcessReport {
        id: process.id,
        parent: process.parent,
        programs: process.programs.clone(),
        start_ns: process.start_ns,
        end_ns: process.end_ns,
        end: process.end,
        threads: process.threads,
        unfinished: process.unfinished,
        rows: rows([&process.calls].into_iter()),
        lookups: path_lookups(&process.paths, TOP / 2),
        process_count: process.process_count,
    }
}

/// Phases in the order in which they began, each before its inner ones.
fn phase_reports(ledger: &Ledger, end_ns: u64) -> Vec<PhaseReport> {
    let source = ledger.phases.process();
    let process = ledger.processes.iter().find(|process| Some(process.id) == source);
    let end_ns = process.and_then(|process| process.end_ns).unwrap_or(end_ns);
    let phases = ledger.phases.finish(end_ns);
    let mut phase_reports = Vec::new();
    push_phase_reports(&phases, None, 0, &mut phase_reports);
    // Time outside of all phases comes last.
    if phase_reports.len() > BEFORE + 1 {
        let between = phase_reports.remove(BEFORE + 1);
        phase_reports.push(between);
    }
    phase_reports
}

fn push_phase_reports(
    phases: &[Phase],
    parent: Option<usize>,
    depth: usize,
    phase_reports: &mut Vec<PhaseReport>,
) {
    for (index, phase) in phases.iter().enumerate().filter(|(_, phase)| phase.parent == parent) {
        let within = phases.iter().enumerate().filter(|(other, _)| is_within(phases, *other, index));
        let calls = within.map(|(_, phase)| &phase.calls);
        let (name, is_other_thread) = (phase.name.clone(), phase.is_other_thread);
        let (times, wall_ns, rows) = (phase.times, phase.wall_ns, rows(calls));
        phase_reports.push(PhaseReport { name, depth, is_other_thread, times, wall_ns, rows });
        push_phase_reports(phases, Some(index), depth + 1, phase_reports);
    }
}

/// Whether a phase is `outer` or within it.
fn is_within(phases: &[Phase], index: usize, outer: usize) -> bool {
    std::iter::successors(Some(index), |index| phases[*index].parent).any(|index| index == outer)
}

fn path_lookups(paths: &Paths, top: usize) -> Vec<PathLookups> {
    let of = |operation| {
        let (count, failed) = paths.sums(operation);
        PathLookups {
            operation,
            count,
            failed,
            top: paths.top(operation, top),
            top_failed: paths.top_failed(operation, top),
        }
    };
    OPERATIONS.into_iter().map(of).filter(|lookups| lookups.count > 0).collect()
}

#[cfg(test)]
pub mod tests;
