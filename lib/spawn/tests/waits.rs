//! Waits for a child's end: however long, however often, and when somebody else was first.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::Read;
use std::time::Duration;

use probe::{Role, WAYS, Way};
use rusk_spawn::{Command, Exit, Stdio, Step};

mod probe;

const ROLES: &[Role] = &[("ignoring", ignoring)];

fn command(way: Way, program: &str) -> Command {
    let mut command = Command::new(program);
    command.mode(way.mode).table(way.table).stdout(Stdio::Pipe);
    command
}

#[test]
fn an_end_is_told_as_often_as_it_is_asked_for() {
    for way in WAYS {
        let mut child = command(*way, "false").spawn().unwrap();
        for _ in 0..3 {
            assert_eq!(child.wait().unwrap(), Exit::Status(1), "{way:?}");
            assert_eq!(child.try_wait().unwrap(), Some(Exit::Status(1)), "{way:?}");
        }
        child.kill().unwrap();
        let mut child = command(*way, "/no/such/program").spawn().unwrap();
        for _ in 0..3 {
            assert_eq!(child.wait().unwrap_err().errno(), libc::ENOENT, "{way:?}");
        }
    }
}

#[test]
fn a_limit_may_be_as_long_as_can_be_said() {
    for way in WAYS {
        for limit in [Duration::MAX, Duration::from_secs(u64::MAX / 2), Duration::from_secs(1 << 40)] {
            let mut child = command(*way, "true").spawn().unwrap();
            assert_eq!(child.wait_for(limit).unwrap(), Some(Exit::Status(0)), "{way:?}");
        }
        let mut without = command(*way, "true");
        let mut child = without.without_pidfd().spawn().unwrap();
        assert_eq!(child.wait_for(Duration::MAX).unwrap(), Some(Exit::Status(0)), "{way:?}");
    }
}

#[test]
fn who_was_reaped_by_somebody_else_is_gone() {
    for way in WAYS {
        let mut child = command(*way, "true").spawn().unwrap();
        let mut status = 0;
        // SAFETY: the kernel writes one number.
        assert_eq!(unsafe { libc::waitpid(child.id(), &mut status, 0) }, child.id());
        let error = child.wait().unwrap_err();
        assert_eq!((error.step(), error.errno()), (Step::Wait, libc::ECHILD), "{way:?}");
        let error = child.kill().unwrap_err();
        assert_eq!((error.step(), error.errno()), (Step::Kill, libc::ESRCH), "{way:?}");
    }
}

#[test]
fn a_start_that_went_wrong_is_told_where_the_kernel_reaps() {
    probe::run_role_in_every_way("ignoring");
}

/// Whoever ignores SIGCHLD leaves no ends to be waited for.
fn ignoring(words: &[String]) {
    let way = probe::way(words);
    // SAFETY: no handler.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
    for _ in 0..20 {
        let error = command(way, "/no/such/program").spawn().unwrap().wait().unwrap_err();
        assert_eq!((error.step(), error.errno()), (Step::Exec, libc::ENOENT), "{way:?}");
        let mut child = command(way, "echo").arg("said").spawn().unwrap();
        let mut said = String::new();
        child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        let error = child.wait().unwrap_err();
        assert_eq!(
            (said.as_str(), error.step(), error.errno()),
            ("said\n", Step::Wait, libc::ECHILD),
            "{way:?}"
        );
    }
}
