//! Attributes of a program at its start: session and group, terminal, signals, limits, CPU
//! affinity, parent-death signal.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use probe::report::report;
use probe::{Role, SPAWN_VARIANTS, SpawnVariant, command};
use rusk_spawn::{Command, Disposition, Exit, Limit, Mode, SignalMask, Stdio, Step};

mod probe;

const ROLES: &[Role] = &[
    ("signals", signals),
    ("at-once", immediate),
    ("terminal", terminal),
    ("orphaned", orphaned),
    ("thread-mask", thread_mask),
];

/// The step and the errno of a start that fails in the child.
#[track_caller]
fn check_error(set_up: impl Fn(&mut Command), step: Step, errno: i32) {
    for variant in SPAWN_VARIANTS {
        let mut command = Command::new("true");
        command.mode(variant.mode).table(variant.table);
        set_up(&mut command);
        let error = command.spawn().unwrap().wait().unwrap_err();
        assert_eq!((error.step(), error.errno()), (step, errno), "{variant:?}");
    }
}

#[test]
fn a_session_and_a_group_are_made_or_joined() {
    for variant in SPAWN_VARIANTS {
        let found = report(*variant, |_| {});
        // SAFETY: no pointers.
        let own = unsafe { [libc::getsid(0), libc::getpgrp()].map(|number| number.to_string()) };
        assert_eq!([found.one("session"), found.one("group")], [&own[0], &own[1]], "{variant:?}");
        assert_eq!(found.one("parent"), std::process::id().to_string(), "{variant:?}");

        let found = report(*variant, |command| _ = command.new_session());
        assert_eq!([found.one("session"), found.one("group")], [found.one("process"); 2], "{variant:?}");
        let found = report(*variant, |command| _ = command.join_process_group(0));
        assert_eq!(
            [found.one("session"), found.one("group")],
            [&own[0], found.one("process")],
            "{variant:?}"
        );

        let mut leader = Command::new("cat");
        leader.stdin(Stdio::Pipe).join_process_group(0).mode(variant.mode).table(variant.table);
        let mut leader = leader.spawn().unwrap();
        leader.wait_started().unwrap();
        let found = report(*variant, |command| _ = command.join_process_group(leader.id()));
        assert_eq!(found.one("group"), leader.id().to_string(), "{variant:?}");
        assert_eq!(leader.wait().unwrap(), Exit::Status(0));
    }
    check_error(|command| _ = command.join_process_group(-1), Step::ProcessGroup, libc::EINVAL);
    check_error(|command| _ = command.new_session().join_process_group(0), Step::ProcessGroup, libc::EPERM);
}

#[test]
fn umask_limits_and_priority_are_set() {
    // SAFETY: no pointers.
    let own_nice = unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) };
    for variant in SPAWN_VARIANTS {
        let found = report(*variant, |command| _ = command.umask(0o027));
        assert_eq!(found.one("Umask"), "0027", "{variant:?}");
        let nice = (own_nice + 3).min(19);
        assert_eq!(
            report(*variant, |command| _ = command.nice(nice)).one("nice"),
            nice.to_string(),
            "{variant:?}"
        );
        let found = report(*variant, |command| {
            command.limit(Limit { resource: libc::RLIMIT_NOFILE, soft: 50, hard: 60 });
            command.limit(Limit { resource: libc::RLIMIT_CORE, soft: 0, hard: 0 });
        });
        assert_eq!(found.all("limit"), ["core 0 0", "nofile 50 60"], "{variant:?}");
    }
    let odd =
        |resource, soft, hard| move |command: &mut Command| _ = command.limit(Limit { resource, soft, hard });
    check_error(odd(libc::RLIMIT_CORE, 2, 1), Step::Limit, libc::EINVAL);
    check_error(odd(999, 1, 1), Step::Limit, libc::EINVAL);
}

#[test]
fn processors_are_chosen() {
    let all = report(SPAWN_VARIANTS[0], |_| {}).one("Cpus_allowed_list").to_owned();
    let first: u16 = all.split(['-', ',']).next().unwrap().parse().unwrap();
    for variant in SPAWN_VARIANTS {
        let found = report(*variant, |command| _ = command.processors([first]));
        assert_eq!(found.one("Cpus_allowed_list"), first.to_string(), "{variant:?}");
        assert_eq!(report(*variant, |_| {}).one("Cpus_allowed_list"), all, "{variant:?}");
    }
    check_error(|command| _ = command.processors([8000]), Step::Affinity, libc::EINVAL);
    check_error(|command| _ = command.processors([]), Step::Affinity, libc::EINVAL);
}

#[test]
fn signals_have_default_dispositions() {
    probe::run_role_in_every_variant("signals");
}

fn bit(signal: i32) -> u64 {
    1 << (signal - 1)
}

extern "C" fn nothing(_signal: i32) {}

fn set_handler(signal: i32, handler: usize) {
    // SAFETY: a handler that does nothing, or none.
    assert_ne!(unsafe { libc::signal(signal, handler) }, libc::SIG_ERR);
}

fn block(signal: i32) {
    // SAFETY: a set on this stack.
    unsafe {
        let mut set = std::mem::zeroed();
        libc::sigaddset(&mut set, signal);
        assert_eq!(libc::pthread_sigmask(libc::SIG_BLOCK, &set, std::ptr::null_mut()), 0);
    }
}

/// Handlers, ignored and blocked signals of this process, and what its children inherit.
fn signals(args: &[String]) {
    let variant = probe::variant(args);
    for signal in [libc::SIGUSR1, libc::SIGSEGV, libc::SIGCHLD, 50] {
        set_handler(signal, nothing as *const () as usize);
    }
    for signal in [libc::SIGUSR2, libc::SIGPIPE, 51] {
        set_handler(signal, libc::SIG_IGN);
    }
    block(libc::SIGTERM);
    let found = report(variant, |_| {});
    assert_eq!((found.signals("SigCgt"), found.signals("SigBlk")), (0, 0), "{variant:?}");
    let ignored = found.signals("SigIgn");
    let wanted = bit(libc::SIGUSR2) | bit(51);
    assert_eq!(ignored & (wanted | bit(libc::SIGPIPE) | bit(libc::SIGUSR1)), wanted, "{variant:?}");

    let found = report(variant, |command| _ = command.signal_mask(SignalMask::Inherit));
    assert_eq!(found.signals("SigBlk"), bit(libc::SIGTERM), "{variant:?}");
    block(40);
    let found = report(variant, |command| _ = command.signal_mask(SignalMask::Inherit));
    assert_eq!(found.signals("SigBlk"), bit(libc::SIGTERM) | bit(40), "{variant:?} later");
    let mask = bit(libc::SIGINT) | bit(64) | bit(33);
    let found = report(variant, |command| _ = command.signal_mask(SignalMask::Blocked(mask)));
    assert_eq!(found.signals("SigBlk"), mask, "{variant:?}");

    let found = report(variant, |command| {
        command.disposition(libc::SIGUSR2, Disposition::Default);
        command.disposition(libc::SIGUSR1, Disposition::Ignore);
        command.disposition(libc::SIGPIPE, Disposition::Ignore);
        command.disposition(51, Disposition::Ignore).disposition(51, Disposition::Default);
    });
    let wanted = bit(libc::SIGUSR1) | bit(libc::SIGPIPE);
    assert_eq!(found.signals("SigIgn"), (ignored | wanted) & !bit(libc::SIGUSR2) & !bit(51), "{variant:?}");
    for signal in [libc::SIGKILL, 0, 65, -1] {
        let mut command = command(variant, "report");
        let error = command.disposition(signal, Disposition::Ignore).spawn().unwrap().wait().unwrap_err();
        assert_eq!((error.step(), error.errno()), (Step::SignalDisposition, libc::EINVAL), "{variant:?}");
    }
}

#[test]
fn an_early_signal_is_not_lost_if_the_parent_ignores_it() {
    probe::run_role_in_every_variant("at-once");
}

/// Children that reset a signal that is ignored here, and get it at once.
fn immediate(args: &[String]) {
    let variant = probe::variant(args);
    set_handler(libc::SIGINT, libc::SIG_IGN);
    for _ in 0..200 {
        let mut command = Command::new("sleep");
        command.mode(variant.mode).table(variant.table);
        let mut child = command.arg("20").disposition(libc::SIGINT, Disposition::Default).spawn().unwrap();
        child.signal(libc::SIGINT).unwrap();
        let exit = child.wait().unwrap();
        assert_eq!(exit, Exit::Signal { number: libc::SIGINT, dumped_core: false }, "{variant:?}");
    }
}

#[test]
fn the_spawner_thread_takes_no_signals() {
    probe::run_role("thread-mask", &[]);
}

/// A signal to this process must be delivered to one of its own threads, where it may be blocked
/// and waited for.
fn thread_mask(_words: &[String]) {
    assert_eq!(Command::new("true").mode(Mode::Thread).spawn().unwrap().wait().unwrap(), Exit::Status(0));
    let mut masks = Vec::new();
    for task in std::fs::read_dir("/proc/self/task").unwrap() {
        let status = std::fs::read_to_string(task.unwrap().path().join("status")).unwrap();
        let line =
            |key: &str| status.lines().find_map(|line| line.strip_prefix(key)).unwrap().trim().to_owned();
        if line("Name:") == "rusk-spawn" {
            masks.push(u64::from_str_radix(&line("SigBlk:"), 16).unwrap());
        }
    }
    // Two are reserved by libc.
    let unblockable = bit(libc::SIGKILL) | bit(libc::SIGSTOP) | bit(32) | bit(33);
    assert_eq!(masks.len(), 1);
    assert_eq!(masks[0] | unblockable, u64::MAX, "{:x}", masks[0]);
}

/// A terminal: its master and its slave.
fn open_terminal() -> (File, OwnedFd) {
    // SAFETY: fds that are just created, and a name in a buffer that outlives its use.
    unsafe {
        let master = libc::posix_openpt(libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC);
        assert!(master >= 0 && libc::grantpt(master) == 0 && libc::unlockpt(master) == 0);
        let mut name = [0; 64];
        assert_eq!(libc::ptsname_r(master, name.as_mut_ptr(), name.len()), 0);
        let terminal = libc::open(name.as_ptr(), libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC);
        assert!(terminal >= 0);
        (File::from_raw_fd(master), OwnedFd::from_raw_fd(terminal))
    }
}

#[test]
fn a_terminal_becomes_the_controlling_one() {
    for variant in SPAWN_VARIANTS {
        let (_master, terminal) = open_terminal();
        let found = report(*variant, |command| {
            command.new_session().controlling_terminal(terminal.try_clone().unwrap());
            command.stdin(terminal.try_clone().unwrap());
        });
        assert_eq!([found.one("session"), found.one("foreground")], [found.one("process"); 2], "{variant:?}");
        assert_eq!(found.numbers(), [0, 1, 2], "{variant:?}");
    }
    let null = || File::open("/dev/null").unwrap().into();
    check_error(
        |command| _ = command.new_session().controlling_terminal(null()),
        Step::ControllingTerminal,
        libc::ENOTTY,
    );
    check_error(|command| _ = command.foreground(null()), Step::Foreground, libc::ENOTTY);
}

#[test]
fn a_group_becomes_the_foreground_group() {
    probe::run_role_in_every_variant("terminal");
}

/// Leads a session with a terminal; its children take the foreground from each other.
fn terminal(args: &[String]) {
    let variant = probe::variant(args);
    let (_master, terminal) = open_terminal();
    // Closing the terminal would hang up this session too.
    set_handler(libc::SIGHUP, libc::SIG_IGN);
    // SAFETY: no pointers. This process leads no group yet: it was forked by a test.
    unsafe {
        assert!(libc::setsid() >= 0);
        assert_eq!(libc::ioctl(terminal.as_raw_fd(), libc::TIOCSCTTY, 0), 0);
    }
    for mask in [SignalMask::Empty, SignalMask::Inherit, SignalMask::Blocked(bit(libc::SIGHUP))] {
        let found = report(variant, |command| {
            command.join_process_group(0).foreground(terminal.try_clone().unwrap()).signal_mask(mask);
        });
        assert_eq!([found.one("group"), found.one("foreground")], [found.one("process"); 2], "{variant:?}");
        let wanted = if let SignalMask::Blocked(mask) = mask { mask } else { 0 };
        assert_eq!(found.signals("SigBlk"), wanted, "{variant:?} {mask:?}");
    }
}

#[test]
fn a_parent_death_signal_is_set() {
    for variant in SPAWN_VARIANTS {
        let found = report(*variant, |command| _ = command.parent_death_signal(libc::SIGUSR1));
        assert_eq!(found.one("parent-death"), libc::SIGUSR1.to_string(), "{variant:?}");
    }
    check_error(|command| _ = command.parent_death_signal(99), Step::ParentDeath, libc::EINVAL);
}

#[test]
fn a_child_dies_with_its_parent() {
    for (index, variant) in SPAWN_VARIANTS.iter().enumerate() {
        let mut role = std::process::Command::new(std::env::current_exe().unwrap());
        role.args(["--role=orphaned", &index.to_string()]).stdout(std::process::Stdio::piped());
        let mut role = role.spawn().unwrap();
        let mut said = String::new();
        // It ends when the child, which holds it too, has exited.
        role.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!((said.as_str(), role.wait().unwrap().success()), ("started\n", true), "{variant:?}");
    }
}

/// Exits while its child waits for input that never comes.
fn orphaned(args: &[String]) {
    let variant = probe::variant(args);
    let (silence, writer) = probe::pipe();
    let (reader_end, writer_end) = probe::pipe();
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "echo started; echo >&8; read line"]).mode(variant.mode).table(variant.table);
    command.stdin(silence).parent_death_signal(libc::SIGKILL);
    // The child itself holds its input open.
    command.fd(writer, 9).fd(writer_end, 8);
    command.spawn().unwrap().wait_started().unwrap();
    File::from(reader_end).read_exact(&mut [0; 1]).unwrap();
}

#[test]
fn children_of_the_spawner_thread_outlive_the_caller_thread() {
    let echo = |variant: SpawnVariant| {
        let started = std::thread::spawn(move || {
            let mut command = Command::new("cat");
            command.stdin(Stdio::Pipe).stdout(Stdio::Pipe).mode(variant.mode).table(variant.table);
            let mut child = command.parent_death_signal(libc::SIGKILL).spawn().unwrap();
            child.wait_started().unwrap();
            child
        });
        started.join().unwrap()
    };
    for variant in SPAWN_VARIANTS {
        match variant.mode {
            Mode::Direct | Mode::Vfork => {
                let mut child = echo(*variant);
                let input = child.stdin.take();
                let killed = Exit::Signal { number: libc::SIGKILL, dumped_core: false };
                assert_eq!(child.wait().unwrap(), killed, "{variant:?}");
                drop(input);
            }
            Mode::Thread => {
                let mut child = echo(*variant);
                child.stdin.as_mut().unwrap().write_all(b"alive\n").unwrap();
                let mut said = String::new();
                BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
                assert_eq!(
                    (said.as_str(), child.wait().unwrap()),
                    ("alive\n", Exit::Status(0)),
                    "{variant:?}"
                );
            }
            // The thread that first started the zygote counts as the parent.
            _ => {}
        }
    }
}
