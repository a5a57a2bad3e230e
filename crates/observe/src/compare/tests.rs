//! Comparison of two reports.

use super::*;

fn stored(command: &str, calls: &[(&str, bool, u64, u64)]) -> StoredReport {
    let calls = calls.iter().map(|(name, waits, count, total_ns)| StoredSyscall {
        name: (*name).to_owned(),
        waits: *waits,
        count: *count,
        errors: 1,
        total_ns: *total_ns,
    });
    StoredReport { command: command.to_owned(), wall_ns: 2_000_000, calls: calls.collect() }
}

#[test]
fn the_largest_difference_comes_first_and_waiting_last() {
    let before =
        stored("x", &[("read", false, 5, 900), ("openat", false, 10, 5_000), ("futex", true, 1, 9_000)]);
    let after = stored("y", &[("read", false, 5, 950), ("openat", false, 2, 1_000), ("close", false, 1, 10)]);
    let names: Vec<String> = pairs(&before, &after).into_iter().map(|pair| pair.name).collect();
    assert_eq!(names, ["openat", "read", "close", "futex"]);
    assert_eq!(pairs(&before, &after)[2].before, StoredSyscall::default());
}

#[test]
fn both_reports_are_side_by_side() {
    let text =
        text(&stored("x", &[("openat", false, 10, 5_000)]), &stored("y", &[("openat", false, 2, 1_000)]));
    let expected = "\
A x: 2.00 ms
B y: 2.00 ms

works                 calls A        B errors A        B   time A        B
openat                     10        2        1        1   5.0 µs   1.0 µs

calls 10 and 2, work 5.0 µs and 1.0 µs
";
    assert_eq!(text, expected);
}
