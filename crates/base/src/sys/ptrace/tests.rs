//! Traced programs: what they stop for; and memory, read up to where it ends.

use super::*;
use crate::sys::stopped_child::{SpawnOptions, StoppedChild};
use std::ffi::OsString;
use std::path::Path;

fn start<'a>(file: &'a str, words: &'a [OsString]) -> SpawnOptions<'a> {
    SpawnOptions {
        file: Path::new(file),
        arguments: words,
        environment: &[],
        directory: Path::new("/"),
        pre_exec: None,
        calls: 0,
    }
}

/// A program under our eyes: what it stops for. Where ptrace is forbidden, that is what must be
/// said.
fn stops(words: &[&str]) -> Option<Vec<Stop>> {
    let words: Vec<OsString> = words.iter().map(OsString::from).collect();
    let held = StoppedChild::spawn(start("/bin/sh", &words)).expect("a fork");
    if let Err(error) = seize(held.process) {
        assert_eq!(error, Errno::PERM);
        return None;
    }
    let process = held.process;
    interrupt(process).expect("it is traced");
    let released = held.resume().expect("an open gate");
    let mut stops = Vec::new();
    // Other tests have children too; only ours is waited for.
    loop {
        let mut status = 0;
        // SAFETY: `status` has room for the answer.
        assert_eq!(unsafe { libc::waitpid(process, &mut status, libc::__WALL) }, process);
        let stop = stop(process, status);
        stops.push(stop);
        match stop {
            Stop::Exited(_) | Stop::Killed(_) => break,
            Stop::Signal(signal) => resume_to_syscall(process, signal).expect("it is stopped"),
            _ => resume_to_syscall(process, 0).expect("it is stopped"),
        }
    }
    drop(released);
    Some(stops)
}

#[test]
fn a_program_stops_at_its_calls_and_at_its_end() {
    if let Some(stops) = stops(&["sh", "-c", "exit 7"]) {
        assert_eq!(stops[0], Stop::Attached);
        assert!(stops.iter().any(|stop| matches!(stop, Stop::Exec(_))), "{stops:?}");
        assert!(stops.iter().filter(|stop| **stop == Stop::Syscall).count() > 10, "{stops:?}");
        assert_eq!(stops.last(), Some(&Stop::Exited(7)));
    }
}

#[test]
fn a_signal_is_seen_before_it_arrives() {
    if let Some(stops) = stops(&["sh", "-c", "kill -TERM $$"]) {
        assert!(stops.contains(&Stop::Signal(15)), "{stops:?}");
        assert_eq!(stops.last(), Some(&Stop::Killed(15)));
    }
}

#[test]
fn a_pinned_program_is_free_again() {
    let held = StoppedChild::spawn(start("/bin/true", &["true".into()])).expect("a fork");
    let process = Pid::from_raw(held.process);
    let before = sched_getaffinity(process).expect("it is there");
    let pin = CpuPin::with(held.process).expect("one is always allowed");
    let count = |thread| sched_getaffinity(thread).expect("it is there").count();
    assert_eq!([count(process), count(None)], [1, 1]);
    pin.undo(held.process);
    pin.undo(0);
    assert_eq!(sched_getaffinity(process), Ok(before));
    assert_eq!(sched_getaffinity(None), Ok(before));
}

#[test]
fn memory_is_read_up_to_where_it_ends() {
    let text = b"a text in memory";
    let mut buffer = [0; 8];
    let own = std::process::id() as i32;
    assert_eq!(read_memory(own, text.as_ptr() as u64, &mut buffer), 8);
    assert_eq!(&buffer, b"a text i");
    assert_eq!(read_memory(own, 8, &mut buffer), 0);
}
