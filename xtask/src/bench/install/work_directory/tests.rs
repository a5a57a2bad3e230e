//! Parsing of other programs' output.

use super::*;

#[test]
fn the_calls_are_those_of_the_last_line() {
    let counts = "% time seconds usecs/call calls errors syscall\n 60.0 0.1 2 40 1 openat\n100.00 0.2 3 1234 5 total\n";
    assert_eq!(total_calls(counts), Some(1234));
    assert_eq!(total_calls("strace: not allowed\n"), None);
}

#[test]
fn a_failure_is_one_line_without_the_directory() {
    for (message, expected) in [
        (
            "npm ci: exit status: 1\n  npm warn old\n  npm error code ETARGET in /tmp/x/project\n  more",
            "npm ci: exit status: 1: npm error code ETARGET in …/project",
        ),
        (
            "yarn: 1\n  ➤ YN0000: · Yarn 4\n  ➤ YN0082: │ a: none\n  ➤ YN0000: · Failed with errors",
            "yarn: 1: ➤ YN0082: │ a: none",
        ),
        ("deno: killed\n  the last word", "deno: killed: the last word"),
    ] {
        assert_eq!(reason(message, Path::new("/tmp/x")), expected);
    }
}

/// A fake tool that records what it finds and creates what `rusk` would.
const TOOL: &str = r#"#!/bin/sh
note() { if test -e "$2"; then printf '%s ' "$1"; fi; }
{
    note cache "$HOME/cache"; note lockfile bun.lock; note node_modules node_modules
    grep -q 1.1.0 package.json && printf 'update '
    echo
} >> "$HOME/../../found"
mkdir -p node_modules/left "$HOME/cache"
cp package.json node_modules/left/package.json
touch bun.lock
"#;

/// What the tool finds in the timed run, and how often it ran before that since its cache was
/// filled.
#[track_caller]
fn check(scenario: &str, expected: &str, runs_before: usize) {
    let manifest =
        |version: &str| format!(r#"{{"version": "{version}", "dependencies": {{"left": "{version}"}}}}"#);
    let project = rusk_testkit::project::Project::new();
    project.write("project/package.json", manifest("1.0.0")).write("update/package.json", manifest("1.1.0"));
    project.write("tool", TOOL).make_executable("tool");
    let directory = project.path();
    let update = Some(directory.join("update"));
    let fixture = Fixture { name: "test".to_owned(), project: directory.join("project"), update };
    let scenario = super::super::scenario::find(scenario).unwrap();
    let tools = Tool::all(&directory.join("tool"), Path::new(""));
    let work = WorkDirectory::new(&directory, &fixture, None, &[]).unwrap();
    work.prepare(&tools[0]).unwrap();
    let run = work.sample(&tools[0], scenario).unwrap();
    assert_eq!((run.tree.packages, run.tree.files), (1, 1));
    let found = project.read("rusk-bench/found");
    let found: Vec<&str> = found.lines().map(str::trim).collect();
    assert_eq!((*found.last().unwrap(), found.len() - 2), (expected, runs_before));
}

#[test]
fn a_tool_finds_what_the_scenario_says() {
    for (scenario, expected, runs_before) in [
        ("nothing", "", 0),
        ("lockfile", "lockfile", 0),
        ("cache", "cache", 0),
        ("cache+lockfile", "cache lockfile", 0),
        ("cache+node_modules", "cache node_modules", 1),
        ("node_modules", "node_modules", 1),
        ("all-three", "cache lockfile node_modules", 1),
        ("lockfile+node_modules", "lockfile node_modules", 1),
        ("update", "cache lockfile node_modules update", 1),
        ("tenth-time", "cache lockfile", 9),
    ] {
        check(scenario, expected, runs_before);
    }
}

#[test]
fn a_tool_that_did_nothing_has_failed() {
    let project = rusk_testkit::project::Project::new();
    project.write("project/package.json", r#"{"dependencies": {"left": "1.0.0"}}"#);
    let directory = project.path();
    let fixture = Fixture { name: "test".to_owned(), project: directory.join("project"), update: None };
    let tools = Tool::all(Path::new("true"), Path::new(""));
    let work = WorkDirectory::new(&directory, &fixture, None, &[]).unwrap();
    assert_eq!(work.prepare(&tools[0]).unwrap_err(), "`left`, a dependency of ``, is not there");
}
