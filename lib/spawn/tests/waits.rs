//! Waits for a child's exit: with any limit, repeated, and after other code has reaped it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::Read;
use std::time::Duration;

use probe::{Role, SPAWN_VARIANTS, SpawnVariant};
use rusk_spawn::{Command, Exit, Stdio, Step};

mod probe;

const ROLES: &[Role] = &[("ignoring", ignoring)];

fn command(variant: SpawnVariant, program: &str) -> Command {
    let mut command = Command::new(program);
    command.mode(variant.mode).table(variant.table).stdout(Stdio::Pipe);
    command
}

#[test]
fn the_exit_is_returned_every_time() {
    for variant in SPAWN_VARIANTS {
        let mut child = command(*variant, "false").spawn().unwrap();
        for _ in 0..3 {
            assert_eq!(child.wait().unwrap(), Exit::Status(1), "{variant:?}");
            assert_eq!(child.try_wait().unwrap(), Some(Exit::Status(1)), "{variant:?}");
        }
        child.kill().unwrap();
        let mut child = command(*variant, "/no/such/program").spawn().unwrap();
        for _ in 0..3 {
            assert_eq!(child.wait().unwrap_err().errno(), libc::ENOENT, "{variant:?}");
        }
    }
}

#[test]
fn the_longest_limit_is_valid() {
    for variant in SPAWN_VARIANTS {
        for limit in [Duration::MAX, Duration::from_secs(u64::MAX / 2), Duration::from_secs(1 << 40)] {
            let mut child = command(*variant, "true").spawn().unwrap();
            assert_eq!(child.wait_for(limit).unwrap(), Some(Exit::Status(0)), "{variant:?}");
        }
        let mut without = command(*variant, "true");
        let mut child = without.without_pidfd().spawn().unwrap();
        assert_eq!(child.wait_for(Duration::MAX).unwrap(), Some(Exit::Status(0)), "{variant:?}");
    }
}

#[test]
fn a_child_reaped_elsewhere_is_an_error() {
    for variant in SPAWN_VARIANTS {
        let mut child = command(*variant, "true").spawn().unwrap();
        let mut status = 0;
        // SAFETY: the kernel writes one number.
        assert_eq!(unsafe { libc::waitpid(child.id(), &mut status, 0) }, child.id());
        let error = child.wait().unwrap_err();
        assert_eq!((error.step(), error.errno()), (Step::Wait, libc::ECHILD), "{variant:?}");
        let error = child.kill().unwrap_err();
        assert_eq!((error.step(), error.errno()), (Step::Kill, libc::ESRCH), "{variant:?}");
    }
}

#[test]
fn start_errors_are_returned_if_sigchld_is_ignored() {
    probe::run_role_in_every_variant("ignoring");
}

/// A process that ignores SIGCHLD gets no exit statuses.
fn ignoring(args: &[String]) {
    let variant = probe::variant(args);
    // SAFETY: no handler.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
    for _ in 0..20 {
        let error = command(variant, "/no/such/program").spawn().unwrap().wait().unwrap_err();
        assert_eq!((error.step(), error.errno()), (Step::Exec, libc::ENOENT), "{variant:?}");
        let mut child = command(variant, "echo").arg("said").spawn().unwrap();
        let mut said = String::new();
        child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        let error = child.wait().unwrap_err();
        assert_eq!(
            (said.as_str(), error.step(), error.errno()),
            ("said\n", Step::Wait, libc::ECHILD),
            "{variant:?}"
        );
    }
}
