//! `RUSK_STARTUP_TRACE`: what it shows, when, and that nobody else gets it.

use rusk_testkit::project::Project;
use std::process::{Command, Output};

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
