//! The startup trace as a table of 80 columns. In: what was recorded. Out: lines; none if nothing
//! was recorded.

use std::fmt::Write;
use std::time::Duration;

use rusk_base::sys::syscall_stats::{SyscallRow, SyscallSummary};
use rusk_base::timeline::process_phases::ProcessPhase;
use rusk_observe::syscalls::{Arch, Syscall};
use rusk_observe::table::time;

/// What the process does outside of `rusk_base::sys`.
const NOT_COUNTED: &str = "\
not counted: loading the executable; system calls of the libraries for memory,
threads, locks, real paths, the number of CPUs and starting programs; the
network; the engine. `rusk trace` counts all of them.
";

/// `before`: CPU time before `main`.
pub fn text(
    steps: Option<(Vec<ProcessPhase>, Duration)>,
    before: Option<Duration>,
    sums: Option<SyscallSummary>,
) -> String {
    let mut out = String::new();
    if let Some((steps, wall)) = steps {
        push_steps(&mut out, &steps, before.unwrap_or_default(), wall);
    }
    if let Some(sums) = sums {
        push_calls(&mut out, &sums);
        out.push_str(NOT_COUNTED);
    }
    out
}

fn push_steps(out: &mut String, steps: &[ProcessPhase], before: Duration, wall: Duration) {
    let wall_ns = wall.as_nanos() as u64;
    let _ = writeln!(out, "{:<47} {:>10} {:>10} {:>10}", "step", "from", "took", "share");
    let name = "before main, in CPU time";
    let _ = writeln!(out, "{name:<47} {:>10} {:>10}", "", time(before.as_nanos() as u64));
    for step in steps {
        let note = match (step.end, step.is_other_thread) {
            (None, _) => " (unfinished)",
            (Some(_), true) => " (parallel)",
            (Some(_), false) => "",
        };
        let took_ns = step.end.unwrap_or(wall).saturating_sub(step.start).as_nanos() as u64;
        let _ = writeln!(
            out,
            "{:<47} {:>10} {:>10} {:>10}",
            format!("{}{}{note}", "  ".repeat(step.depth), step.name),
            time(step.start.as_nanos() as u64),
            time(took_ns),
            share(took_ns, wall_ns)
        );
    }
    // Nested steps are part of the outer ones.
    let outer = steps.iter().filter(|step| step.depth == 0 && !step.is_other_thread);
    let in_steps: Duration = outer.map(|step| step.end.unwrap_or(wall).saturating_sub(step.start)).sum();
    let between_ns = wall.saturating_sub(in_steps).as_nanos() as u64;
    let _ = writeln!(
        out,
        "{:<47} {:>10} {:>10} {:>10}",
        "between steps",
        "",
        time(between_ns),
        share(between_ns, wall_ns)
    );
    let _ = writeln!(out, "{:<47} {:>10} {:>10}", "since main", "", time(wall_ns));
}

fn push_calls(out: &mut String, sums: &SyscallSummary) {
    let _ = writeln!(
        out,
        "{:<17} {:>7} {:>7} {:>8} {:>7} {:>8} {:>8} {:>8}",
        "system call", "calls", "errors", "time", "share", "p50", "p99", "max"
    );
    for row in &sums.rows {
        let name = Syscall { arch: Arch::OWN, number: row.number }.name();
        let errors = if row.errors == 0 { String::new() } else { row.errors.to_string() };
        let _ = writeln!(
            out,
            "{name:<17} {:>7} {errors:>7} {:>8} {:>7} {:>8} {:>8} {:>8}",
            row.count,
            time(row.total_ns),
            share(row.total_ns, sums.wall_ns),
            time(row.p50_ns),
            time(row.p99_ns),
            time(row.max_ns),
        );
    }
    let sum = |of: fn(&SyscallRow) -> u64| sums.rows.iter().map(of).sum::<u64>();
    let total_ns = sum(|row| row.total_ns);
    let _ = writeln!(
        out,
        "{:<17} {:>7} {:>7} {:>8} {:>7}, of {}",
        "all",
        sum(|row| row.count),
        sum(|row| row.errors),
        time(total_ns),
        share(total_ns, sums.wall_ns),
        time(sums.wall_ns),
    );
}

/// May exceed 100 % if several threads worked.
fn share(part_ns: u64, whole_ns: u64) -> String {
    format!("{:.1}%", 100.0 * part_ns as f64 / whole_ns.max(1) as f64)
}
