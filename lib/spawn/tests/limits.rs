//! Running out of fds, memory or processes: one clean error, no leak, and the next start works.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::os::fd::RawFd;

use probe::report::read;
use probe::seccomp::{SyscallFilter, When, install};
use probe::{Role, SPAWN_VARIANTS, command};
use rusk_spawn::{Command, Exit, Mode, Result, Stdio, Step};

mod probe;

const ROLES: &[Role] = &[
    ("few-numbers", few_numbers),
    ("no-stack", no_stack),
    ("no-memory", no_memory),
    ("no-clone", no_clone),
    ("few-processes", few_processes),
];

/// Open fds below a bound, found without opening any.
fn open_below(bound: RawFd) -> Vec<RawFd> {
    // SAFETY: no pointers.
    (0..bound).filter(|number| unsafe { libc::fcntl(*number, libc::F_GETFD) } >= 0).collect()
}

fn set_limit(resource: libc::__rlimit_resource_t, soft: u64) {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the kernel writes, then reads, one limit.
    unsafe {
        assert_eq!(libc::getrlimit(resource, &mut limit), 0);
        limit.rlim_cur = soft.min(limit.rlim_max);
        assert_eq!(libc::setrlimit(resource, &limit), 0);
    }
}

/// A start and a wait.
fn run(command: &Command) -> Result<Exit> {
    command.spawn()?.wait()
}

#[test]
fn running_out_of_fds() {
    probe::run_role_in_every_variant("few-numbers");
}

/// With one more fd at each iteration, until the start succeeds; each often enough that a leak
/// would show.
fn few_numbers(args: &[String]) {
    const TURNS: RawFd = 40;
    let variant = probe::variant(args);
    probe::close_inherited();
    let mut command = command(variant, "report");
    command.arg("-").stdin(Stdio::Pipe).stdout(Stdio::Pipe).stderr(Stdio::Pipe);
    let mut failed = 0;
    for limit in 3..3 + TURNS {
        set_limit(libc::RLIMIT_NOFILE, limit as u64);
        let mut before = None;
        for _ in 0..3 {
            if let Err(error) = run(&command) {
                assert_eq!(error.errno(), libc::EMFILE, "{variant:?} {limit} {error}");
                let open = open_below(limit + 1);
                assert!(before.is_none_or(|before| before == open), "{variant:?} {limit} {open:?}");
                before = Some(open);
                failed += 1;
            }
        }
    }
    assert!(failed >= 3, "{variant:?}");
    assert_eq!(read(&command, variant).numbers(), [0, 1, 2], "{variant:?}");
}

#[test]
fn running_out_of_memory_for_a_stack() {
    probe::run_role_in_every_variant("no-stack");
}

/// A mapping of the size of a stack with its guard fails.
fn no_stack(args: &[String]) {
    const STACK_BYTES: u32 = 128 * 1024;
    let variant = probe::variant(args);
    probe::close_inherited();
    install(&[SyscallFilter { call: libc::SYS_mmap, when: When::Is(1, STACK_BYTES), errno: libc::ENOMEM }]);
    let command = command(variant, "report");
    // The first start may open fds that stay.
    let _ = run(&command);
    let before = open_below(100);
    for _ in 0..3 {
        let error = run(&command).unwrap_err();
        let step = if variant.mode == Mode::Zygote { Step::Zygote } else { Step::Stack };
        assert_eq!((error.step(), error.errno()), (step, libc::ENOMEM), "{variant:?}");
        assert_eq!(open_below(100), before, "{variant:?}");
    }
}

#[test]
fn running_out_of_memory_temporarily() {
    probe::run_role("no-memory", &["0"]);
}

/// While nothing more can be mapped, a start either works or fails cleanly; afterwards it works.
fn no_memory(args: &[String]) {
    let variant = probe::variant(args);
    let mut command = Command::new("true");
    command.mode(variant.mode).table(variant.table);
    // Allocated before memory runs out.
    let expected = (Step::Stack, libc::ENOMEM);
    set_limit(libc::RLIMIT_AS, 1 << 20);
    let refused = command.spawn().map(drop).map_err(|error| (error.step(), error.errno()));
    set_limit(libc::RLIMIT_AS, u64::MAX);
    assert_eq!(refused, Err(expected));
    assert_eq!(run(&command).unwrap(), Exit::Status(0));
}

#[test]
fn a_failed_clone() {
    for errno in [libc::EAGAIN, libc::ENOMEM, libc::ENOSPC] {
        for index in 0..SPAWN_VARIANTS.len() {
            probe::run_role("no-clone", &[&index.to_string(), &errno.to_string()]);
        }
    }
}

fn no_clone(args: &[String]) {
    let variant = probe::variant(args);
    let errno = args[1].parse().unwrap();
    probe::close_inherited();
    let one = |call| SyscallFilter { call, when: When::Always, errno };
    install(&[one(libc::SYS_clone3), one(libc::SYS_clone)]);
    let mut command = command(variant, "report");
    command.stdin(Stdio::Pipe).stdout(Stdio::Pipe).stderr(Stdio::Pipe);
    let mut open = Vec::new();
    for _ in 0..20 {
        let error = command.spawn().unwrap_err();
        let found = (error.step(), error.errno());
        match variant.mode {
            // libc decides which errno this is.
            Mode::Thread => assert_eq!(found.0, Step::Clone),
            Mode::Zygote => assert_eq!(found, (Step::Zygote, errno)),
            _ => assert_eq!(found, (Step::Clone, errno), "{variant:?}"),
        }
        open.push(open_below(100));
    }
    assert_eq!(open.last(), open.get(1), "{variant:?}");
}

#[test]
fn running_out_of_processes_temporarily() {
    for (index, variant) in SPAWN_VARIANTS.iter().enumerate() {
        // A thread counts against this limit, and the zygote already runs.
        if variant.mode != Mode::Thread {
            probe::run_role("few-processes", &[&index.to_string()]);
        }
    }
}

fn few_processes(args: &[String]) {
    const NOBODY_UID: u32 = 65534;
    let variant = probe::variant(args);
    probe::close_inherited();
    let mut command = Command::new("true");
    command.mode(variant.mode).table(variant.table);
    if probe::is_root() {
        // SAFETY: this process has one thread.
        assert_eq!(unsafe { libc::setresuid(NOBODY_UID, NOBODY_UID, NOBODY_UID) }, 0);
    }
    assert_eq!(run(&command).unwrap(), Exit::Status(0), "{variant:?}");
    set_limit(libc::RLIMIT_NPROC, 1);
    let open = open_below(100);
    let refused = run(&command);
    assert!(open_below(100).len() <= open.len(), "{variant:?}");
    set_limit(libc::RLIMIT_NPROC, u64::MAX);
    assert_eq!(run(&command).unwrap(), Exit::Status(0), "{variant:?}");
    match refused.map_err(|error| (error.step(), error.errno())) {
        Err((Step::Clone, libc::EAGAIN)) => {}
        // A zygote keeps the limit that it was forked with.
        Ok(Exit::Status(0)) if variant.mode == Mode::Zygote => {}
        other => panic!("{variant:?} {other:?}"),
    }
}
