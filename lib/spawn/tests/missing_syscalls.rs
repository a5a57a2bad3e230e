//! Kernels and sandboxes that reject a system call, or everything newer than ten years: programs
//! still start with exactly the fds that were passed, and errors are reported.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::ffi::c_void;
use std::io::Read;
use std::time::Duration;

use probe::report::report;
use probe::seccomp::{SyscallFilter, When, install};
use probe::{Role, SPAWN_VARIANTS, SpawnVariant, file};
use rusk_spawn::{Command, Exit, Mode, Stdio, Step};

mod probe;

const ROLES: &[Role] = &[("refused", refused), ("old", old)];

/// A name, the rejected calls, and their errnos.
type Case = (&'static str, &'static [(libc::c_long, When)], &'static [i32]);

const CLONE3: (libc::c_long, When) = (libc::SYS_clone3, When::Always);
const CLOSE_RANGE: (libc::c_long, When) = (libc::SYS_close_range, When::Always);
const PIDFD_OPEN: (libc::c_long, When) = (libc::SYS_pidfd_open, When::Always);
const PIDFD_SIGNAL: (libc::c_long, When) = (libc::SYS_pidfd_send_signal, When::Always);
const WAIT_PIDFD: (libc::c_long, When) = (libc::SYS_waitid, When::Is(0, libc::P_PIDFD));
/// Opening the listing of open fds, as a child does; no other code opens a directory with these
/// flags.
const LISTING: (libc::c_long, When) =
    (libc::SYS_openat, When::Is(2, (libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC) as u32));

const REFUSED: &[i32] = &[libc::ENOSYS, libc::EPERM];

const CASES: &[Case] = &[
    ("clone3", &[CLONE3], REFUSED),
    ("close_range", &[CLOSE_RANGE], REFUSED),
    ("close-on-exec", &[(libc::SYS_close_range, When::Has(2, libc::CLOSE_RANGE_CLOEXEC))], &[libc::EINVAL]),
    ("pidfd_open", &[PIDFD_OPEN], REFUSED),
    ("wait", &[WAIT_PIDFD], &[libc::ENOSYS, libc::EPERM, libc::EINVAL]),
    ("signal", &[PIDFD_SIGNAL], REFUSED),
    ("sendmsg", &[(libc::SYS_sendmsg, When::Always)], REFUSED),
    ("socketpair", &[(libc::SYS_socketpair, When::Always)], REFUSED),
    ("listing", &[CLOSE_RANGE, LISTING], &[libc::ENOENT, libc::EACCES]),
    ("all", &[CLONE3, CLOSE_RANGE, PIDFD_OPEN, PIDFD_SIGNAL, WAIT_PIDFD], REFUSED),
    ("all-unlisted", &[CLONE3, CLOSE_RANGE, PIDFD_OPEN, PIDFD_SIGNAL, WAIT_PIDFD, LISTING], REFUSED),
];

fn check(name: &str) {
    let (_, _, errnos) = CASES.iter().find(|(known, ..)| *known == name).unwrap();
    for errno in *errnos {
        for (index, variant) in SPAWN_VARIANTS.iter().enumerate() {
            // The zygote's protocol needs such sockets.
            if variant.mode != Mode::Zygote || !matches!(name, "sendmsg" | "socketpair") {
                probe::run_role("refused", &[&index.to_string(), name, &errno.to_string()]);
            }
        }
    }
}

#[test]
fn without_clone3() {
    check("clone3");
}

#[test]
fn without_close_range() {
    check("close_range");
}

#[test]
fn without_close_range_cloexec() {
    check("close-on-exec");
}

#[test]
fn without_pidfds() {
    check("pidfd_open");
    check("wait");
    check("signal");
}

#[test]
fn without_messages() {
    check("sendmsg");
    check("socketpair");
}

#[test]
fn without_proc_self_fd() {
    check("listing");
}

#[test]
fn without_all_of_them() {
    check("all");
    check("all-unlisted");
}

#[test]
fn with_a_kernel_whose_clone3_cannot_clear_handlers() {
    probe::run_role_in_every_variant("old");
}

/// A kernel that reports version 2.6: Linux 5.3 and 5.4 can only be recognized by the version.
fn old(args: &[String]) {
    const UNAME26: libc::c_ulong = 0x002_0000;
    let variant = probe::variant(args);
    // SAFETY: a number.
    assert!(unsafe { libc::personality(UNAME26) } >= 0);
    check_fds(variant, 0);
    install(&[SyscallFilter {
        call: libc::SYS_clone,
        when: When::Has(0, libc::CLONE_VM as u32),
        errno: libc::EMLINK,
    }]);
    let ended = Command::new("true").mode(variant.mode).table(variant.table).spawn();
    match variant.mode {
        // The zygote and the spawner thread were started before, and are not affected.
        Mode::Zygote | Mode::Thread => assert_eq!(ended.unwrap().wait().unwrap(), Exit::Status(0)),
        _ => assert_eq!(ended.unwrap_err().errno(), libc::EMLINK, "{variant:?}"),
    }
}

fn refused(args: &[String]) {
    let variant = probe::variant(args);
    let (_, calls, _) = CASES.iter().find(|(name, ..)| *name == args[1]).unwrap();
    let errno = args[2].parse().unwrap();
    probe::close_inherited();
    for number in [20, 21, 30, 100, 300, 900] {
        probe::put_at(std::io::stdin(), number);
    }
    let filters: Vec<SyscallFilter> =
        calls.iter().map(|(call, when)| SyscallFilter { call: *call, when: *when, errno }).collect();
    install(&filters);
    if variant.mode == Mode::Thread && std::thread::Builder::new().spawn(|| {}).is_err() {
        // Some versions of libc cannot create a thread if clone3 fails with this errno.
        let error = Command::new("true").mode(variant.mode).spawn().unwrap_err();
        return assert_eq!((error.step(), error.errno()), (Step::Clone, errno), "{variant:?}");
    }
    for round in 0..3 {
        check_fds(variant, round);
    }
    check_errors(variant);
    check_exits(variant);
    if variant.mode != Mode::Zygote {
        check_callback(variant);
    }
}

fn check_fds(variant: SpawnVariant, round: u32) {
    let pipes = report(variant, |command| _ = command.stdin(Stdio::Pipe).stderr(Stdio::Pipe));
    assert_eq!(pipes.numbers(), [0, 1, 2], "{variant:?} round {round}");
    let given = file("");
    let found = report(variant, |command| {
        command.stdin(Stdio::Null).fd(given.try_clone().unwrap(), 7);
        command.fd(given.try_clone().unwrap(), 30);
    });
    assert_eq!(found.numbers(), [0, 1, 2, 7, 30], "{variant:?} round {round}");
    assert_eq!(found.fds()[&30], probe::identity(&given), "{variant:?} round {round}");
    assert_eq!((found.signals("SigBlk"), found.signals("SigCgt")), (0, 0), "{variant:?}");
    let found = report(variant, |command| _ = command.stdin(Stdio::Closed));
    assert_eq!(found.numbers(), [1, 2], "{variant:?} round {round}");
}

fn check_errors(variant: SpawnVariant) {
    let error = |command: &mut Command| {
        let error = command.mode(variant.mode).table(variant.table).spawn().unwrap().wait().unwrap_err();
        (error.step(), error.errno())
    };
    let exec = (Step::Exec, libc::ENOENT);
    assert_eq!(error(&mut Command::new("/no/such/program")), exec, "{variant:?}");
    let dir = (Step::WorkingDirectory, libc::ENOENT);
    assert_eq!(error(Command::new("true").current_dir("/no/dir")), dir, "{variant:?}");
}

fn check_exits(variant: SpawnVariant) {
    let mut command = Command::new("cat");
    command.stdin(Stdio::Pipe).stdout(Stdio::Pipe).mode(variant.mode).table(variant.table);
    let mut child = command.spawn().unwrap();
    assert_eq!(child.wait_for(Duration::from_millis(5)).unwrap(), None, "{variant:?}");
    child.kill().unwrap();
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    let killed = Exit::Signal { number: libc::SIGKILL, dumped_core: false };
    assert_eq!((said.as_str(), child.wait().unwrap()), ("", killed), "{variant:?}");
    let mut child = command.spawn().unwrap();
    child.stdin = None;
    assert_eq!(child.wait_for(Duration::from_secs(20)).unwrap(), Some(Exit::Status(0)), "{variant:?}");
}

fn check_callback(variant: SpawnVariant) {
    unsafe extern "C" fn say(_context: *mut c_void, to_parent: i32) -> i32 {
        rusk_spawn::child_calls::write(to_parent, b"said").err().map_or(0, |errno| errno.0)
    }
    let (reader, writer) = probe::pipe();
    let found = report(variant, |command| {
        // SAFETY: one raw call.
        unsafe { command.callback(say, std::ptr::null_mut(), Some(writer)) };
    });
    assert_eq!(found.numbers(), [0, 1, 2], "{variant:?}");
    let mut said = String::new();
    std::fs::File::from(reader).read_to_string(&mut said).unwrap();
    assert_eq!(said, "said", "{variant:?}");
}
