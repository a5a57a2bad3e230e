//! Confinement: namespaces, users and groups, Landlock, seccomp, cgroups; and the caller's
//! callback. What the kernel or a sandbox rejects must be reported as an error.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::ffi::c_void;
use std::fs::File;
use std::io::Read;
use std::os::fd::{FromRawFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::AtomicI32;
use std::sync::atomic::Ordering::Relaxed;

use probe::report::{Report, report};
use probe::seccomp::{SyscallFilter, When, instructions};
use probe::{Role, SPAWN_VARIANTS, SpawnVariant, command};
use rusk_spawn::child_calls::{call, pid, write};
use rusk_spawn::{Command, Credentials, Exit, Mode, Namespaces, Result, Stdio, Step, UserMap};

mod probe;

const ROLES: &[Role] = &[];

/// The result of a direct system call in a separate process: 0 or an errno.
fn trial(attempt: impl Fn() -> libc::c_long) -> i32 {
    // SAFETY: the new process only makes raw calls, and exits.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            let failed = attempt() < 0;
            libc::_exit(if failed { *libc::__errno_location() } else { 0 });
        }
        let mut status = 0;
        assert_eq!(libc::waitpid(child, &mut status, 0), child);
        libc::WEXITSTATUS(status)
    }
}

/// The report of a program that should run, or the start's error if the environment allows only
/// that.
#[track_caller]
fn check(variant: SpawnVariant, filter: i32, step: Step, set_up: impl Fn(&mut Command)) -> Option<Report> {
    if filter == 0 {
        return Some(report(variant, set_up));
    }
    let mut command = command(variant, "report");
    command.arg("-").stdout(Stdio::Pipe);
    set_up(&mut command);
    let ended = command.spawn().and_then(|mut child| child.wait());
    let error = ended.expect_err("what a call by hand is refused");
    assert_eq!((error.step(), error.errno()), (step, filter), "{variant:?}");
    None
}

fn map_to(user: u32, group: u32) -> UserMap {
    // SAFETY: takes no arguments.
    let (user_outside, group_outside) = unsafe { (libc::geteuid(), libc::getegid()) };
    UserMap { user_inside: user, user_outside, group_inside: group, group_outside }
}

fn namespace(kind: &str) -> String {
    std::fs::read_link(format!("/proc/self/ns/{kind}")).unwrap().to_str().unwrap().to_owned()
}

#[test]
fn a_user_namespace_maps_one_user() {
    // SAFETY: a call without pointers.
    let filter = trial(|| unsafe { libc::unshare(libc::CLONE_NEWUSER).into() });
    for variant in SPAWN_VARIANTS {
        let user = Some(map_to(0, 7));
        let found = check(*variant, filter, Step::Clone, |command| {
            command.namespaces(Namespaces { user, ..Namespaces::default() });
        });
        if let Some(found) = found {
            assert_eq!(found.one("Uid"), "0\t0\t0\t0", "{variant:?}");
            assert_eq!(found.one("Gid"), "7\t7\t7\t7", "{variant:?}");
            assert_ne!(found.one("namespace-user"), namespace("user"), "{variant:?}");
        }
    }
}

#[test]
fn every_namespace_can_be_created() {
    // SAFETY: a call without pointers.
    let filter = trial(|| unsafe { libc::unshare(libc::CLONE_NEWUSER).into() });
    let user = Some(map_to(0, 0));
    let none = Namespaces { user, ..Namespaces::default() };
    let cases = [
        ("mnt", Namespaces { mount: true, ..none }),
        ("pid", Namespaces { pid: true, ..none }),
        ("net", Namespaces { network: true, ..none }),
        ("ipc", Namespaces { ipc: true, ..none }),
        ("uts", Namespaces { uts: true, ..none }),
        ("cgroup", Namespaces { cgroup: true, ..none }),
    ];
    for variant in SPAWN_VARIANTS {
        for (kind, namespaces) in cases {
            let found = check(*variant, filter, Step::Clone, |command| _ = command.namespaces(namespaces));
            let Some(found) = found else { continue };
            for (other, _) in cases {
                let is_own = found.one(&format!("namespace-{other}")) != namespace(other);
                assert_eq!(is_own, other == kind, "{variant:?} {kind} {other}");
            }
            assert_eq!(found.one("NSpid").ends_with("\t1"), kind == "pid", "{variant:?} {kind}");
        }
    }
}

#[test]
fn a_forbidden_id_map_is_an_error() {
    // SAFETY: a call without pointers.
    let filter = trial(|| unsafe { libc::unshare(libc::CLONE_NEWUSER).into() });
    for variant in SPAWN_VARIANTS {
        let user = Some(UserMap { user_inside: u32::MAX, ..map_to(0, 0) });
        let mut command = Command::new("true");
        command
            .namespaces(Namespaces { user, ..Namespaces::default() })
            .mode(variant.mode)
            .table(variant.table);
        let error = command.spawn().and_then(|mut child| child.wait()).unwrap_err();
        let wanted = if filter == 0 { (Step::IdMap, libc::EINVAL) } else { (Step::Clone, filter) };
        assert_eq!((error.step(), error.errno()), wanted, "{variant:?}");
    }
}

#[test]
fn no_new_privileges_is_set() {
    for variant in SPAWN_VARIANTS {
        assert_eq!(
            report(*variant, |command| _ = command.no_new_privileges()).one("NoNewPrivs"),
            "1",
            "{variant:?}"
        );
    }
}

#[test]
fn dropped_capabilities_stay_dropped() {
    const CHOWN_AND_FOWNER: u64 = 0b1001;
    let own = std::fs::read_to_string("/proc/self/status").unwrap();
    let own = own.lines().find_map(|line| line.strip_prefix("CapPrm:")).unwrap().trim();
    let kept = u64::from_str_radix(own, 16).unwrap() & CHOWN_AND_FOWNER;
    for variant in SPAWN_VARIANTS {
        let found = report(*variant, |command| {
            command.no_new_privileges().capabilities(CHOWN_AND_FOWNER);
        });
        let sets = ["CapPrm", "CapEff", "CapInh", "CapAmb"].map(|name| found.one(name).to_owned());
        let expected = [kept, kept, 0, 0].map(|set| format!("{set:016x}"));
        assert_eq!(sets, expected, "{variant:?}");
        let mut command = Command::new("true");
        command.mode(variant.mode).table(variant.table).capabilities(0);
        let error = command.spawn().unwrap_err();
        assert_eq!((error.step(), error.errno()), (Step::Command, libc::EINVAL), "{variant:?}");
    }
}

#[test]
fn a_seccomp_program_binds_the_program() {
    let install = |call, errno| instructions(&[SyscallFilter { call, when: When::Always, errno }]);
    for variant in SPAWN_VARIANTS {
        let program = install(libc::SYS_getsid, libc::EXDEV);
        let found = report(*variant, |command| _ = command.no_new_privileges().seccomp(&program));
        assert_eq!([found.one("session"), found.one("Seccomp")], ["-1", "2"], "{variant:?}");

        let run = |program: &[[u8; 8]]| -> Result<Exit> {
            let mut command = Command::new("true");
            command
                .mode(variant.mode)
                .table(variant.table)
                .no_new_privileges()
                .seccomp(program)
                .spawn()?
                .wait()
        };
        let error = run(&install(libc::SYS_execve, libc::EXDEV)).unwrap_err();
        assert_eq!((error.step(), error.errno()), (Step::Exec, libc::EXDEV), "{variant:?}");
        // One more than fits into 16 bits: truncated, it would be a program that allows everything.
        for count in [4097, 65_536, 65_537] {
            let allow = [6, 0, 0, 0, 0, 0, 0xff, 0x7f];
            let error = run(&vec![allow; count]).unwrap_err();
            assert_eq!((error.step(), error.errno()), (Step::Seccomp, libc::EINVAL), "{variant:?} {count}");
        }
        let kill = [6, 0, 0, 0, 0, 0, 0, 0x80];
        let killed = run(&[kill]);
        assert!(matches!(killed, Ok(Exit::Signal { number: libc::SIGSYS, .. })), "{variant:?} {killed:?}");
    }
}

/// A ruleset that allows reading and executing everywhere, and writing nowhere, or why there is
/// none.
fn ruleset() -> std::result::Result<OwnedFd, i32> {
    const WRITE_FILE: u64 = 1 << 1;
    let handled = WRITE_FILE;
    // SAFETY: the attribute is 8 bytes; the fd is just created.
    unsafe {
        let ruleset = libc::syscall(libc::SYS_landlock_create_ruleset, &raw const handled, 8_usize, 0);
        if ruleset < 0 { Err(probe::errno()) } else { Ok(OwnedFd::from_raw_fd(ruleset as i32)) }
    }
}

#[test]
fn a_landlock_ruleset_binds_the_program() {
    let path = probe::dir("landlock").join("file");
    std::fs::write(&path, "").unwrap();
    for variant in SPAWN_VARIANTS {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "exec 2>&-; (echo written > \"$0\") || echo inherited"]).arg(&path);
        command.stdout(Stdio::Pipe).no_new_privileges().mode(variant.mode).table(variant.table);
        match ruleset() {
            Ok(ruleset) => {
                let mut child = command.landlock(ruleset).spawn().unwrap();
                let mut said = String::new();
                child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
                assert_eq!(
                    (said.as_str(), child.wait().unwrap()),
                    ("inherited\n", Exit::Status(0)),
                    "{variant:?}"
                );
            }
            Err(errno) => {
                let no_ruleset = File::open("/dev/null").unwrap().into();
                let error = command.landlock(no_ruleset).spawn().unwrap().wait().unwrap_err();
                assert_eq!((error.step(), error.errno()), (Step::Landlock, errno), "{variant:?}");
            }
        }
    }
}

/// A new cgroup below this process's own, or None if that is not possible.
fn make_cgroup(name: &str) -> Option<std::path::PathBuf> {
    let own = std::fs::read_to_string("/proc/self/cgroup").unwrap();
    let own = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let dir = Path::new("/sys/fs/cgroup").join(own).join(name);
    std::fs::create_dir(&dir).ok()?;
    if dir.join("cgroup.procs").exists() {
        return Some(dir);
    }
    std::fs::remove_dir(&dir).unwrap();
    None
}

#[test]
fn a_child_is_born_in_a_cgroup() {
    let dir = make_cgroup(&format!("rusk-spawn-{}", std::process::id()));
    for variant in SPAWN_VARIANTS {
        match &dir {
            Some(dir) => {
                let mut command = Command::new("cat");
                command.arg("/proc/self/cgroup").stdout(Stdio::Pipe).mode(variant.mode).table(variant.table);
                let mut child = command.cgroup(File::open(dir).unwrap().into()).spawn().unwrap();
                let mut said = String::new();
                child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
                assert_eq!(child.wait().unwrap(), Exit::Status(0));
                let name = dir.file_name().unwrap().to_str().unwrap();
                assert!(said.lines().any(|line| line.starts_with("0::") && line.ends_with(name)), "{said}");
            }
            None => {
                let mut command = Command::new("true");
                command.mode(variant.mode).table(variant.table);
                let error = command.cgroup(File::open("/").unwrap().into()).spawn().unwrap_err();
                assert_eq!((error.step(), error.errno()), (Step::Clone, libc::EBADF), "{variant:?}");
            }
        }
    }
    if let Some(dir) = dir {
        probe::wait_until("the cgroup is empty", || std::fs::remove_dir(&dir).is_ok());
    }
}

#[test]
fn credentials_are_changed_through_the_zygote() {
    // SAFETY: a call without pointers but a null.
    let filter = trial(|| unsafe { libc::syscall(libc::SYS_setgroups, 0, std::ptr::null::<u32>()) });
    let credentials = Credentials { user: Some(65534), group: Some(65533), groups: Some(vec![5, 9]) };
    for mode in [Mode::Chosen, Mode::Zygote] {
        let mut command = Command::new("cat");
        command.arg("/proc/self/status").stdout(Stdio::Pipe).mode(mode).credentials(credentials.clone());
        let mut child = command.spawn().unwrap();
        let mut said = String::new();
        child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        let ended = child.wait().map_err(|error| (error.step(), error.errno()));
        if filter != 0 {
            assert_eq!(ended, Err((Step::Groups, filter)));
            continue;
        }
        let line =
            |key: &str| said.lines().find_map(|line| line.strip_prefix(key)).unwrap().trim().to_owned();
        assert_eq!(ended, Ok(Exit::Status(0)));
        assert_eq!(line("Uid:"), "65534\t65534\t65534\t65534");
        assert_eq!(line("Gid:"), "65533\t65533\t65533\t65533");
        assert_eq!(line("Groups:"), "5 9");
    }
    for mode in [Mode::Direct, Mode::Vfork, Mode::Thread] {
        let error = Command::new("true").mode(mode).credentials(credentials.clone()).spawn().unwrap_err();
        assert_eq!((error.step(), error.errno()), (Step::User, libc::ENOTSUP), "{mode:?}");
    }
    // SAFETY: no pointers.
    assert_eq!(unsafe { libc::prctl(libc::PR_GET_DUMPABLE) }, 1, "this process is as it was");
}

unsafe extern "C" fn refuse_to_start(_context: *mut c_void, _to_parent: i32) -> i32 {
    libc::EXDEV
}

unsafe extern "C" fn say_who(context: *mut c_void, to_parent: i32) -> i32 {
    // SAFETY: the context is an atomic that outlives the child.
    unsafe { (*context.cast::<AtomicI32>()).store(pid(), Relaxed) };
    let said = write(to_parent, b"to parent").and_then(|_| write(1, b"to output"));
    said.err().map_or(0, |errno| errno.0)
}

unsafe extern "C" fn die(_context: *mut c_void, _to_parent: i32) -> i32 {
    // SAFETY: a signal to this process.
    let _ = unsafe { call(libc::SYS_kill, [pid() as usize, libc::SIGKILL as usize, 0, 0, 0, 0]) };
    0
}

unsafe extern "C" fn trap(_context: *mut c_void, _to_parent: i32) -> i32 {
    // SAFETY: no page is at 8: this process crashes.
    unsafe { *std::hint::black_box(8 as *mut i32) = 1 };
    0
}

#[test]
fn a_callback_runs_before_the_program() {
    for variant in SPAWN_VARIANTS.iter().filter(|variant| variant.mode != Mode::Zygote) {
        let (reader, writer) = probe::pipe();
        let who = AtomicI32::new(0);
        let context = std::ptr::from_ref(&who).cast_mut().cast();
        let mut command = Command::new("cat");
        command.stdin(Stdio::Null).stdout(Stdio::Pipe).mode(variant.mode).table(variant.table);
        // SAFETY: raw calls, and a store to an atomic that outlives the child.
        unsafe { command.callback(say_who, context, Some(writer)) };
        let mut child = command.spawn().unwrap();
        drop(command);
        let (mut output, mut events) = (String::new(), String::new());
        child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
        assert_eq!(child.wait().unwrap(), Exit::Status(0), "{variant:?}");
        File::from(reader).read_to_string(&mut events).unwrap();
        assert_eq!((output.as_str(), events.as_str()), ("to output", "to parent"), "{variant:?}");
        assert_eq!(who.load(Relaxed), child.id(), "{variant:?}");
    }
}

#[test]
fn a_callback_can_end_the_start() {
    for variant in SPAWN_VARIANTS.iter().filter(|variant| variant.mode != Mode::Zygote) {
        let run = |callback| {
            let mut command = Command::new("true");
            command.stdout(Stdio::Pipe).mode(variant.mode).table(variant.table);
            command.limit(rusk_spawn::Limit { resource: libc::RLIMIT_CORE, soft: 0, hard: 0 });
            // SAFETY: raw calls only, and code that crashes only the child.
            unsafe { command.callback(callback, std::ptr::null_mut(), None) };
            let mut child = command.spawn().unwrap();
            assert_eq!(child.stdout.take().unwrap().read(&mut [0; 8]).unwrap(), 0, "{variant:?}");
            child.wait()
        };
        let error = run(refuse_to_start).unwrap_err();
        assert_eq!((error.step(), error.errno()), (Step::Callback, libc::EXDEV), "{variant:?}");
        assert!(matches!(run(die), Ok(Exit::Signal { number: libc::SIGKILL, .. })), "{variant:?}");
        assert!(matches!(run(trap), Ok(Exit::Signal { number: libc::SIGSEGV, .. })), "{variant:?}");
    }
}

#[test]
fn a_callback_does_not_go_through_a_zygote() {
    let mut command = Command::new("true");
    // SAFETY: it only returns.
    unsafe { command.callback(refuse_to_start, std::ptr::null_mut(), None) };
    let error = command.mode(Mode::Zygote).spawn().unwrap_err();
    assert_eq!((error.step(), error.errno()), (Step::Command, libc::ENOTSUP));
    let credentials = Credentials { groups: Some(vec![]), ..Credentials::default() };
    let error = command.mode(Mode::Chosen).credentials(credentials).spawn().unwrap_err();
    assert_eq!((error.step(), error.errno()), (Step::Command, libc::ENOTSUP));
}
