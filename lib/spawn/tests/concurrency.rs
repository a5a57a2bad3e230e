//! Starts from many threads at once, while the process forks, and while it calls exec.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{Read, Write};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::channel;

use probe::{Role, SPAWN_VARIANTS, SpawnVariant, seccomp};
use rusk_spawn::{Command, Exit, Mode, Stdio};

mod probe;

const ROLES: &[Role] =
    &[("threads", threads), ("forking", forking), ("first", first), ("replacing", replacing)];

/// Input comes out as output, in one piece and not mixed with another child's.
fn echo(variant: SpawnVariant, text: &str) {
    let mut command = Command::new("cat");
    command.stdin(Stdio::Pipe).stdout(Stdio::Pipe).mode(variant.mode).table(variant.table);
    // If all streams are pipes, the child closes their ends for the parent, whose numbers may be
    // reused the next moment.
    command.stderr(if text.len().is_multiple_of(2) { Stdio::Pipe } else { Stdio::Inherit });
    let mut child = command.spawn().unwrap();
    let own = probe::file("");
    let own_is = probe::identity(&own);
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!((said.as_str(), child.wait().unwrap()), (text, Exit::Status(0)), "{variant:?}");
    assert_eq!(probe::identity(&own), own_is, "{variant:?}");
}

#[test]
fn many_threads_start_immediate() {
    probe::run_role("threads", &[]);
}

/// All variants in turn, so that they run concurrently; nothing leaks.
fn threads(_words: &[String]) {
    const THREADS: usize = 8;
    const STARTS: usize = 250;
    probe::close_inherited();
    let round = || {
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                scope.spawn(move || {
                    for start in 0..STARTS {
                        let variant = SPAWN_VARIANTS[(thread + start) % SPAWN_VARIANTS.len()];
                        echo(variant, &format!("thread {thread} start {start}"));
                    }
                });
            }
        });
        probe::open_numbers().len()
    };
    // What the library keeps for later starts grows with the most that were under way at once, up
    // to a limit; a leak grows with every round.
    const ROUNDS_MAX: usize = 12;
    let mut open = vec![round()];
    while open.len() < 2 || open[open.len() - 1] > open[open.len() - 2] {
        assert!(open.len() < ROUNDS_MAX, "{open:?}");
        open.push(round());
    }
    assert!(open[open.len() - 1] < 50, "{open:?}");
}

#[test]
fn a_process_forks_while_it_starts_others() {
    probe::run_role("forking", &[]);
}

/// Each forked process starts children itself, in whatever state the parent's threads left the
/// library.
fn forking(_words: &[String]) {
    const FORKS: usize = 150;
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for thread in 0..3 {
            let done = &done;
            scope.spawn(move || {
                let mut starts = 0;
                while !done.load(Relaxed) {
                    echo(SPAWN_VARIANTS[(thread + starts) % SPAWN_VARIANTS.len()], "beside a fork");
                    starts += 1;
                }
            });
        }
        for fork in 0..FORKS {
            fork_and(|| {
                echo(SPAWN_VARIANTS[fork % SPAWN_VARIANTS.len()], "in a fork");
                echo(SPAWN_VARIANTS[0], "once more");
            });
        }
        done.store(true, Relaxed);
    });
}

/// Runs in a forked process, which must exit in time.
fn fork_and(work: impl FnOnce() + std::panic::UnwindSafe) {
    const SECONDS_MAX: u32 = 60;
    // SAFETY: libc makes its own state usable in the new process; the library promises the same of
    // its own.
    unsafe {
        let forked = libc::fork();
        if forked == 0 {
            libc::alarm(SECONDS_MAX);
            let done = std::panic::catch_unwind(work);
            libc::_exit(if done.is_ok() { 0 } else { 1 });
        }
        let mut status = 0;
        assert_eq!(libc::waitpid(forked, &mut status, 0), forked);
        assert_eq!(status, 0);
    }
}

#[test]
fn a_process_forks_while_it_starts_its_first() {
    probe::run_role("first", &[]);
}

/// The first start probes the kernel. A seccomp filter holds it in the middle of that, until this
/// process responds; a process forked now must not wait for that response.
fn first(_words: &[String]) {
    let (send_listener, listener) = channel();
    let held = std::thread::spawn(move || {
        send_listener.send(seccomp::notify_on(libc::SYS_close_range)).unwrap();
        Command::new("true").spawn().unwrap().wait().unwrap()
    });
    let listener = listener.recv().unwrap();
    let notification = seccomp::receive(&listener);
    for variant in SPAWN_VARIANTS {
        fork_and(|| echo(*variant, "in a fork"));
    }
    seccomp::respond(&listener, notification, libc::ENOSYS);
    while !held.is_finished() {
        if seccomp::has_notification(&listener) {
            seccomp::respond(&listener, seccomp::receive(&listener), libc::ENOSYS);
        }
    }
    assert_eq!(held.join().unwrap(), Exit::Status(0));
}

#[test]
fn children_in_flight_survive_an_exec_of_their_parent() {
    const CHILDREN: usize = 20;
    for (index, variant) in
        SPAWN_VARIANTS.iter().enumerate().filter(|(_, variant)| variant.mode != Mode::Thread)
    {
        for _ in 0..5 {
            let mut role = std::process::Command::new(std::env::current_exe().unwrap());
            role.args(["--role=replacing", &index.to_string()]).stdout(std::process::Stdio::piped());
            let mut role = role.spawn().unwrap();
            let mut said = String::new();
            role.stdout.take().unwrap().read_to_string(&mut said).unwrap();
            assert!(role.wait().unwrap().success(), "{variant:?}");
            let count = |text: &str| said.lines().filter(|line| *line == text).count();
            assert_eq!((count("started"), count("replaced")), (CHILDREN, 1), "{variant:?} {said}");
        }
    }
}

/// Starts children, and calls exec before they have.
fn replacing(args: &[String]) {
    use std::os::unix::process::CommandExt;
    let variant = probe::variant(args);
    let mut command = Command::new("/bin/echo");
    command.arg("started").mode(variant.mode).table(variant.table);
    for number in 0..20 {
        let input = if number % 2 == 0 { Stdio::Null } else { Stdio::Pipe };
        std::mem::forget(command.stdin(input).spawn().unwrap());
    }
    let error = std::process::Command::new("/bin/echo").arg("replaced").exec();
    panic!("{error}");
}
