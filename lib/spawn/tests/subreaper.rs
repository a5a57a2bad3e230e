//! A process that adopts orphans. It is one for good: this file has one test.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{BufRead, BufReader};

use rusk_spawn::{Command, Exit, KillMethod, KillScope, Stdio, Termination, adopt_orphans, reap_orphans};

/// Ended children of this process that wait to be reaped.
fn zombies() -> Vec<String> {
    let parent = format!("PPid:\t{}\n", std::process::id());
    let folders = std::fs::read_dir("/proc").unwrap().flatten();
    let statuses = folders.flat_map(|dir| std::fs::read_to_string(dir.path().join("status")));
    statuses.filter(|status| status.contains(&parent) && status.contains("State:\tZ")).collect()
}

#[test]
fn orphans_are_found_and_reaped() {
    adopt_orphans().unwrap();
    let mut command = Command::new("/bin/sh");
    command.stdin(Stdio::Null).stdout(Stdio::Pipe);
    // No other process of this machine sleeps so long.
    let arg = format!("1010.{}", std::process::id());
    let program = "(setsid sh -c 'sleep WORD & (sleep WORD & :) & echo $!; wait' &); sleep WORD; :";
    command.args(["-c", &program.replace("WORD", &arg)]);
    let mut ended = Command::new("true").spawn().unwrap();
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();

    let end = child.terminate(Termination::immediate(KillScope::Tree)).unwrap();
    assert_eq!((end.method, end.survivors), (KillMethod::ProcTree, vec![]));
    let mut left = String::new();
    for dir in std::fs::read_dir("/proc").unwrap().flatten() {
        left += &std::fs::read_to_string(dir.path().join("cmdline")).unwrap_or_default();
    }
    assert!(!left.contains(&arg));
    // What ended before anybody looked was not found, and is reaped here; what the library started
    // is not touched.
    reap_orphans().unwrap();
    assert_eq!(ended.wait().unwrap(), Exit::Status(0));
    assert_eq!(zombies(), [""; 0]);
}
