//! Tens of thousands of starts leak no fd, mapping or zombie. The role `endurance` takes their
//! number as its argument, for longer manual runs.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use probe::{Role, SPAWN_VARIANTS, SpawnVariant};
use rusk_spawn::{Command, Exit, Mode, Stdio};

mod probe;

const ROLES: &[Role] = &[("endurance", endurance)];

const STARTS: usize = 20_000;
const THREADS: usize = 4;
/// What the library keeps for later starts depends on the most that were under way at once, on
/// which there are limits: 16 pairs of sockets, 64 stacks. One leaked in 500 starts is more.
const KEPT_FDS_MAX: usize = 34;
const KEPT_MAPPINGS_MAX: usize = 150;
/// One in this many is dropped without a wait.
const DROPPED_EVERY: usize = 16;

#[test]
fn many_starts_leak_nothing() {
    let program = nothing(&probe::dir("endurance"));
    probe::run_role("endurance", &[program.to_str().unwrap(), &STARTS.to_string()]);
}

/// A program that exits at once: static if there is a compiler.
fn nothing(dir: &Path) -> PathBuf {
    let (source, program) = (dir.join("nothing.c"), dir.join("nothing"));
    std::fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let built =
        std::process::Command::new("cc").args(["-O", "-static", "-o"]).arg(&program).arg(&source).output();
    if built.is_ok_and(|built| built.status.success()) { program } else { "true".into() }
}

/// The fds and mappings of this process.
fn resources() -> [usize; 2] {
    let mappings = std::fs::read_to_string("/proc/self/maps").unwrap().lines().count();
    [probe::open_numbers().len(), mappings]
}

fn has_zombies() -> bool {
    // SAFETY: a zeroed siginfo is valid; the kernel fills it.
    unsafe {
        let mut found = std::mem::zeroed::<libc::siginfo_t>();
        let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        libc::waitid(libc::P_ALL, 0, &mut found, flags) == 0 && found.si_pid() != 0
    }
}

fn endurance(args: &[String]) {
    let starts: usize = args[1].parse().unwrap();
    probe::close_inherited();
    // A zygote costs several times as much, and gets its share.
    let variants: Vec<SpawnVariant> =
        SPAWN_VARIANTS.iter().copied().filter(|variant| variant.mode != Mode::Zygote).collect();
    let run = |starts: usize| {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    while let number @ 0.. = next.fetch_add(1, Relaxed)
                        && number < starts
                    {
                        start(&args[0], variants[number % variants.len()], number);
                    }
                });
            }
        });
        probe::wait_until("all are reaped", || {
            start(&args[0], variants[0], 1);
            !has_zombies()
        });
        resources()
    };
    let (before, after) = (run(starts / 20), run(starts));
    assert!(after[0] <= before[0] + KEPT_FDS_MAX, "fds: {before:?} {after:?}");
    assert!(after[1] <= before[1] + KEPT_MAPPINGS_MAX, "mappings: {before:?} {after:?}");
    let zygote = SpawnVariant { mode: Mode::Zygote, ..variants[0] };
    for number in 0..starts / 100 {
        start(&args[0], zygote, number);
    }
    probe::wait_until("all of the zygote's are reaped", || {
        start(&args[0], zygote, 1);
        !has_zombies()
    });
    let last = resources();
    assert!(last[0] <= after[0] + 3, "fds: {after:?} {last:?}");
}

fn start(program: &str, variant: SpawnVariant, number: usize) {
    let mut command = Command::new(program);
    command.mode(variant.mode).table(variant.table);
    if number.is_multiple_of(3) {
        command.stdin(Stdio::Pipe).stdout(Stdio::Pipe).stderr(Stdio::Pipe);
    }
    let mut child = command.spawn().unwrap();
    if !number.is_multiple_of(DROPPED_EVERY) {
        assert_eq!(child.wait().unwrap(), Exit::Status(0), "{variant:?}");
    }
}
