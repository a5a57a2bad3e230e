//! Report of a shell that ran a program, which other tests also use.

use super::*;
use crate::ledger::Record;
use crate::syscalls::{Arch, Syscall};

pub fn watch() -> TraceInfo {
    TraceInfo {
        collector: "ptrace",
        is_pinned: true,
        until: "exit".to_owned(),
        is_condition_met: false,
        wall_ns: 5_000_000,
        overhead_ns: 9_000,
        lost: 0,
    }
}

fn record<'a>(process: i32, name: &str, duration_ns: u64, result: i64, path: &'a str) -> Record<'a> {
    let call = Syscall::find(Arch::X86_64, name).expect("a call of this name");
    Record { process, thread: process, call, duration_ns, result, arguments: [0; 4], path: path.as_bytes() }
}

/// A shell that ran `ls`.
pub fn example() -> Report {
    let mut ledger = Ledger::new(1, "/home/me", 0);
    ledger.call(&record(1, "execve", 300_000, 0, "/bin/sh"), 300_000);
    ledger.on_fork(2, 1, 1_000_000);
    ledger.call(&record(2, "execve", 500_000, 0, "/bin/ls"), 1_600_000);
    for name in ["a", "b", "c"] {
        ledger.call(&record(2, "open", 2_000, -2, &format!("/lib/{name}")), 1_700_000);
    }
    ledger.call(&record(2, "open", 3_000, 3, "/lib/d"), 1_800_000);
    ledger.call(&record(2, "access", 1_000, -13, "/lib/d"), 1_800_000);
    ledger.on_exit(2, 2_000_000, ExitStatus::Code(0));
    ledger.call(&record(1, "wait4", 1_100_000, 2, ""), 2_100_000);
    ledger.on_exit(1, 2_500_000, ExitStatus::Signal(15));
    Report::new(vec!["sh".to_owned(), "-c".to_owned(), "ls".to_owned()], watch(), &ledger)
}

#[test]
fn a_report_has_all_processes_together_and_each_alone() {
    let report = example();
    let rows: Vec<_> = report
        .rows
        .iter()
        .map(|row| (&*row.name, row.waits, row.stats.count(), row.stats.total_ns))
        .collect();
    let expected = [
        ("wait4", true, 1, 1_100_000),
        ("execve", false, 2, 800_000),
        ("open", false, 4, 9_000),
        ("access", false, 1, 1_000),
    ];
    assert_eq!(rows, expected);
    assert_eq!(report.processes.iter().map(ProcessReport::count).collect::<Vec<_>>(), [2, 6]);
    assert_eq!((report.processes[0].time_ns(true), report.processes[0].time_ns(false)), (1_100_000, 300_000));
}

#[test]
fn a_process_has_the_name_of_its_last_program() {
    let report = example();
    assert_eq!(report.processes.iter().map(ProcessReport::name).collect::<Vec<_>>(), ["sh", "ls"]);
}

#[test]
fn errors_list_their_system_calls() {
    let errors = example().errors().into_iter().map(|(name, count, _)| (name, count)).collect::<Vec<_>>();
    assert_eq!(errors, [("ENOENT".to_owned(), 3), ("EACCES".to_owned(), 1)]);
    assert_eq!(example().errors()[0].2, [("open", 3)]);
}

#[test]
fn paths_of_all_processes_are_added_up() {
    let report = example();
    let lookups: Vec<_> =
        report.lookups.iter().map(|lookups| (lookups.operation, lookups.count, lookups.failed)).collect();
    assert_eq!(lookups, [(PathOperation::Open, 4, 3), (PathOperation::Stat, 1, 0)]);
    assert_eq!(report.patterns.iter().map(|pattern| &*pattern.text).collect::<Vec<_>>(), ["/lib/*"]);
}

#[test]
fn overhead_is_proportional_to_system_calls() {
    assert_eq!(example().overhead_ns(), 8 * 9_000);
}
