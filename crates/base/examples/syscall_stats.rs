//! Benchmark of the system call statistics. Out: nanoseconds of a null call without statistics,
//! with statistics off, and on; each the best of several interleaved rounds. `cargo xtask bench
//! start` reads them.

use std::ffi::c_long;
use std::hint::black_box;
use std::time::Instant;

use rusk_base::sys::syscall_stats;

const ROUNDS: usize = 40;
const CALLS: u32 = 20_000;

#[allow(clippy::print_stdout, reason = "the numbers are what the program is for")]
fn main() {
    let mut best = [f64::MAX; 3];
    for _ in 0..ROUNDS {
        best[0] = best[0].min(round(null));
        best[1] = best[1].min(round(recorded));
    }
    syscall_stats::begin();
    for _ in 0..ROUNDS {
        best[0] = best[0].min(round(null));
        best[2] = best[2].min(round(recorded));
    }
    println!("{:.1} {:.1} {:.1}", best[0], best[1], best[2]);
}

fn round(call: impl Fn()) -> f64 {
    let start = Instant::now();
    (0..CALLS).for_each(|_| call());
    start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
}

fn null() {
    let _ = black_box(rustix::process::getppid());
}

fn recorded() {
    let call = || Ok(rustix::process::getppid());
    let _ = black_box(syscall_stats::traced(black_box(GETPPID), call));
}

/// `getppid(2)`.
const GETPPID: c_long = if cfg!(target_arch = "x86_64") { 110 } else { 173 };
