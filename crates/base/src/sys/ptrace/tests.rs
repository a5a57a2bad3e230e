//! Stops of traced programs, CPU affinity, and reading of memory.

use super::*;
use crate::sys::stopped_child::{SpawnOptions, StoppedChild};
use std::ffi::OsString;
use std::path::Path;

fn start<'a>(file: &'a str, arguments: &'a [OsString]) -> SpawnOptions<'a> {
    SpawnOptions {
        file: Path::new(file),
        arguments,
        environment: &[],
        directory: Path::new("/"),
        pre_exec: None,
        probe_calls: 0,
    }
}

/// All stops of a program under ptrace. `None` where ptrace is forbidden; the error must be
/// `EPERM`.
fn stops(arguments: &[&str]) -> Option<Vec<Stop>> {
    let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
    let child = StoppedChild::spawn(start("/bin/sh", &arguments)).expect("a fork");
    if let Err(error) = seize(child.process, Orphan::Killed) {
        assert_eq!(error, Errno::PERM);
        return None;
    }
    let process = child.process;
    interrupt(process).expect("it is traced");
    let running = child.resume().expect("the child waits");
    let mut stops = Vec::new();
    // Other tests have children too, so only this one is waited for.
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
    drop(running);
    Some(stops)
}

#[test]
fn a_program_stops_at_system_calls_and_at_its_end() {
    if let Some(stops) = stops(&["sh", "-c", "exit 7"]) {
        assert_eq!(stops[0], Stop::Attached);
        assert!(stops.iter().any(|stop| matches!(stop, Stop::Exec(_))), "{stops:?}");
        assert!(stops.iter().filter(|stop| **stop == Stop::Syscall).count() > 10, "{stops:?}");
        assert_eq!(stops.last(), Some(&Stop::Exited(7)));
    }
}

#[test]
fn a_signal_stops_before_it_is_delivered() {
    if let Some(stops) = stops(&["sh", "-c", "kill -TERM $$"]) {
        assert!(stops.contains(&Stop::Signal(15)), "{stops:?}");
        assert_eq!(stops.last(), Some(&Stop::Killed(15)));
    }
}

#[test]
fn unpinning_restores_the_affinity() {
    let child = StoppedChild::spawn(start("/bin/true", &["true".into()])).expect("a fork");
    let process = Pid::from_raw(child.process);
    let before = sched_getaffinity(process).expect("it is there");
    let pin = CpuPin::new(child.process).expect("one is always allowed");
    let count = |thread| sched_getaffinity(thread).expect("it is there").count();
    assert_eq!([count(process), count(None)], [1, 1]);
    pin.undo(child.process);
    pin.undo(0);
    assert_eq!(sched_getaffinity(process), Ok(before));
    assert_eq!(sched_getaffinity(None), Ok(before));
}

#[test]
fn memory_is_read_up_to_its_end() {
    let text = b"a text in memory";
    let mut buffer = [0; 8];
    let own = std::process::id() as i32;
    assert_eq!(read_memory(own, text.as_ptr() as u64, &mut buffer), 8);
    assert_eq!(&buffer, b"a text i");
    assert_eq!(read_memory(own, 8, &mut buffer), 0);
}
