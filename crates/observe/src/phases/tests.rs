//! Phase markers, and system calls by phase.

use super::*;
use crate::ledger::Ledger;
use crate::syscalls::Arch;

const PROCESS: i32 = 10;

fn call(name: &str) -> Syscall {
    Syscall::find(Arch::X86_64, name).expect("a call of this name")
}

fn record<'a>(thread: i32, name: &str, directory: i32, path: &'a str) -> Record<'a> {
    let arguments = [directory as u32 as u64, 0, 0, 0];
    let path = path.as_bytes();
    Record { process: PROCESS, thread, call: call(name), duration_ns: 5, result: -9, arguments, path }
}

#[test]
fn a_marker_is_a_lookup_at_an_invalid_descriptor() {
    let mark = |name, directory, path| PhaseMarker::of(&record(PROCESS, name, directory, path));
    assert_eq!(mark("faccessat", -1, "rusk:phase:link"), Some(PhaseMarker::Begin("link")));
    assert_eq!(mark("faccessat", -1, "rusk:phase:"), Some(PhaseMarker::End));
    assert_eq!(mark("faccessat", -1, "rusk:phas"), None);
    assert_eq!(mark("faccessat", -100, "rusk:phase:link"), None);
    assert_eq!(mark("openat", -1, "rusk:phase:link"), None);
    assert_eq!(mark("access", -1, "rusk:phase:link"), None);
}

/// Each line is a thread and what it does at a time: `+name` and `-` are markers, everything else
/// is a system call.
fn phases(lines: &[(i32, &str, u64)], end_ns: u64) -> Vec<String> {
    let mut ledger = Ledger::new(PROCESS, "/", 0);
    for (thread, does, at_ns) in lines {
        let path = match does.strip_prefix(['+', '-']) {
            Some(name) => format!("{PREFIX}{name}"),
            None => String::new(),
        };
        let name = if path.is_empty() { does } else { "faccessat" };
        ledger.call(&record(*thread, name, INVALID_DIRECTORY_FD, &path), *at_ns);
    }
    let said = |phase: &Phase| {
        let calls = phase.calls.iter().map(|((call, _), stats)| format!("{} {}", call.name(), stats.count()));
        let parent = phase.parent.map_or(String::new(), |parent| format!(" in {parent}"));
        let beside = if phase.is_other_thread { " beside" } else { "" };
        let calls: Vec<String> = calls.collect();
        format!(
            "{}{parent}{beside}: {} times, {} ns, {}",
            phase.name,
            phase.times,
            phase.wall_ns,
            calls.join(", ")
        )
    };
    ledger.phases.finish(end_ns).iter().map(said).collect()
}

#[test]
fn calls_count_in_the_innermost_phase() {
    let lines = [
        (10, "fstat", 10),
        (10, "+link", 100),
        (10, "mkdir", 110),
        (10, "+place", 150),
        (10, "rename", 160),
        (10, "-", 170),
        (10, "mkdir", 180),
        (10, "-", 200),
        (10, "close", 230),
        (10, "+link", 250),
        (10, "mkdir", 260),
        (10, "-", 300),
    ];
    let expected = [
        "before: 1 times, 100 ns, fstat 1",
        "between: 0 times, 150 ns, close 1",
        "link: 2 times, 150 ns, mkdir 3",
        "place in 2: 1 times, 20 ns, rename 1",
    ];
    assert_eq!(phases(&lines, 400), expected);
}

#[test]
fn threads_without_phases_count_in_those_of_the_first_thread() {
    let lines = [
        (10, "+link", 100),
        (11, "mkdir", 110),
        (12, "+clear", 120),
        (12, "unlink", 130),
        (10, "-", 140),
        (12, "unlink", 150),
        (11, "mkdir", 160),
        (12, "-", 170),
    ];
    let expected = [
        "before: 1 times, 100 ns, ",
        "between: 0 times, 60 ns, mkdir 1",
        "link: 1 times, 40 ns, mkdir 1",
        "clear beside: 1 times, 50 ns, unlink 2",
    ];
    assert_eq!(phases(&lines, 200), expected);
}

#[test]
fn open_phases_end_with_the_trace() {
    let lines = [(10, "+link", 100), (10, "+place", 150), (10, "rename", 160)];
    let expected = [
        "before: 1 times, 100 ns, ",
        "between: 0 times, 0 ns, ",
        "link: 1 times, 300 ns, ",
        "place in 2: 1 times, 250 ns, rename 1",
    ];
    assert_eq!(phases(&lines, 400), expected);
    assert_eq!(phases(&[(10, "fstat", 10)], 400), [""; 0]);
}

#[test]
fn open_phases_are_bounded() {
    let mut ledger = Ledger::new(PROCESS, "/", 0);
    for number in 0..10 * PHASES_MAX as u64 {
        let begin = format!("{PREFIX}{number}");
        ledger.call(&record(PROCESS, "faccessat", INVALID_DIRECTORY_FD, &begin), number);
        ledger.call(&record(PROCESS, "faccessat", INVALID_DIRECTORY_FD, PREFIX), number);
    }
    (0..100).for_each(|at| {
        ledger.call(&record(PROCESS, "faccessat", INVALID_DIRECTORY_FD, "rusk:phase:deep"), at)
    });
    assert_eq!(ledger.phases.finish(0).len(), PHASES_MAX);
}
