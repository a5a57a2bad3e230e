//! What is killed, what is left running, and the line that is made of an error.

use super::*;

fn ran(script: &str, limit: Duration) -> BoundedRun {
    let project = crate::project::Project::new();
    run(Command::new("/bin/sh").args(["-c", script]), &project.path(), limit).unwrap()
}

#[test]
fn what_ends_says_how() {
    let ended = ran("echo out; echo err >&2; exit 3", Duration::from_secs(60));
    assert_eq!((ended.end, &*ended.stdout, &*ended.stderr), (Termination::Code(3), "out\n", "err\n"));
    assert_eq!(ran("kill -9 $$", Duration::from_secs(60)).end, Termination::Signal(9));
}

#[test]
fn what_hangs_is_killed_with_its_children() {
    // On a busy machine the shell needs more time for its first word.
    let mut limit = Duration::from_millis(300);
    let ended = loop {
        let ended = ran("sleep 1000 & echo $!; wait", limit);
        assert_eq!(ended.end, Termination::TimedOut);
        if !ended.stdout.is_empty() {
            break ended;
        }
        limit *= 4;
    };
    let child = Pid::from_raw(ended.stdout.trim().parse().unwrap()).unwrap();
    // Its new parent may have reaped it by now, or it is still exiting.
    if let Ok(child) = pidfd_open(child, PidfdFlags::empty()) {
        let minute = Timespec { tv_sec: 60, tv_nsec: 0 };
        assert_eq!(poll(&mut [PollFd::new(&child, PollFlags::IN)], Some(&minute)), Ok(1));
    }
}

#[test]
fn a_reason_is_one_line() {
    let reason = |stderr: &str, end| {
        let ended = BoundedRun { end, stdout: String::new(), stderr: stderr.to_owned() };
        ended.reason(Duration::from_secs(20))
    };
    let assertion =
        "file.js:3\n  throw x\n\nAssertionError [ERR_ASSERTION]: not equal\n\n1 !== 2\n\n    at file.js:3\n";
    assert_eq!(reason(assertion, Termination::Code(1)), "AssertionError [ERR_ASSERTION]: not equal 1 !== 2");
    assert_eq!(reason("error[no-file]: no file\n", Termination::Code(2)), "error[no-file]: no file");
    assert_eq!(reason("what\nelse\n\nrusk v0.1.0\n", Termination::Code(7)), "exit code 7: else");
    assert_eq!(reason("", Termination::Signal(11)), "killed by signal 11");
    assert_eq!(reason("Error: x", Termination::TimedOut), "not over within 20 s");
}
