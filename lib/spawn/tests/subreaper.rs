//! Subreaper. It cannot be undone: this file has one test.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{BufRead, BufReader};

use rusk_spawn::{Command, Exit, KillMethod, KillScope, Stdio, Termination, adopt_orphans, reap_orphans};

/// Zombie children of this process.
fn zombies() -> Vec<String> {
    let parent = format!("PPid:\t{}\n", std::process::id());
    let dirs = std::fs::read_dir("/proc").unwrap().flatten();
    let statuses = dirs.flat_map(|dir| std::fs::read_to_string(dir.path().join("status")));
    statuses.filter(|status| status.contains(&parent) && status.contains("State:\tZ")).collect()
}

#[test]
fn orphans_are_found_and_reaped() {
    adopt_orphans().unwrap();
    let mut command = Command::new("/bin/sh");
    command.stdin(Stdio::Null).stdout(Stdio::Pipe);
    // No other process of this computer sleeps so long.
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
    // Orphans that exited before they were found are reaped here; children of the library are not.
    reap_orphans().unwrap();
    assert_eq!(ended.wait().unwrap(), Exit::Status(0));
    assert_eq!(zombies(), [""; 0]);
}
