//! StoppedChild programs: what they get, how they end, what is told of those that cannot run.

use std::time::Duration;

use super::*;
use crate::sys::epoll::{Epoll, EventFlags};

fn start(file: &str) -> SpawnOptions<'_> {
    SpawnOptions {
        file: Path::new(file),
        arguments: &[],
        environment: &[],
        directory: Path::new("/usr"),
        pre_exec: None,
        calls: 0,
    }
}

/// What a held program leaves behind: its end, and what was known of its start.
fn run(file: &str, words: &[&str]) -> (ExitStatus, Result<ProbeTimes>) {
    let words: Vec<OsString> = words.iter().map(OsString::from).collect();
    let variables = [("GREETING".into(), "hello".into())];
    let start = SpawnOptions { arguments: &words, environment: &variables, calls: 16, ..start(file) };
    let held = StoppedChild::spawn(start).expect("a fork");
    let released = held.resume().expect("an open gate");
    let started = released.probe_times();
    let (epoll, mut ready) = (Epoll::new().expect("a set"), Vec::new());
    epoll.add(released.as_fd(), 7, EventFlags::IN).expect("its end can be waited for");
    epoll.wait(&mut ready, Some(Duration::from_secs(20))).expect("a wait");
    assert_eq!(ready.first().map(|ready| ready.token), Some(7));
    let end = released.wait().expect("a child");
    (end, started)
}

#[test]
fn a_program_gets_its_words_and_variables() {
    let (status, started) =
        run("/bin/sh", &["sh", "-c", r#"test "$GREETING $1 $PWD" = "hello you /usr""#, "x", "you"]);
    assert_eq!(status, ExitStatus::Code(0));
    let started = started.expect("it ran");
    assert!(started.untraced_ns > 0 && started.traced_ns > 0, "{started:?}");
}

#[test]
fn a_signal_that_ends_it_is_told() {
    assert_eq!(run("/bin/sh", &["sh", "-c", "kill -TERM $$"]).0, ExitStatus::Signal(15));
}

#[test]
fn a_program_that_is_not_there_is_told() {
    let (status, started) = run("/proc/nowhere/at/all", &["all"]);
    assert_eq!((status, started), (ExitStatus::Code(127), Err(Errno::NOENT)));
}

#[test]
fn a_program_that_is_never_released_ends() {
    let held = StoppedChild::spawn(start("/bin/true")).expect("a fork");
    let process = held.process;
    drop(held);
    let mut status = 0;
    // SAFETY: `status` has room for the answer, and the child is ours.
    unsafe { libc::waitpid(process, &mut status, 0) };
    assert_eq!(libc::WEXITSTATUS(status), 127);
}

#[test]
fn a_nul_in_a_word_is_refused() {
    let words = ["a\0b".into()];
    let held = StoppedChild::spawn(SpawnOptions { arguments: &words, ..start("/bin/true") });
    assert_eq!(held.err(), Some(SpawnError::System(Errno::INVAL)));
}

#[test]
fn a_way_in_says_what_is_run_and_where() {
    let words = ["sh".into(), "-c".into(), "test $PWD = /usr".into()];
    let way_in = || super::super::chdir("/usr").map(|()| "/bin/sh".into()).map_err(|_| Vec::new());
    let held = StoppedChild::spawn(SpawnOptions {
        arguments: &words,
        pre_exec: Some(&way_in),
        ..start("/proc/nowhere")
    });
    let released = held.expect("a fork").resume().expect("an open gate");
    assert_eq!(released.wait().expect("a child"), ExitStatus::Code(0));
}

#[test]
fn a_way_that_leads_nowhere_is_told() {
    let held = StoppedChild::spawn(SpawnOptions {
        pre_exec: Some(&|| Err(b"a wall".to_vec())),
        ..start("/bin/true")
    });
    assert_eq!(held.err(), Some(SpawnError::PreExec(b"a wall".to_vec())));
}
