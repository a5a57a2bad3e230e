//! The plain text report, and its width.

use super::*;
use crate::report::tests::example;

#[test]
fn the_report_of_an_example() {
    let expected = "\
sh -c ls
5.00 ms, 2 processes, 2 threads, 8 calls
traced by ptrace on one CPU, adding 9.0 µs a call, about 72 µs in all

works                 calls  errors     time      p50      p90      p99      max
execve                    2           800 µs   295 µs   492 µs   492 µs   500 µs
open                      4       3   9.0 µs   1.9 µs   2.8 µs   2.8 µs   3.0 µs
access                    1       1   1.0 µs   959 ns   959 ns   959 ns   1.0 µs

waits                 calls  errors     time      p50      p90      p99      max
wait4                     1          1.10 ms  1.10 ms  1.10 ms  1.10 ms  1.10 ms

errors
ENOENT                    3  open 3
EACCES                    1  access 1

open: 4 lookups, 3 failed

stat: 1 lookups, 0 failed

failed lookups, by what would avoid them
       3 /lib/*
         the directory exists, 3 names do not: list it once

process                            from    until    calls     work  waiting
sh 1                               0 ns  2.50 ms        2   300 µs  1.10 ms
  ls 2                          1.00 ms  2.00 ms        6   510 µs     0 ns
";
    assert_eq!(text(&example()), expected);
}

#[test]
fn phases_precede_system_calls() {
    let stage = |name: &str, depth, times, rows: &[ReportRow]| PhaseReport {
        name: name.to_owned(),
        depth,
        is_other_thread: name == "clear away",
        times,
        wall_ns: 7_000,
        rows: rows.to_vec(),
    };
    let mut report = example();
    let (waits, works) = (&report.rows[..1], &report.rows[1..3]);
    report.phases = vec![
        stage("link", 0, 1, works),
        stage("link packages", 1, 3, &works[1..]),
        stage("clear away", 0, 1, &[]),
        stage("between", 0, 0, waits),
    ];
    let expected = "
phase                                  took    calls   errors     work  waiting
link                                 7.0 µs        6        3   809 µs     0 ns
  link packages × 3                  7.0 µs        4        3   9.0 µs     0 ns
clear away (other thread)            7.0 µs        0              0 ns     0 ns
between                              7.0 µs        1              0 ns  1.10 ms
other processes                                    1

works    ";
    let text = text(&report);
    assert!(text.contains(expected), "{text}");
}

#[test]
fn no_line_is_wider_than_a_terminal() {
    let mut report = example();
    report.command = vec!["a long word ".repeat(20)];
    report.rows[1].name = "a_call_with_a_very_long_name".to_owned();
    report.patterns[0].text = "/deep".repeat(40);
    report.lookups[0].top[0].path = "/deep".repeat(40);
    report.lookups[0].top[0].count = 5;
    report.info.wall_ns = 3_600_000_000_000;
    for line in text(&report).lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn untrusted_strings_are_escaped() {
    let mut report = example();
    report.command = vec!["\u{1b}[2J".to_owned()];
    report.patterns[0].text = "/\u{202e}x".to_owned();
    assert!(!text(&report).contains(['\u{1b}', '\u{202e}']));
}

#[test]
fn an_incomplete_trace_says_so() {
    let mut report = example();
    report.info.until = "listen".to_owned();
    report.info.lost = 7;
    report.info.overhead_ns = 0;
    report.dropped_lookups = 3;
    let text = text(&report);
    for line in [
        "traced until listen (not reached)",
        "7 records lost",
        "adding too little to be measured",
        "3 lookups of further paths",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn times_take_seven_columns() {
    let check = |nanoseconds, shown| assert_eq!(time(nanoseconds), shown);
    check(0, "0 ns");
    check(999, "999 ns");
    check(1_000, "1.0 µs");
    check(9_960, "10.0 µs");
    check(38_400, "38 µs");
    check(999_499, "999 µs");
    check(999_500, "1.00 ms");
    check(48_123_456, "48.1 ms");
    check(999_499_999, "999 ms");
    check(1_240_000_000, "1.24 s");
    check(3_600_000_000_000, "3600 s");
}
