//! Ending a child, its group, and everything below it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{BufRead, BufReader};
use std::time::Duration;

use rusk_spawn::{Child, Command, Ending, Exit, Means, Stdio, Whom};

const TERMINATED: Exit = Exit::Signal { number: libc::SIGTERM, dumped_core: false };
const KILLED: Exit = Exit::Signal { number: libc::SIGKILL, dumped_core: false };
/// A limit that is to be reached, and one that is not.
const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_secs(30);

/// A shell that has said its first line.
fn begin(program: &str, set_up: impl Fn(&mut Command) -> &mut Command) -> Child {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", program]).stdin(Stdio::Null).stdout(Stdio::Pipe);
    let mut child = set_up(&mut command).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    child
}

fn term(limit: Duration, whom: Whom) -> Ending {
    Ending { signal: libc::SIGTERM, limit, whom }
}

/// A time to sleep that no other process of this machine sleeps: those who do can be found by it.
fn unique(seconds: u32) -> String {
    format!("{seconds}.{}", std::process::id())
}

/// Processes that run with this word among theirs.
fn running(word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for folder in std::fs::read_dir("/proc").unwrap().flatten() {
        let words = std::fs::read_to_string(folder.path().join("cmdline")).unwrap_or_default();
        if words.split('\0').any(|found| found == word) {
            found.push(folder.path().display().to_string());
        }
    }
    found
}

#[test]
fn a_child_that_obeys_is_not_forced() {
    let mut child = begin("echo ready; exec sleep 1000", |command| command);
    let end = child.end(term(LONG, Whom::Process)).unwrap();
    assert_eq!((end.exit, end.means, end.was_forced), (Some(TERMINATED), Means::Process, false));
    let again = child.end(term(LONG, Whom::Process)).unwrap();
    assert_eq!((again.exit, again.was_forced), (Some(TERMINATED), false));
}

#[test]
fn a_child_that_does_not_obey_is_killed() {
    for whom in [Whom::Process, Whom::Group, Whom::Everything] {
        let program = "trap '' TERM; echo ready; exec sleep 1000";
        let mut child = begin(program, |command| command.new_session().own_cgroup());
        let end = child.end(term(SHORT, whom)).unwrap();
        assert_eq!((end.exit, end.was_forced, end.left), (Some(KILLED), true, vec![]), "{whom:?}");
    }
}

#[test]
fn a_child_that_could_not_be_started_is_told_so() {
    let mut child = Command::new("/no/such/program").new_session().mark().spawn().unwrap();
    for whom in [Whom::Everything, Whom::Group, Whom::Process] {
        assert_eq!(child.end(Ending::at_once(whom)).unwrap_err().errno(), libc::ENOENT, "{whom:?}");
    }
}

#[test]
fn a_group_is_told_and_has_time() {
    let word = unique(1005);
    let program = format!("trap 'exit 5' TERM; sh -c 'echo ready; exec sleep {word}' & wait");
    let mut child = begin(&program, |command| command.join_process_group(0));
    let end = child.end(term(LONG, Whom::Group)).unwrap();
    assert_eq!((end.exit, end.means, end.was_forced), (Some(Exit::Status(5)), Means::Group, false));
    assert_eq!(running(&word), [""; 0]);
}

#[test]
fn what_is_left_of_a_group_can_be_ended_after_its_leader() {
    let word = unique(1006);
    let program = format!("sh -c 'echo ready; exec sleep {word}' &");
    let mut child = begin(&program, |command| command.new_session());
    assert_eq!(child.wait().unwrap(), Exit::Status(0));
    let end = child.end(Ending::at_once(Whom::Group)).unwrap();
    assert_eq!((end.exit, end.means), (Some(Exit::Status(0)), Means::Group));
    assert_eq!(running(&word), [""; 0]);
}

#[test]
fn a_child_in_our_own_group_is_ended_alone() {
    let mut child = begin("echo ready; exec sleep 1000", |command| command);
    let end = child.end(Ending::at_once(Whom::Group)).unwrap();
    assert_eq!((end.exit, end.means), (Some(KILLED), Means::Process));
}

/// Ends everything below a program that starts `sleep WORD`, by every means, while others run.
#[track_caller]
fn check_everything(program: &str, seconds: u32, signal: i32) {
    let word = unique(seconds);
    let program = program.replace("WORD", &word);
    let set_ups: [fn(&mut Command) -> &mut Command; 3] = [
        |command| command.own_cgroup().mark(),
        |command| command.mark(),
        |command| command.mark().new_session(),
    ];
    let mut stranger = std::process::Command::new("sleep").arg("2000").spawn().unwrap();
    let mut other = Command::new("sleep").arg("2000").mark().spawn().unwrap();
    for (index, set_up) in set_ups.iter().enumerate() {
        let mut child = begin(&program, set_up);
        let end = child.end(Ending { signal, limit: SHORT, whom: Whom::Everything }).unwrap();
        assert!(index == 0 || end.means == Means::Walk, "{end:?}");
        assert_eq!((running(&word), end.left), (vec![], vec![]), "{index}");
        assert!(end.exit.is_some());
    }
    assert!(stranger.try_wait().unwrap().is_none() && other.try_wait().unwrap().is_none());
    stranger.kill().unwrap();
    stranger.wait().unwrap();
    other.end(Ending::at_once(Whom::Process)).unwrap();
}

#[test]
fn children_in_the_background_are_ended() {
    check_everything("sleep WORD & (sleep WORD; :) & echo ready; wait", 1001, libc::SIGTERM);
}

#[test]
fn a_child_that_left_its_session_and_its_parent_is_ended() {
    let program = "(setsid sh -c 'echo ready; sleep WORD; :' &); sleep WORD; :";
    check_everything(program, 1002, libc::SIGTERM);
    let program = "(setsid sh -c 'sleep WORD & echo ready')";
    check_everything(program, 1007, libc::SIGTERM);
}

#[test]
fn children_that_do_not_obey_are_ended() {
    check_everything(
        "trap '' TERM; sleep WORD & echo ready; while :; do sleep WORD; done",
        1003,
        libc::SIGTERM,
    );
}

#[test]
fn children_that_go_on_starting_others_are_ended() {
    // Two levels, each as fast as it can, and an end to it should this test fail.
    let program = "more() { n=0; while [ $n -lt 500 ]; do n=$((n+1)); sleep WORD & done; wait; }
        trap '' TERM; more & more & echo ready; more";
    check_everything(program, 1004, libc::SIGKILL);
}
