//! Scripts that run side by side: what a terminal shows of them, and how Ctrl-C ends them.

use std::time::{Duration, Instant};

use rusk_spawn::Exit;
use rusk_testkit::project::Project;

use crate::pseudo_terminal::{INTERRUPT, PseudoTerminal, SIZE};

/// `app` waits for `ui`; the script of `ui` ends once the file `go` exists.
fn project(ui: &str) -> Project {
    let member = |name: &str, dependencies: &str, script: &str| {
        format!(
            r#"{{ "name": "{name}", "dependencies": {{ {dependencies} }}, "scripts": {{ "x": "{script}" }} }}"#
        )
    };
    Project::with(&[
        ("package.json", r#"{ "name": "root", "workspaces": ["*"] }"#),
        ("app/package.json", &member("app", r#""ui": "workspace:*""#, "echo app runs")),
        ("ui/package.json", &member("ui", "", ui)),
        ("docs/package.json", &member("docs", "", ui)),
    ])
}

fn start(project: &Project, arguments: &[&str]) -> PseudoTerminal {
    let arguments: Vec<&str> = [&["run"], arguments, &["x"]].concat();
    PseudoTerminal::start(project, &arguments, &[("LANG", "C.UTF-8")])
}

/// How long a process that was killed may take to end, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// Waits for the end of the process whose number the script wrote.
#[track_caller]
fn check_ended(project: &Project, file: &str) {
    let number: i32 = project.read(file).trim().parse().expect("a process number");
    let is_running = || {
        let state = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        state.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(" Z"))
    };
    let started = Instant::now();
    while is_running() {
        assert!(started.elapsed() < PATIENCE, "{file} runs");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn the_status_line_says_what_runs_and_what_waits_for_what() {
    let project = project("while ! test -e ../go; do sleep 0.01; done; echo ui ran");
    let mut terminal = start(&project, &["-r"]);
    terminal.wait_for("0/3  running docs, ui  waiting app (for ui)");
    project.write("go", "");
    let printed = terminal.wait_for("3 scripts done");
    let app = printed.find("app runs").expect("app");
    assert!(printed.find("ui ran").expect("ui") < app, "{printed}");
    assert!(printed.contains("\r\x1b[K"), "the status line is erased before output: {printed:?}");
    let (exit, _) = terminal.finish();
    assert_eq!(exit, Exit::Status(0));
}

#[test]
fn the_status_line_fits_the_terminal() {
    let names: Vec<String> = (0..12).map(|number| format!("a-rather-long-name-{number}")).collect();
    let scripts: Vec<String> =
        names.iter().map(|name| format!(r#""{name}": "while ! test -e go; do sleep 0.01; done""#)).collect();
    let manifest = format!(r#"{{ "scripts": {{ {} }} }}"#, scripts.join(", "));
    let project = Project::with(&[("package.json", &manifest)]);
    let mut terminal = PseudoTerminal::start(&project, &["run", "--concurrency=2", "--parallel", "a-*"], &[]);
    let printed = terminal.wait_for("waiting a-r");
    let line = printed.rsplit(['\r', '\n']).next().expect("a last line");
    assert!(line.len() < usize::from(SIZE.columns), "{line}");
    project.write("go", "");
    assert_eq!(terminal.finish().0, Exit::Status(0));
}

#[test]
fn ctrl_c_ends_every_script_and_what_it_started() {
    let project = project("sleep 600 & echo $! > child; echo ready; wait");
    let mut terminal = start(&project, &["-r"]);
    terminal.wait_for(" ready\r");
    terminal.wait_for(" ready\r");
    terminal.press(INTERRUPT);
    let (exit, after) = terminal.finish();
    assert!(matches!(exit, Exit::Signal { number: 2, .. }), "{exit:?}");
    assert!(after.ends_with("\r\n") || after.ends_with("\r\x1b[K"), "{after:?}");
    assert!(!after.contains("app runs"), "{after}");
    for file in ["ui/child", "docs/child"] {
        check_ended(&project, file);
    }
}

#[test]
fn a_second_ctrl_c_kills_scripts_that_ignore_the_first() {
    let project = project("trap '' INT TERM; sleep 600 & echo $! > child; echo ready; wait");
    let mut terminal = start(&project, &["--parallel", "--filter=ui", "--filter=docs"]);
    terminal.wait_for(" ready\r");
    terminal.wait_for(" ready\r");
    let started = Instant::now();
    terminal.press(INTERRUPT);
    terminal.wait_for("stopping");
    terminal.press(INTERRUPT);
    let (exit, _) = terminal.finish();
    assert!(matches!(exit, Exit::Signal { number: 2, .. }), "{exit:?}");
    assert!(started.elapsed() < Duration::from_secs(5), "killed by the second, not by the limit");
    for file in ["ui/child", "docs/child"] {
        check_ended(&project, file);
    }
}

#[test]
fn a_script_alone_gets_the_terminal() {
    let project = project("read line; echo got $line; test -t 1 && echo terminal");
    let mut terminal = start(&project, &["--filter=ui"]);
    terminal.press("keys\r");
    terminal.wait_for("got keys");
    terminal.wait_for("terminal");
    assert_eq!(terminal.finish().0, Exit::Status(0));
}
