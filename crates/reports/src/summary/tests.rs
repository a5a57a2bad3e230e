//! What is said when an install is done.

use super::*;
use rusk_install::summary::{LockfileOutcome, Times};
use rusk_terminal::style::{Charset, ColorMode, Format, ProgressStyle};
use std::time::Duration;

const APPROVE: &str = "rusk approve";

const STYLE: OutputStyle = OutputStyle {
    verbosity: Verbosity::Normal,
    format: Format::Text,
    progress: ProgressStyle::None,
    charset: Charset::Unicode,
    stdout_color: ColorMode::Plain,
    stderr_color: ColorMode::Plain,
};

fn change(name: &str, before: Option<&str>, after: Option<&str>) -> Change {
    Change { name: name.to_owned(), before: before.map(str::to_owned), after: after.map(str::to_owned) }
}

/// Packages installed, added, changed, removed.
fn counts(counts: [usize; 4]) -> Summary {
    let [installed, added, changed, removed] = counts;
    let times = Times { total: Duration::from_millis(1240), ..Times::default() };
    Summary { installed, added, changed, removed, times, ..Summary::default() }
}

fn check(summary: &Summary, goal: Goal, expected: &str) {
    assert_eq!(text(summary, goal, APPROVE, &STYLE), format!("{expected} [1.24s]\n"));
}

#[test]
fn the_last_line_counts() {
    check(
        &counts([312, 300, 12, 3]),
        Goal::Install,
        "312 packages installed: 300 added, 12 changed, 3 removed",
    );
    check(&counts([312, 0, 0, 3]), Goal::Install, "312 packages installed: 3 removed");
    check(&counts([312, 312, 0, 0]), Goal::Install, "312 packages installed");
    check(&counts([1, 1, 0, 0]), Goal::Install, "1 package installed");
    check(&counts([312, 0, 0, 0]), Goal::Install, "nothing to do: 312 packages");
    check(&counts([0, 0, 0, 2]), Goal::Install, "0 packages installed: 2 removed");
    check(&counts([312, 2, 0, 3]), Goal::DryRun, "dry run, nothing written: 2 to add, 3 to remove");
    check(&counts([312, 0, 0, 0]), Goal::DryRun, "dry run, nothing to do: 312 packages");
}

#[test]
fn the_lockfile_alone_is_named() {
    let lockfile = |lockfile| Summary { lockfile, ..counts([5, 0, 0, 0]) };
    check(&lockfile(LockfileOutcome::Written), Goal::LockfileOnly, "bun.lock written");
    check(&lockfile(LockfileOutcome::Unchanged), Goal::LockfileOnly, "bun.lock is up to date");
    check(&lockfile(LockfileOutcome::Written), Goal::Install, "bun.lock written, 5 packages unchanged");
    check(
        &lockfile(LockfileOutcome::Withheld),
        Goal::DryRun,
        "dry run, nothing written: bun.lock would change",
    );
}

#[test]
fn direct_dependencies_are_listed() {
    let direct = vec![
        change("left", None, Some("1.3.0")),
        change("right", Some("1.2.0"), Some("1.3.0")),
        change("old", Some("2.0.0"), None),
        change("bad\x1b[2J", None, Some("1\u{202e}")),
    ];
    let summary = Summary { direct, ..counts([3, 1, 1, 1]) };
    let end = "3 packages installed: 1 added, 1 changed, 1 removed [1.24s]\n";
    let unicode =
        format!("+ left 1.3.0\n~ right 1.2.0 → 1.3.0\n- old\n+ bad\\u{{1b}}[2J 1\\u{{202e}}\n\n{end}");
    assert_eq!(text(&summary, Goal::Install, APPROVE, &STYLE), unicode);
    let ascii = OutputStyle { charset: Charset::Ascii, ..STYLE };
    assert_eq!(text(&summary, Goal::Install, APPROVE, &ascii), unicode.replace('→', "->"));
    let coloured = OutputStyle { stdout_color: ColorMode::Color, ..STYLE };
    assert!(text(&summary, Goal::Install, APPROVE, &coloured).starts_with("\x1b[32m+\x1b[0m left 1.3.0\n"));
}

#[test]
fn scripts_held_back_are_named_within_80_columns() {
    let names: Vec<String> = (1..=12).map(|number| format!("package-{number}@1.0.0")).collect();
    let lines = scripts_lines(&names, &STYLE);
    assert_eq!(
        lines,
        [
            "12 packages have install scripts that were not run: package-1@1.0.0,",
            "  package-2@1.0.0, package-3@1.0.0, package-4@1.0.0, package-5@1.0.0,",
            "  package-6@1.0.0, package-7@1.0.0, package-8@1.0.0, package-9@1.0.0,",
            "  package-10@1.0.0, and 2 more (`--verbose` names them)",
        ]
    );
    let verbose = OutputStyle { verbosity: Verbosity::Verbose, ..STYLE };
    assert!(scripts_lines(&names, &verbose).concat().ends_with("package-12@1.0.0"));
    assert_eq!(
        scripts_lines(&names[..1], &STYLE),
        ["1 package has install scripts that were not run: package-1@1.0.0"]
    );
}

#[test]
fn times_are_short() {
    let check =
        |milliseconds, expected: &str| assert_eq!(duration(Duration::from_millis(milliseconds)), expected);
    check(0, "0ms");
    check(999, "999ms");
    check(1240, "1.24s");
    check(59_990, "59.99s");
    check(59_999, "60.00s");
    check(125_400, "2m 5s");
}

#[test]
fn bytes_are_short() {
    let check = |bytes, expected: &str| assert_eq!(bytes_text(bytes), expected);
    check(0, "0 B");
    check(999, "999 B");
    check(1000, "1.0 kB");
    check(999_949, "999.9 kB");
    check(999_950, "1.0 MB");
    check(45_200_000, "45.2 MB");
    check(u64::MAX, "18446744.1 TB");
}
