//! `RUSK_STARTUP_TRACE`: what it shows, when, and that child processes do not inherit it.

use rusk_npm::json::{self, Dialect, Node, Value};
use rusk_testkit::project::Project;
use rusk_testkit::start::{Case, Start};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

/// Made by the libraries in our process, for memory, threads, locks, the real paths of links.
const OF_LIBRARIES: &[&str] = &[
    "brk",
    "clone",
    "clone3",
    "exit",
    "futex",
    "getrandom",
    "madvise",
    "mprotect",
    "mremap",
    "readlink",
    "rseq",
    "rt_sigprocmask",
    "sched_yield",
    "set_robust_list",
];

/// Made by them and by us.
const OF_BOTH: &[&str] = &["mmap", "munmap", "rt_sigaction"];

/// Phases whose calls are none of ours: what loads the program, a library that counts, the program
/// that a script is.
const OF_OTHERS: &[&str] = &["before", "count processors", "start program"];

const MANIFEST: &str = r#"{ "scripts": {
    "preshow": "true",
    "show": "env; echo shown >&2",
    "alone": "env; echo shown >&2",
    "missing": "./not-there"
} }"#;

fn rusk(project: &Project, arguments: &[&str], value: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rusk"));
    command.args(arguments).current_dir(project.path()).env_clear().env("HOME", project.home());
    command.env("PATH", "/usr/bin:/bin").env("RUSK_TRACE_PHASES", "1").env("RUSK_STARTUP_TRACE", value);
    command.output().expect("the program starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn tables_stand_behind_what_the_command_says() {
    let project = Project::with(&[]);
    for (value, steps, calls) in
        [("1", true, false), ("syscalls", false, true), ("steps,syscalls", true, true)]
    {
        let run = rusk(&project, &["--version"], value);
        assert_eq!(
            (text(&run.stdout), run.status.code()),
            (concat!(env!("CARGO_PKG_VERSION"), "\n"), Some(0))
        );
        let said = text(&run.stderr);
        assert_eq!(said.contains("\nread flags "), steps, "{value}: {said}");
        assert_eq!(said.contains("\nwrite "), calls, "{value}: {said}");
        assert_eq!(said.contains("\nnot counted: "), calls, "{value}: {said}");
    }
    let run = rusk(&project, &["nothing-of-the-kind"], "all");
    let said = text(&run.stderr);
    assert!(said.starts_with("error[unknown-command]: "), "{said}");
    assert!(said.contains("\nstep ") && run.status.code() == Some(2), "{said}");
    assert_eq!(text(&rusk(&project, &["--version"], "").stderr), "");
}

#[test]
fn calls_stand_in_the_order_of_their_time() {
    let project = Project::with(&[("package.json", r#"{ "name": "app" }"#)]);
    let run = rusk(&project, &["install"], "syscalls");
    let said = text(&run.stderr);
    let rows = said.lines().skip_while(|line| !line.starts_with("system call ")).skip(1);
    let shares: Vec<f64> = rows
        .take_while(|line| !line.starts_with("all "))
        .map(|line| line.split_whitespace().find_map(|word| word.strip_suffix('%')).expect("a share"))
        .map(|share| share.parse().expect("a number"))
        .collect();
    assert!(shares.len() > 10 && shares.is_sorted_by(|one, next| one >= next), "{said}");
}

#[test]
fn a_script_begins_behind_the_tables_and_inherits_nothing() {
    let project = Project::with(&[("package.json", MANIFEST)]);
    for (script, children) in [("alone", 0), ("show", 1)] {
        let run = rusk(&project, &["run", "--silent", script], "all");
        let said = text(&run.stderr);
        assert_eq!(run.status.code(), Some(0), "{said}");
        assert!(said.contains("\nfind package ") && said.ends_with("\nshown\n"), "{said}");
        assert!(!text(&run.stdout).contains("RUSK_"), "{}", text(&run.stdout));
        // What starts a child is none of the start, and neither is waiting for it.
        assert!(!said.contains("\nwaitid "), "{children}: {said}");
    }
}

#[test]
fn a_program_that_cannot_begin_does_not_show_them_twice() {
    let project = Project::with(&[("package.json", MANIFEST)]);
    let run = rusk(&project, &["run", "--silent", "missing"], "steps");
    let said = text(&run.stderr);
    assert_eq!(said.matches("step   ").count(), 1, "{said}");
}

/// Of a run that was watched and counted its own calls, what it counted and what was seen beyond
/// that.
fn compared(start: &Start, case: Case) -> Result<(Counts, Counts), String> {
    let (report, said) = start.recorded(case)?;
    let counted: Counts = table(&said).collect();
    assert!(!counted.is_empty(), "{said}");
    let mut seen = Counts::new();
    let root = json::parse(report.trim_end(), Dialect::Strict).expect("JSON");
    for phase in root.find("phases").expect("phases").elements() {
        let is_other = OF_OTHERS.contains(&phase.find("name").and_then(Node::as_str).expect("a name"));
        // A phase has the calls of those within it.
        let sign = match (number(phase.find("depth").expect("a depth")), is_other) {
            (0, false) => 1,
            (0, true) | (_, false) => 0,
            (_, true) => -1,
        };
        for call in phase.find("calls").expect("calls").elements() {
            let name = call.find("name").and_then(Node::as_str).expect("a name");
            *seen.entry(name.to_owned()).or_default() += sign * number(call.find("count").expect("a count"));
        }
    }
    for (name, count) in &counted {
        *seen.entry(name.clone()).or_default() -= count;
    }
    Ok((counted, seen))
}

type Counts = BTreeMap<String, i64>;

/// Names and counts.
fn table(said: &str) -> impl Iterator<Item = (String, i64)> {
    let rows = said.lines().skip_while(|line| !line.starts_with("system call ")).skip(1);
    rows.take_while(|line| !line.starts_with("all ")).map(|line| {
        let mut words = line.split_whitespace();
        let name = words.next().expect("a name").to_owned();
        (name, words.next().and_then(|count| count.parse().ok()).expect("a count"))
    })
}

fn number(node: &Node<'_>) -> i64 {
    match node.value {
        Value::Number(digits) => digits.parse().expect("a whole number"),
        ref other => panic!("expected a number, found {other:?}"),
    }
}

#[test]
fn what_is_counted_is_what_is_seen_and_all_of_ours() {
    let start = Start::new(Path::new(env!("CARGO_BIN_EXE_rusk"))).expect("it installs");
    // Marks that are a moment old are not believed: only a later round finds nothing to do at once.
    for case in Case::ALL.iter().flat_map(|case| [case; 3]) {
        let (counted, beyond) = match compared(&start, *case) {
            Ok(compared) => compared,
            // A machine that forbids it is held to saying so.
            Err(said) => {
                let refusals = ["error[no-ptrace]: ", "error[already-traced]: "];
                assert!(refusals.iter().any(|refusal| said.contains(refusal)), "{said}");
                return;
            }
        };
        for (name, more) in beyond.iter().map(|(name, more)| (name.as_str(), *more)) {
            let is_known = match name {
                // The table itself, which is shown when nothing more is counted.
                "write" => more == 1,
                name if OF_LIBRARIES.contains(&name) || OF_BOTH.contains(&name) => more >= 0,
                _ => more == 0,
            };
            assert!(is_known, "{}: {name}: {more} beyond {counted:?}", case.name());
        }
        let ours = counted.keys().filter(|name| OF_LIBRARIES.contains(&name.as_str()));
        assert_eq!(ours.count(), 0, "{}: {counted:?}", case.name());
    }
}
