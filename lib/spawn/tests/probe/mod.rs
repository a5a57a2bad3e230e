//! The test's own program as a probe: with `--role=name` as its first argument it takes that role
//! before `main`. So neither the test harness nor Rust's runtime (which opens closed fds of 0 to 2,
//! and ignores SIGPIPE) changes what a role finds. Roles also hold code that needs a process of its
//! own.

#![allow(dead_code, reason = "each test uses its part")]

use std::ffi::{CStr, c_char, c_int};
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::time::{Duration, Instant};

use rusk_spawn::{Command, Mode, TableChoice};

pub mod report;
pub mod seccomp;

/// A variant of starting a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpawnVariant {
    pub mode: Mode,
    pub table: TableChoice,
}

pub const SPAWN_VARIANTS: &[SpawnVariant] = &[
    SpawnVariant { mode: Mode::Direct, table: TableChoice::Copied },
    SpawnVariant { mode: Mode::Direct, table: TableChoice::Shared },
    SpawnVariant { mode: Mode::Vfork, table: TableChoice::Copied },
    SpawnVariant { mode: Mode::Thread, table: TableChoice::Copied },
    SpawnVariant { mode: Mode::Thread, table: TableChoice::Shared },
    SpawnVariant { mode: Mode::Zygote, table: TableChoice::Chosen },
];

/// Those in which the call returns before the program runs.
pub fn early_variants() -> impl Iterator<Item = SpawnVariant> {
    SPAWN_VARIANTS.iter().copied().filter(|variant| matches!(variant.mode, Mode::Direct | Mode::Thread))
}

/// A name, and the function that a process in this role runs with its other arguments. A panic is a
/// failure.
pub type Role = (&'static str, fn(&[String]));

const ROLES: &[Role] = &[("report", report::write)];

/// This program, to be started in a role.
pub fn command(variant: SpawnVariant, role: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg(format!("--role={role}")).mode(variant.mode).table(variant.table);
    command
}

/// Runs a role in a new process, started by the standard library; it must exit.
#[track_caller]
pub fn run_role(role: &str, args: &[&str]) {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    let output = command.arg(format!("--role={role}")).args(args).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{role} {args:?}: {}\n{said}", output.status);
}

/// Runs the role for every variant, which it gets as its first argument.
#[track_caller]
pub fn run_role_in_every_variant(role: &str) {
    for index in 0..SPAWN_VARIANTS.len() {
        run_role(role, &[&index.to_string()]);
    }
}

/// The variant from [`run_role_in_every_variant`].
pub fn variant(args: &[String]) -> SpawnVariant {
    SPAWN_VARIANTS[args[0].parse::<usize>().unwrap()]
}

#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn(c_int, *const *const c_char) = take_role;

extern "C" fn take_role(count: c_int, args: *const *const c_char) {
    let arg = |index: usize| {
        // SAFETY: libc passes the arguments, as many as it says, each ending in a NUL.
        unsafe { CStr::from_ptr(*args.wrapping_add(index)) }.to_string_lossy().into_owned()
    };
    if count < 2 {
        return;
    }
    let first = arg(1);
    let Some(name) = first.strip_prefix("--role=") else { return };
    let args: Vec<String> = (2..count as usize).map(arg).collect();
    let role = ROLES.iter().chain(crate::ROLES).find(|(known, _)| *known == name);
    let done = std::panic::catch_unwind(|| role.expect("a known role").1(&args));
    // SAFETY: exits the process.
    unsafe { libc::_exit(if done.is_ok() { 0 } else { 101 }) };
}

/// Polls until the condition holds; a test that waits for ever has failed.
#[track_caller]
pub fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < end, "waited in vain: {what}");
        std::thread::yield_now();
    }
}

/// The last errno of this thread.
pub fn errno() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap()
}

/// A memfd with this content, read from its start.
pub fn file(text: &str) -> OwnedFd {
    use std::io::{Seek, Write};
    // SAFETY: the name ends in a NUL; the fd is owned only here.
    let mut file = unsafe {
        let number = libc::memfd_create(c"test".as_ptr(), libc::MFD_CLOEXEC);
        assert!(number >= 0, "{}", std::io::Error::last_os_error());
        std::fs::File::from_raw_fd(number)
    };
    file.write_all(text.as_bytes()).unwrap();
    file.rewind().unwrap();
    file.into()
}

/// Device and inode, as the report prints them.
pub fn identity(fd: impl AsFd) -> String {
    report::identity(fd.as_fd().as_raw_fd()).unwrap()
}

/// `dup2(2)`: a copy of an fd at this number, open across exec.
pub fn put_at(fd: impl AsFd, number: RawFd) {
    // SAFETY: no pointers; only roles call it, which own their table.
    assert_eq!(unsafe { libc::dup2(fd.as_fd().as_raw_fd(), number) }, number);
}

pub fn pipe() -> (OwnedFd, OwnedFd) {
    let mut ends = [0; 2];
    // SAFETY: the kernel writes two fds, which are owned only here.
    unsafe {
        assert_eq!(libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC), 0);
        (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1]))
    }
}

/// For roles: closes the fds that the test left open.
pub fn close_inherited() {
    // SAFETY: roles own their table.
    unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, 0) };
}

pub fn close(number: RawFd) {
    // SAFETY: only roles call it, which own their table.
    assert_eq!(unsafe { libc::close(number) }, 0);
}

/// Raises the fd limit of this process to the maximum. Returns it.
pub fn raise_number_limit() -> RawFd {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the kernel writes, then reads, one limit.
    unsafe {
        assert_eq!(libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit), 0);
        limit.rlim_cur = limit.rlim_max;
        assert_eq!(libc::setrlimit(libc::RLIMIT_NOFILE, &limit), 0);
    }
    limit.rlim_cur.min(RawFd::MAX as u64) as RawFd
}

/// An empty directory for this test.
pub fn dir(name: &str) -> std::path::PathBuf {
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

/// Every open fd of this process.
pub fn open_numbers() -> Vec<RawFd> {
    report::open_numbers()
}

pub fn is_root() -> bool {
    // SAFETY: takes no arguments.
    unsafe { libc::geteuid() == 0 }
}
