//! Records of BPF programs, and the resulting ledger.

use super::*;
use crate::trace::{Collector, CpuAffinity, StopCondition};

const ROOT: i32 = 10;

/// An encoded record.
fn record(kind: u32, [thread, process]: [i32; 2], time_ns: u64, result: i64, number: u32) -> Vec<u8> {
    let path = 0_u32;
    let mut bytes = Vec::new();
    [kind, path, thread as u32, process as u32].iter().for_each(|word| bytes.extend(word.to_ne_bytes()));
    [1_000, time_ns, result as u64].iter().for_each(|word| bytes.extend(word.to_ne_bytes()));
    [number, 0].iter().for_each(|word| bytes.extend(word.to_ne_bytes()));
    bytes.resize(programs::HEADER_BYTES, 0);
    bytes
}

fn call(name: &str, thread: [i32; 2], result: i64) -> Vec<u8> {
    let call = Syscall::find(Arch::OWN, name).expect("a call of this name");
    record(programs::KIND_CALL, thread, 50, result, call.number)
}

/// A thread exits; `status` as in wait(2).
fn exit(thread: [i32; 2], status: i64) -> Vec<u8> {
    record(programs::KIND_EXIT, thread, 0, status, 0)
}

fn fork(thread: [i32; 2]) -> Vec<u8> {
    record(programs::KIND_FORK, thread, 0, ROOT.into(), 0)
}

/// A reader after the command has started and these records were read.
fn reader(records: &[Vec<u8>]) -> Reader {
    let options = TraceOptions {
        file: "/bin/x".into(),
        arguments: Vec::new(),
        environment: Vec::new(),
        current_dir: "/".into(),
        stop: StopCondition::Exit,
        collector: Collector::Bpf,
        affinity: CpuAffinity::All,
    };
    let mut reader = Reader::new(&options);
    let before = [fork([ROOT, ROOT]), call("getppid", [ROOT, ROOT], 1), call("execve", [ROOT, ROOT], 0)];
    before.iter().chain(records).for_each(|record| reader.record(record));
    reader
}

/// Checks the counts of a call that returned, and of unfinished calls, in the command's process.
#[track_caller]
fn check(records: &[Vec<u8>], name: &str, returned: u64, unfinished: u64) {
    let reader = reader(records);
    let process = &reader.ledger.processes[0];
    let call = Syscall::find(Arch::OWN, name).expect("a call of this name");
    let of_it = process.calls.iter().filter(|((known, _), _)| *known == call);
    assert_eq!(of_it.map(|(_, stats)| stats.count()).sum::<u64>(), returned);
    assert_eq!(process.unfinished, unfinished);
}

#[test]
fn the_command_begins_with_its_own_execve() {
    check(&[], "getppid", 0, 0);
    check(&[], "execve", 1, 0);
}

#[test]
fn an_interrupted_call_counts_unless_its_thread_was_killed() {
    let (root, broken) = ([ROOT, ROOT], || call("nanosleep", [ROOT, ROOT], -516));
    check(&[broken(), call("restart_syscall", root, 0)], "nanosleep", 1, 0);
    check(&[broken(), exit(root, 15)], "nanosleep", 1, 0);
    check(&[broken(), exit(root, 9)], "nanosleep", 0, 1);
    check(&[broken(), exit(root, 3 << 8)], "nanosleep", 0, 1);
}

#[test]
fn a_process_ends_with_its_last_thread() {
    let (first, second) = ([ROOT, ROOT], [11, ROOT]);
    let running = reader(&[fork(second), exit(first, 0), call("getppid", second, 1)]);
    assert!(!running.has_ended);
    assert_eq!(running.ledger.processes[0].threads, 2);
    let over = reader(&[fork(second), exit(first, 0), exit(second, 7 << 8)]);
    assert!(over.has_ended);
    assert_eq!(over.ledger.processes[0].end, Some(ExitStatus::Code(7)));
}

#[test]
fn a_child_is_known_before_its_first_call() {
    let reader = reader(&[fork([20, 20]), call("getppid", [20, 20], 10), exit([20, 20], 9)]);
    let child = &reader.ledger.processes[1];
    assert_eq!((child.parent, child.calls.len(), child.end), (Some(0), 1, Some(ExitStatus::Signal(9))));
}
