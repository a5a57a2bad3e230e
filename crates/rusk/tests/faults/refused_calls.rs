//! System calls that fail: a full disk, a read-only file system, too many open files, other file
//! systems, no hard links. A seccomp filter answers each call with the error. Where another way
//! exists the install takes it; else it fails with the project as it was, and the next one
//! succeeds.

use std::ffi::OsString;

use rusk_spawn::{Command, Limit, Stdio};
use rusk_testkit::project::Project;
use rusk_testkit::registry::Server;

use super::sweep::{ALONE, PROGRAM, environment, registry, whole};

const MANIFEST: &str = r#"{ "name": "app", "dependencies": { "left": "1.0.0", "tool": "1" } }"#;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Failure,
    Success,
}

/// Flags of `openat(2)`.
const O_CREAT: u32 = 0o100;

#[test]
fn a_refused_call_changes_nothing() {
    let _alone = ALONE.lock();
    let server = registry();
    use Expected::{Failure, Success};
    let of_links = [libc::EXDEV, libc::EPERM, libc::EMLINK, libc::EOPNOTSUPP].map(|errno| (errno, Success));
    for (errno, expected) in of_links {
        check(&server, &refusing(libc::SYS_linkat, errno), expected, "linkat", errno);
    }
    for errno in [libc::ENOSPC, libc::EROFS, libc::EDQUOT, libc::EACCES, libc::EMFILE, libc::ENFILE] {
        check(&server, &refusing_creation(errno), Failure, "openat with O_CREAT", errno);
    }
    for errno in [libc::ENOSPC, libc::EROFS, libc::EACCES] {
        check(&server, &refusing(libc::SYS_mkdirat, errno), Failure, "mkdirat", errno);
    }
    for errno in [libc::EPERM, libc::ENOSPC] {
        check(&server, &refusing(libc::SYS_symlinkat, errno), Failure, "symlinkat", errno);
    }
    check(&server, &refusing(libc::SYS_renameat, libc::EACCES), Failure, "renameat", libc::EACCES);
    for (call, name) in [
        (libc::SYS_io_uring_setup, "io_uring_setup"),
        (libc::SYS_copy_file_range, "copy_file_range"),
        (libc::SYS_ioctl, "ioctl"),
    ] {
        check(&server, &refusing(call, libc::EPERM), Success, name, libc::EPERM);
    }
}

#[test]
fn few_open_files_are_an_error_or_enough() {
    let _alone = ALONE.lock();
    let server = registry();
    for files in [8, 12, 16, 24, 32] {
        let project = project(&server);
        let limit = Limit { resource: libc::RLIMIT_NOFILE, soft: files, hard: files };
        let code = install(&project, |command| {
            command.limit(limit);
        });
        assert!(matches!(code, 0 | 2), "{files} files: exit code {code}");
        let installed = project.path().join("node_modules").exists();
        assert_eq!(installed, code == 0, "{files} files");
        whole(&project, &["left/index.js"]).unwrap_or_else(|reason| panic!("{files} files: {reason}"));
    }
}

fn check(server: &Server, filter: &[[u8; 8]], expected: Expected, call: &str, errno: i32) {
    let project = project(server);
    let code = install(&project, |command| {
        command.no_new_privileges().seccomp(filter);
    });
    let case = format!("{call} fails with {errno}");
    match expected {
        Expected::Success => assert_eq!(code, 0, "{case}"),
        Expected::Failure => {
            assert_eq!(code, 2, "{case}");
            for made in ["node_modules", "bun.lock"] {
                assert!(!project.path().join(made).exists(), "{made}; {case}");
            }
        }
    }
    whole(&project, &["left/index.js", "tool/cli.js"]).unwrap_or_else(|reason| panic!("{case}: {reason}"));
}

fn project(server: &Server) -> Project {
    let project = Project::in_memory();
    project.write("package.json", MANIFEST);
    project.write(".npmrc", format!("registry={}\n", server.url()));
    project
}

fn install(project: &Project, restrict: impl FnOnce(&mut Command)) -> i32 {
    install_with(project, &[], restrict)
}

/// The exit code of an install with these flags.
pub fn install_with(project: &Project, flags: &[&str], restrict: impl FnOnce(&mut Command)) -> i32 {
    let mut command = Command::new(PROGRAM);
    let variables: Vec<(OsString, OsString)> =
        environment(project).into_iter().map(|(name, value)| (name.into(), value.into())).collect();
    command.args(["install", "--silent"]).args(flags).current_dir(project.path()).env_clear();
    for (name, value) in variables {
        command.env(name, value);
    }
    command.stdin(Stdio::Null).stdout(Stdio::Null).stderr(Stdio::Null);
    restrict(&mut command);
    let exit = command.spawn().expect("started").wait().expect("ended");
    match exit {
        rusk_spawn::Exit::Status(code) => code,
        rusk_spawn::Exit::Signal { number, .. } => panic!("killed by signal {number}"),
    }
}

/// A filter that answers one call with an error.
pub fn refusing(call: libc::c_long, errno: i32) -> Vec<[u8; 8]> {
    vec![load(NUMBER_AT), jump_unless_equal(call as u32, 1), refuse(errno), ALLOW]
}

/// A filter that answers `openat(2)` with an error where it may create a file.
fn refusing_creation(errno: i32) -> Vec<[u8; 8]> {
    vec![
        load(NUMBER_AT),
        jump_unless_equal(libc::SYS_openat as u32, 3),
        load(ARGUMENTS_AT + 2 * 8),
        // BPF_JMP | BPF_JSET | BPF_K
        instruction(0x45, 0, 1, O_CREAT),
        refuse(errno),
        ALLOW,
    ]
}

/// Offsets in `struct seccomp_data`.
const NUMBER_AT: u32 = 0;
const ARGUMENTS_AT: u32 = 16;

const ALLOW: [u8; 8] = instruction(0x06, 0, 0, libc::SECCOMP_RET_ALLOW);

fn refuse(errno: i32) -> [u8; 8] {
    instruction(0x06, 0, 0, libc::SECCOMP_RET_ERRNO | errno as u32)
}

fn load(offset: u32) -> [u8; 8] {
    // BPF_LD | BPF_W | BPF_ABS
    instruction(0x20, 0, 0, offset)
}

/// Passes over as many instructions if the loaded value is another one.
fn jump_unless_equal(value: u32, passed_over: u8) -> [u8; 8] {
    // BPF_JMP | BPF_JEQ | BPF_K
    instruction(0x15, 0, passed_over, value)
}

const fn instruction(code: u16, on_true: u8, on_false: u8, value: u32) -> [u8; 8] {
    let (code, value) = (code.to_ne_bytes(), value.to_ne_bytes());
    [code[0], code[1], on_true, on_false, value[0], value[1], value[2], value[3]]
}
