//! Termination of a child, its group, and its descendants.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{BufRead, BufReader};
use std::time::Duration;

use rusk_spawn::{Child, Command, Exit, KillMethod, KillScope, Stdio, Termination};

const TERMINATED: Exit = Exit::Signal { number: libc::SIGTERM, dumped_core: false };
const KILLED: Exit = Exit::Signal { number: libc::SIGKILL, dumped_core: false };
/// A limit that is reached, and one that is not.
const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_secs(30);

/// A shell that has printed its first line.
fn begin(program: &str, set_up: impl Fn(&mut Command) -> &mut Command) -> Child {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", program]).stdin(Stdio::Null).stdout(Stdio::Pipe);
    let mut child = set_up(&mut command).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    child
}

fn term(limit: Duration, scope: KillScope) -> Termination {
    Termination { signal: libc::SIGTERM, limit, scope }
}

/// A sleep duration that no other process of this computer uses: it identifies the test's
/// processes.
fn unique(seconds: u32) -> String {
    format!("{seconds}.{}", std::process::id())
}

/// The processes with this argument.
fn running(arg: &str) -> Vec<String> {
    let mut found = Vec::new();
    for dir in std::fs::read_dir("/proc").unwrap().flatten() {
        let args = std::fs::read_to_string(dir.path().join("cmdline")).unwrap_or_default();
        if args.split('\0').any(|found| found == arg) {
            found.push(dir.path().display().to_string());
        }
    }
    found
}

#[test]
fn a_child_that_exits_in_time_is_not_killed() {
    let mut child = begin("echo ready; exec sleep 1000", |command| command);
    let end = child.terminate(term(LONG, KillScope::Process)).unwrap();
    assert_eq!((end.exit, end.method, end.was_forced), (Some(TERMINATED), KillMethod::Process, false));
    let again = child.terminate(term(LONG, KillScope::Process)).unwrap();
    assert_eq!((again.exit, again.was_forced), (Some(TERMINATED), false));
}

#[test]
fn a_child_that_ignores_the_signal_is_killed() {
    for scope in [KillScope::Process, KillScope::Group, KillScope::Tree] {
        let program = "trap '' TERM; echo ready; exec sleep 1000";
        let mut child = begin(program, |command| command.new_session().own_cgroup());
        let end = child.terminate(term(SHORT, scope)).unwrap();
        assert_eq!((end.exit, end.was_forced, end.survivors), (Some(KILLED), true, vec![]), "{scope:?}");
    }
}

#[test]
fn terminating_a_failed_start_is_an_error() {
    let mut child = Command::new("/no/such/program").new_session().mark().spawn().unwrap();
    for scope in [KillScope::Tree, KillScope::Group, KillScope::Process] {
        assert_eq!(
            child.terminate(Termination::immediate(scope)).unwrap_err().errno(),
            libc::ENOENT,
            "{scope:?}"
        );
    }
}

#[test]
fn a_group_is_signalled_and_has_time() {
    let arg = unique(1005);
    let program = format!("trap 'exit 5' TERM; sh -c 'echo ready; exec sleep {arg}' & wait");
    let mut child = begin(&program, |command| command.join_process_group(0));
    let end = child.terminate(term(LONG, KillScope::Group)).unwrap();
    assert_eq!((end.exit, end.method, end.was_forced), (Some(Exit::Status(5)), KillMethod::Group, false));
    assert_eq!(running(&arg), [""; 0]);
}

#[test]
fn the_rest_of_a_group_can_be_terminated_after_its_leader() {
    let arg = unique(1006);
    let program = format!("sh -c 'echo ready; exec sleep {arg}' &");
    let mut child = begin(&program, |command| command.new_session());
    assert_eq!(child.wait().unwrap(), Exit::Status(0));
    let end = child.terminate(Termination::immediate(KillScope::Group)).unwrap();
    assert_eq!((end.exit, end.method), (Some(Exit::Status(0)), KillMethod::Group));
    assert_eq!(running(&arg), [""; 0]);
}

#[test]
fn a_child_in_our_own_group_is_terminated_alone() {
    let mut child = begin("echo ready; exec sleep 1000", |command| command);
    let end = child.terminate(Termination::immediate(KillScope::Group)).unwrap();
    assert_eq!((end.exit, end.method), (Some(KILLED), KillMethod::Process));
}

/// Terminates everything below a program that starts `sleep WORD`, by every method, while others
/// run.
#[track_caller]
fn check_tree(program: &str, seconds: u32, signal: i32) {
    let arg = unique(seconds);
    let program = program.replace("WORD", &arg);
    let set_ups: [fn(&mut Command) -> &mut Command; 3] = [
        |command| command.own_cgroup().mark(),
        |command| command.mark(),
        |command| command.mark().new_session(),
    ];
    let mut stranger = std::process::Command::new("sleep").arg("2000").spawn().unwrap();
    let mut other = Command::new("sleep").arg("2000").mark().spawn().unwrap();
    for (index, set_up) in set_ups.iter().enumerate() {
        let mut child = begin(&program, set_up);
        let end = child.terminate(Termination { signal, limit: SHORT, scope: KillScope::Tree }).unwrap();
        assert!(index == 0 || end.method == KillMethod::ProcTree, "{end:?}");
        assert_eq!((running(&arg), end.survivors), (vec![], vec![]), "{index}");
        assert!(end.exit.is_some());
    }
    assert!(stranger.try_wait().unwrap().is_none() && other.try_wait().unwrap().is_none());
    stranger.kill().unwrap();
    stranger.wait().unwrap();
    other.terminate(Termination::immediate(KillScope::Process)).unwrap();
}

#[test]
fn background_children_are_terminated() {
    check_tree("sleep WORD & (sleep WORD; :) & echo ready; wait", 1001, libc::SIGTERM);
}

#[test]
fn a_daemonized_child_is_terminated() {
    let program = "(setsid sh -c 'echo ready; sleep WORD; :' &); sleep WORD; :";
    check_tree(program, 1002, libc::SIGTERM);
    let program = "(setsid sh -c 'sleep WORD & echo ready')";
    check_tree(program, 1007, libc::SIGTERM);
}

#[test]
fn children_that_ignore_the_signal_are_killed() {
    check_tree("trap '' TERM; sleep WORD & echo ready; while :; do sleep WORD; done", 1003, libc::SIGTERM);
}

#[test]
fn children_that_keep_forking_are_killed() {
    // Two levels, each as fast as it can, with a limit in case this test fails.
    let program = "more() { n=0; while [ $n -lt 500 ]; do n=$((n+1)); sleep WORD & done; wait; }
        trap '' TERM; more & more & echo ready; more";
    check_tree(program, 1004, libc::SIGKILL);
}
