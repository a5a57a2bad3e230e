//! Stopped children: arguments, exit status, and errors of those that cannot run.

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
        probe_calls: 0,
    }
}

/// Exit status and probe times of a program.
fn run(file: &str, arguments: &[&str]) -> (ExitStatus, Result<ProbeTimes>) {
    let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
    let environment = [("GREETING".into(), "hello".into())];
    let start =
        SpawnOptions { arguments: &arguments, environment: &environment, probe_calls: 16, ..start(file) };
    let child = StoppedChild::spawn(start).expect("a fork");
    let running = child.resume().expect("the child waits");
    let times = running.probe_times();
    let (epoll, mut ready) = (Epoll::new().expect("an instance"), Vec::new());
    epoll.add(running.as_fd(), 7, EventFlags::IN).expect("its end can be waited for");
    epoll.wait(&mut ready, Some(Duration::from_secs(20))).expect("a wait");
    assert_eq!(ready.first().map(|ready| ready.token), Some(7));
    let end = running.wait().expect("a child");
    (end, times)
}

#[test]
fn a_program_gets_its_arguments_and_environment() {
    let (status, times) =
        run("/bin/sh", &["sh", "-c", r#"test "$GREETING $1 $PWD" = "hello you /usr""#, "x", "you"]);
    assert_eq!(status, ExitStatus::Code(0));
    let times = times.expect("it ran");
    assert!(times.untraced_ns > 0 && times.traced_ns > 0, "{times:?}");
}

#[test]
fn a_signal_is_the_exit_status() {
    assert_eq!(run("/bin/sh", &["sh", "-c", "kill -TERM $$"]).0, ExitStatus::Signal(15));
}

#[test]
fn a_missing_program_is_an_error() {
    let (status, times) = run("/proc/nowhere/at/all", &["all"]);
    assert_eq!((status, times), (ExitStatus::Code(127), Err(Errno::NOENT)));
}

#[test]
fn a_child_that_is_never_resumed_ends() {
    let child = StoppedChild::spawn(start("/bin/true")).expect("a fork");
    let process = child.process;
    drop(child);
    let mut status = 0;
    // SAFETY: `status` has room for the answer, and the child is ours.
    unsafe { libc::waitpid(process, &mut status, 0) };
    assert_eq!(libc::WEXITSTATUS(status), 127);
}

#[test]
fn a_nul_in_an_argument_is_refused() {
    let arguments = ["a\0b".into()];
    let child = StoppedChild::spawn(SpawnOptions { arguments: &arguments, ..start("/bin/true") });
    assert_eq!(child.err(), Some(SpawnError::System(Errno::INVAL)));
}

#[test]
fn a_pre_exec_hook_chooses_program_and_directory() {
    let arguments = ["sh".into(), "-c".into(), "test $PWD = /usr".into()];
    let hook = || super::super::chdir("/usr").map(|()| "/bin/sh".into()).map_err(|_| Vec::new());
    let child = StoppedChild::spawn(SpawnOptions {
        arguments: &arguments,
        pre_exec: Some(&hook),
        ..start("/proc/nowhere")
    });
    let running = child.expect("a fork").resume().expect("the child waits");
    assert_eq!(running.wait().expect("a child"), ExitStatus::Code(0));
}

#[test]
fn an_error_of_the_pre_exec_hook_is_returned() {
    let child = StoppedChild::spawn(SpawnOptions {
        pre_exec: Some(&|| Err(b"a wall".to_vec())),
        ..start("/bin/true")
    });
    assert_eq!(child.err(), Some(SpawnError::PreExec(b"a wall".to_vec())));
}
