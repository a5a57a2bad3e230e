//! A test's own program as something to start: with `--role=name` as its first word it takes that
//! role before `main`, so that neither the test harness nor Rust's runtime (which opens what is
//! closed of 0 to 2, and ignores SIGPIPE) stands between a role and what it finds. Roles also hold
//! what needs a process of its own.

#![allow(dead_code, reason = "each test uses its part")]

use std::ffi::{CStr, c_char, c_int};
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::time::{Duration, Instant};

use rusk_spawn::{Command, Mode, TableChoice};

pub mod report;
pub mod seccomp;

/// A way of starting a program.
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

/// A name, and what a process that takes it does with its other words. To panic is to fail.
pub type Role = (&'static str, fn(&[String]));

const ROLES: &[Role] = &[("report", report::write)];

/// This program, to be started in a role.
pub fn command(variant: SpawnVariant, role: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg(format!("--role={role}")).mode(variant.mode).table(variant.table);
    command
}

/// Takes a role in a new process, by the standard library; it must come to its end.
#[track_caller]
pub fn run_role(role: &str, args: &[&str]) {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    let output = command.arg(format!("--role={role}")).args(args).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{role} {args:?}: {}\n{said}", output.status);
}

/// The role for every way of starting, which it finds as its first word.
#[track_caller]
pub fn run_role_in_every_variant(role: &str) {
    for index in 0..SPAWN_VARIANTS.len() {
        run_role(role, &[&index.to_string()]);
    }
}

/// The way that [`run_role_in_every_variant`] gave.
pub fn variant(args: &[String]) -> SpawnVariant {
    SPAWN_VARIANTS[args[0].parse::<usize>().unwrap()]
}

#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn(c_int, *const *const c_char) = take_role;

extern "C" fn take_role(count: c_int, args: *const *const c_char) {
    let arg = |index: usize| {
        // SAFETY: libc hands the words over, as many as it says, each ending in a NUL.
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
    // SAFETY: ends the process.
    unsafe { libc::_exit(if done.is_ok() { 0 } else { 101 }) };
}

/// Polls until it holds; a test that waits for ever has failed.
#[track_caller]
pub fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < end, "waited in vain: {what}");
        std::thread::yield_now();
    }
}

/// What the child runs as a callback, or the test by itself.
pub fn errno() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap()
}

/// A file in memory with this text, read from its start.
pub fn file(text: &str) -> OwnedFd {
    use std::io::{Seek, Write};
    // SAFETY: the name ends in a NUL; the number is ours alone.
    let mut file = unsafe {
        let number = libc::memfd_create(c"test".as_ptr(), libc::MFD_CLOEXEC);
        assert!(number >= 0, "{}", std::io::Error::last_os_error());
        std::fs::File::from_raw_fd(number)
    };
    file.write_all(text.as_bytes()).unwrap();
    file.rewind().unwrap();
    file.into()
}

/// Which file it is, as the report says it: device and inode.
pub fn identity(fd: impl AsFd) -> String {
    report::identity(fd.as_fd().as_raw_fd()).unwrap()
}

/// Another name for a descriptor, at this number, open across exec. Whatever was there is closed.
pub fn put_at(fd: impl AsFd, number: RawFd) {
    // SAFETY: numbers alone; roles alone use it, which own their table.
    assert_eq!(unsafe { libc::dup2(fd.as_fd().as_raw_fd(), number) }, number);
}

pub fn pipe() -> (OwnedFd, OwnedFd) {
    let mut ends = [0; 2];
    // SAFETY: the kernel writes two numbers, which are ours alone.
    unsafe {
        assert_eq!(libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC), 0);
        (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1]))
    }
}

/// For roles: what the test that started them left open goes.
pub fn close_inherited() {
    // SAFETY: roles own their table.
    unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, 0) };
}

pub fn close(number: RawFd) {
    // SAFETY: roles alone use it, which own their table.
    assert_eq!(unsafe { libc::close(number) }, 0);
}

/// As many numbers as this process may have. Out: how many.
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

/// A folder of this test's own, empty.
pub fn dir(name: &str) -> std::path::PathBuf {
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

/// Every number this process has open.
pub fn open_numbers() -> Vec<RawFd> {
    report::open_numbers()
}

pub fn is_root() -> bool {
    // SAFETY: takes nothing.
    unsafe { libc::geteuid() == 0 }
}
