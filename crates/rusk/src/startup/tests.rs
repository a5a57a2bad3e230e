//! Tests of the variable and of the table.

use super::*;
use rusk_base::sys::syscall_stats::{SyscallRow, SyscallSummary};
use rusk_base::timeline::process_phases::ProcessPhase;

fn check(value: &str, steps: bool, calls: bool) {
    let wanted = parse(Some(value.into())).expect("it is known");
    assert_eq!(wanted, TraceOptions { steps, calls }, "{value}");
}

#[test]
fn the_variable_is_a_list() {
    check("", false, false);
    check("0", false, false);
    check("1", true, false);
    check("steps", true, false);
    check("syscalls", false, true);
    check("steps,syscalls", true, true);
    check("all", true, true);
    assert_eq!(parse(None).expect("nothing is asked for"), TraceOptions::default());
}

#[test]
fn an_unknown_value_is_an_error() {
    for value in ["yes", "steps,", "syscalls,stpes", "ALL", " steps"] {
        let problem = parse(Some(value.into())).expect_err("it is not known");
        assert_eq!(problem.code(), "bad-variable", "{value}");
        assert!(problem.message().contains(&format!("`{value}`")), "{problem}");
    }
}

#[test]
fn tables_have_eighty_columns_and_shares() {
    let micros = Duration::from_micros;
    let step = |name, depth, start, end| ProcessPhase {
        name,
        depth,
        is_other_thread: false,
        start: micros(start),
        end: Some(micros(end)),
    };
    let steps = vec![step("link", 0, 0, 600), step("put in place", 1, 100, 400)];
    let row = |number, count, errors, total_ns| SyscallRow {
        number,
        count,
        errors,
        total_ns,
        p50_ns: 8,
        p99_ns: 900,
        max_ns: 70_000_000,
    };
    let open = rusk_observe::syscalls::Syscall::find(rusk_observe::syscalls::Arch::OWN, "openat")
        .expect("it is known");
    let sums = SyscallSummary { wall_ns: 1_000_000, rows: vec![row(open.number, 12, 3, 250_000)] };
    let text = text::text(Some((steps, micros(1000))), Some(micros(800)), Some(sums));
    let words = |begins: &str| {
        let line = text.lines().find(|line| line.starts_with(begins)).expect(begins);
        line[begins.len()..].split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert_eq!(words("before main, in CPU time"), "800 µs");
    assert_eq!(words("link"), "0 ns 600 µs 60.0%");
    assert_eq!(words("  put in place"), "100 µs 300 µs 30.0%");
    assert_eq!(words("between steps"), "400 µs 40.0%");
    assert_eq!(words("openat"), "12 3 250 µs 25.0% 8 ns 900 ns 70.0 ms");
    assert_eq!(text::text(None, None, None), "");
}
