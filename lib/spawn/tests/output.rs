//! Collecting the output of a program, with limits.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use rusk_spawn::{
    CollectOptions, CollectedOutput, Command, Exit, KillScope, Stdio, Step, Stream, TableChoice, Truncation,
};

const KILLED: Exit = Exit::Signal { number: libc::SIGKILL, dumped_core: false };
/// A limit that is reached, and one that is not.
const SHORT: Duration = Duration::from_millis(100);
const LONG: Duration = Duration::from_secs(30);

fn shell(program: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", program]);
    command
}

/// A run with the first limit that leaves it time on this machine, which may be busy with others.
fn first_in_time(
    run: impl Fn(Duration) -> CollectedOutput,
    is_in_time: impl Fn(&CollectedOutput) -> bool,
) -> CollectedOutput {
    let limits = [SHORT, SHORT * 10, SHORT * 100];
    limits.into_iter().map(run).find(is_in_time).expect("a limit that suffices")
}

#[test]
fn output_and_errors_are_collected() {
    let found = shell("echo out; echo err >&2; exit 3").output().unwrap();
    let wanted = CollectedOutput {
        exit: Exit::Status(3),
        stdout: b"out\n".into(),
        stderr: b"err\n".into(),
        truncation: None,
    };
    assert_eq!(found, wanted);
    assert!(!found.is_success() && shell("true").output().unwrap().is_success());
    assert_eq!(shell("exit 4").status().unwrap(), Exit::Status(4));
}

#[test]
fn both_outputs_are_read_to_their_ends() {
    const SPAWN_VARIANTS: [TableChoice; 3] = [TableChoice::Awaited, TableChoice::Copied, TableChoice::Shared];
    for table in SPAWN_VARIANTS {
        let mut command = shell("head -c 300000 /dev/zero; head -c 200001 /dev/zero >&2; exit 3");
        command.stdin(Stdio::Null).stdout(Stdio::Pipe).stderr(Stdio::Pipe).table(table).without_pidfd();
        let (mut child, mut counts) = (command.spawn().unwrap(), [0, 0]);
        let mut count = |stream: Stream, bytes: &[u8]| {
            counts[stream as usize] += bytes.len();
            ControlFlow::Continue(())
        };
        child.read_outputs(&mut [0; 1 << 16], &mut count).unwrap();
        assert_eq!((counts, child.wait().unwrap()), ([300_000, 200_001], Exit::Status(3)), "{table:?}");
        assert!(child.stdout.is_none() && child.stderr.is_none());
    }
}

#[test]
fn a_reader_of_outputs_can_stop() {
    let mut child = shell("exec yes").stdout(Stdio::Pipe).spawn().unwrap();
    let mut pieces = 0;
    let first = child.read_outputs(&mut [0; 100], |stream, bytes| {
        pieces += 1;
        assert_eq!((stream, bytes.len()), (Stream::Stdout, 100));
        ControlFlow::Break(())
    });
    first.unwrap();
    assert!(child.stdout.is_some() && pieces == 1);
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap(), KILLED);
}

#[test]
fn outputs_of_a_program_that_is_not_there_end() {
    for table in [TableChoice::Awaited, TableChoice::Chosen, TableChoice::Shared] {
        let mut command = Command::new("/nonexistent/program");
        command.stdin(Stdio::Null).stdout(Stdio::Pipe).stderr(Stdio::Pipe).table(table).without_pidfd();
        let mut child = command.spawn().unwrap();
        child.read_outputs(&mut [0; 16], |_, _| panic!("the pipe has no writer")).unwrap();
        assert_eq!(child.wait().unwrap_err().step(), Step::Exec, "{table:?}");
    }
}

#[test]
fn a_program_reads_its_input_or_an_empty_one() {
    let input = vec![b'x'; 1_000_000];
    let found =
        shell("cat").collect(&CollectOptions { input: input.clone(), ..CollectOptions::default() }).unwrap();
    assert!(found.stdout == input && found.is_success());
    assert_eq!(shell("cat").output().unwrap().stdout, b"");
}

#[test]
fn bytes_are_read_from_memory() {
    let input = vec![b'x'; 1_000_000];
    for input in [b"".as_slice(), b"few", &input] {
        let found = shell("cat").stdin(Stdio::bytes(input).unwrap()).output().unwrap();
        assert!(found.stdout == input && found.is_success());
    }
}

#[test]
fn resource_usage_is_reported_at_the_end() {
    let mut child = shell("i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done").spawn().unwrap();
    assert_eq!(child.usage(), None);
    child.wait().unwrap();
    let usage = child.usage().unwrap();
    assert!(usage.user + usage.system > Duration::from_millis(1), "{usage:?}");
    assert!(usage.resident_bytes_max > 100_000, "{usage:?}");
    let mut idle = shell("exec true").spawn().unwrap();
    idle.wait().unwrap();
    let idle = idle.usage().unwrap();
    // A kernel that samples may count a short process as one of the two alone.
    assert!(idle.user + idle.system < usage.user + usage.system, "{idle:?} {usage:?}");
}

#[test]
fn explicit_streams_are_not_collected() {
    let found = shell("echo out; echo err >&2").stderr(Stdio::Null).output().unwrap();
    assert_eq!((found.stdout.as_slice(), found.stderr.as_slice()), (&b"out\n"[..], &b""[..]));
}

#[test]
fn a_program_that_cannot_be_run_is_an_error() {
    let command = Command::new("/no/such/program");
    for error in [command.output().unwrap_err(), command.status().unwrap_err()] {
        assert_eq!((error.step(), error.errno()), (Step::Exec, libc::ENOENT));
    }
}

#[test]
fn a_program_that_never_stops_writing_is_stopped() {
    let options = CollectOptions { bytes_max: 300_001, ..CollectOptions::default() };
    let found = Command::new("yes").collect(&options).unwrap();
    assert_eq!(
        (found.exit, found.truncation, found.stdout.len()),
        (KILLED, Some(Truncation::SizeLimit), 300_001)
    );
    // Exactly the allowed amount is complete.
    let options = CollectOptions { bytes_max: 10, ..CollectOptions::default() };
    assert!(shell("printf 12345; printf 67890 >&2").collect(&options).unwrap().is_success());
    let found = shell("while :; do echo more; done").output_for(SHORT).unwrap();
    assert_eq!((found.exit, found.truncation), (KILLED, Some(Truncation::TimeLimit)));
}

#[test]
fn a_program_that_takes_too_long_is_killed() {
    let run = |limit| {
        let found = shell("echo early; exec sleep 1000").output_for(limit).unwrap();
        assert_eq!((found.exit, found.truncation), (KILLED, Some(Truncation::TimeLimit)));
        found
    };
    first_in_time(run, |found| found.stdout == b"early\n");
    assert!(shell("true").output_for(LONG).unwrap().is_success());
}

#[test]
fn a_background_process_does_not_block_the_caller() {
    let run = |limit| {
        let options =
            CollectOptions { limit: Some(limit), scope: KillScope::Group, ..CollectOptions::default() };
        let began = Instant::now();
        let found = shell("sleep 1000 & echo $!").new_session().collect(&options).unwrap();
        assert_eq!(found.truncation, Some(Truncation::TimeLimit));
        assert!(began.elapsed() < limit + LONG);
        found
    };
    let found = first_in_time(run, |found| found.exit == Exit::Status(0));
    let left = String::from_utf8(found.stdout).unwrap();
    let status = std::fs::read_to_string(format!("/proc/{}/status", left.trim())).unwrap_or_default();
    assert!(status.is_empty() || status.contains("State:\tZ"), "{status}");
}
