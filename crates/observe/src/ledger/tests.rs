//! Records added up: calls, paths, processes, bounds.

use super::*;
use crate::syscalls::Arch;

const ROOT: i32 = 10;

fn call(name: &str) -> Syscall {
    Syscall::find(Arch::X86_64, name).expect("a call of this name")
}

fn record<'a>(process: i32, name: &str, arguments: [u64; 4], path: &'a str, result: i64) -> Record<'a> {
    Record {
        process,
        thread: process,
        call: call(name),
        duration_ns: 100,
        result,
        arguments,
        path: path.as_bytes(),
    }
}

fn ledger() -> Ledger {
    Ledger::new(ROOT, "/home/me", 1000)
}

fn paths(ledger: &Ledger, place: usize) -> Vec<String> {
    let mut all: Vec<String> =
        ledger.processes[place].paths.iter().map(|(path, _)| path.to_owned()).collect();
    all.sort();
    all
}

const CURRENT: u64 = AT_FDCWD as u64;

#[test]
fn calls_add_up_with_their_errors() {
    let mut ledger = ledger();
    for result in [3, -2, -2, -13, -70_000] {
        ledger.call(&record(ROOT, "openat", [CURRENT, 0, 0, 0], "/x", result), 2000);
    }
    let stats = &ledger.processes[0].calls[&(call("openat"), false)];
    assert_eq!((stats.count(), stats.total_ns, stats.error_count()), (5, 500, 3));
    assert_eq!(stats.errors, BTreeMap::from([(2, 2), (13, 1)]));
}

/// Nanoseconds of a system call: waiting, working.
fn times(ledger: &Ledger, name: &str) -> [u64; 2] {
    [true, false]
        .map(|waits| ledger.processes[0].calls.get(&(call(name), waits)).map_or(0, |stats| stats.total_ns))
}

#[test]
fn reads_of_pipes_wait() {
    let mut ledger = ledger();
    let read = |number| Record { duration_ns: 50_000, ..record(ROOT, "read", [number, 0, 0, 0], "", 1) };
    ledger.call(&read(0), 0);
    ledger.call(&Record { duration_ns: 300, ..read(0) }, 0);
    ledger.call(&record(ROOT, "openat", [CURRENT, 0, 0, 0], "/file", 5), 0);
    ledger.call(&record(ROOT, "openat", [CURRENT, 0, 0, 0], "/dev/pts/1", 6), 0);
    ledger.call(&record(ROOT, "dup2", [5, 9, 0, 0], "", 9), 0);
    ledger.call(&record(ROOT, "fcntl", [5, 1030, 0, 0], "", 10), 0);
    [5, 6, 9, 10].into_iter().for_each(|number| ledger.call(&read(number), 0));
    ledger.call(&record(ROOT, "close", [5, 0, 0, 0], "", 0), 0);
    ledger.call(&read(5), 0);
    assert_eq!(times(&ledger, "read"), [150_000, 150_300]);
}

#[test]
fn waiting_and_work_are_separate() {
    let mut ledger = ledger();
    ledger.call(&record(ROOT, "futex", [0, 128, 0, 0], "", 0), 0);
    ledger.call(&Record { duration_ns: 7, ..record(ROOT, "futex", [0, 129, 0, 0], "", 1) }, 0);
    assert_eq!(times(&ledger, "futex"), [100, 7]);
}

#[test]
fn relative_paths_start_from_the_current_directory() {
    let mut ledger = ledger();
    ledger.call(&record(ROOT, "openat", [CURRENT, 0, 0, 0], "./a", 3), 0);
    ledger.call(&record(ROOT, "chdir", [0; 4], "sub", 0), 0);
    ledger.call(&record(ROOT, "stat", [0; 4], "b", 0), 0);
    ledger.call(&record(ROOT, "chdir", [0; 4], "gone", -2), 0);
    ledger.call(&record(ROOT, "stat", [0; 4], "c", 0), 0);
    assert_eq!(paths(&ledger, 0), ["/home/me/a", "/home/me/sub/b", "/home/me/sub/c"]);
}

#[test]
fn relative_paths_start_from_an_open_directory() {
    let mut ledger = ledger();
    ledger.call(&record(ROOT, "openat", [CURRENT, 0, 0o200_000, 0], "/opt", 5), 0);
    ledger.call(&record(ROOT, "newfstatat", [5, 0, 0, 0], "x", 0), 0);
    ledger.call(&record(ROOT, "close", [5, 0, 0, 0], "", 0), 0);
    ledger.call(&record(ROOT, "newfstatat", [5, 0, 0, 0], "y", 0), 0);
    assert_eq!(paths(&ledger, 0), ["/opt", "/opt/x", "<fd 5>/y"]);
}

#[test]
fn a_child_inherits_the_current_directory() {
    let mut ledger = ledger();
    ledger.call(&record(ROOT, "chdir", [0; 4], "/srv", 0), 0);
    ledger.on_fork(11, ROOT, 1500);
    ledger.call(&record(11, "open", [0; 4], "x", 3), 0);
    ledger.call(&record(11, "execve", [0; 4], "/bin/ls", 0), 1600);
    ledger.on_exit(11, 1700, ExitStatus::Code(0));
    ledger.call(&record(11, "open", [0; 4], "late", 3), 0);
    let child = &ledger.processes[1];
    assert_eq!(
        (child.parent, child.start_ns, child.end_ns, child.end),
        (Some(0), 500, Some(700), Some(ExitStatus::Code(0)))
    );
    assert_eq!(child.programs, [(600, "/bin/ls".to_owned())]);
    assert_eq!(paths(&ledger, 1), ["/srv/x"]);
}

#[test]
fn a_reused_process_id_is_another_process() {
    let mut ledger = ledger();
    for _ in 0..2 {
        ledger.on_fork(11, ROOT, 0);
        ledger.call(&record(11, "read", [0; 4], "", 0), 0);
        ledger.on_exit(11, 0, ExitStatus::Signal(9));
    }
    assert_eq!(ledger.processes.len(), 3);
    assert_eq!(ledger.processes[2].calls.len(), 1);
}

#[test]
fn too_many_processes_are_counted_as_one() {
    let mut ledger = ledger();
    for number in 0..PROCESSES_MAX as i32 + 10 {
        ledger.on_fork(100 + number, ROOT, 0);
        ledger.call(&record(100 + number, "read", [0; 4], "", 0), 0);
    }
    assert_eq!(ledger.processes.len(), PROCESSES_MAX + 1);
    let others = ledger.processes.last().expect("there are some");
    assert_eq!((others.process_count, others.calls[&(call("read"), false)].count()), (11, 11));
}
