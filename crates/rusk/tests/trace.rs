//! `rusk trace` on real programs, by each collector that this machine allows: what is counted, what
//! passes through, how it ends. A machine that forbids one is held to saying so.

use rusk_npm::json::{self, Dialect, Node, Value};
use rusk_testkit::project::Project;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};

/// Looks for what is not there, and enters directories: how often, the script itself says.
const SCRIPT: &str = "cd /usr; cd /; cd /usr; i=0
    while [ $i -lt 50 ]; do [ -e /nowhere/at/all ]; i=$((i+1)); done
    ( : ) ; ( : ) ; exit 7";

fn rusk(project: &Project, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rusk"));
    command.args(arguments).current_dir(project.path()).env_clear().env("PATH", "/usr/bin:/bin");
    command
}

fn output(project: &Project, arguments: &[&str]) -> Output {
    rusk(project, arguments).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// Runs a check with every collector that may be used here.
fn with_each(check: impl Fn(&Project, &str)) {
    for (name, refusals) in [("ptrace", &["no-ptrace", "already-traced"][..]), ("bpf", &["no-bpf"])] {
        let project = Project::with(&[]);
        let collector = format!("--collector={name}");
        let tried = output(&project, &["trace", &collector, "--", "true"]);
        let said = text(&tried.stderr);
        let is_refused = refusals.iter().any(|code| said.starts_with(&format!("error[{code}]: ")));
        assert_eq!(tried.status.code(), Some(if is_refused { 2 } else { 0 }), "{said}");
        if !is_refused {
            check(&project, &collector);
        }
    }
}

/// Of all processes: how often a call was made, and how often in vain.
fn count(report: &str, name: &str) -> [u64; 2] {
    let line = report.lines().last().expect("a line");
    let root = json::parse(line, Dialect::Strict).expect("JSON");
    let calls = root.find("calls").expect("calls").elements();
    let mut sums = [0, 0];
    for call in calls.iter().filter(|call| call.find("name").and_then(Node::as_str) == Some(name)) {
        sums[0] += number(call.find("count").expect("a count"));
        let errors = call.find("errors").expect("errors").members();
        sums[1] += errors.iter().map(|error| number(&error.node)).sum::<u64>();
    }
    sums
}

fn number(node: &Node<'_>) -> u64 {
    match node.value {
        Value::Number(digits) => digits.parse().expect("a whole number"),
        ref other => panic!("expected a number, found {other:?}"),
    }
}

#[test]
fn every_call_of_every_process_is_counted() {
    with_each(|project, collector| {
        let run = output(project, &["trace", collector, "--json", "--", "sh", "-c", SCRIPT]);
        let report = text(&run.stdout);
        assert_eq!(run.status.code(), Some(7), "{report}");
        assert_eq!(count(report, "chdir"), [3, 0], "{collector}: {report}");
        assert_eq!(count(report, "execve"), [1, 0], "{collector}: {report}");
        let looks =
            ["stat", "newfstatat", "access", "faccessat", "faccessat2"].map(|name| count(report, name)[1]);
        assert!((50..60).contains(&looks.iter().sum::<u64>()), "{collector}: {report}");
        let line = json::parse(report.trim_end(), Dialect::Strict).expect("JSON");
        assert_eq!(line.find("processes").expect("processes").elements().len(), 3, "{report}");
        let patterns = line.find("patterns").expect("patterns").elements();
        assert_eq!(patterns[0].find("pattern").and_then(Node::as_str), Some("/nowhere"), "{report}");
        assert_eq!(patterns[0].find("misses").map(number), Some(50), "{report}");
    });
}

/// In a PID namespace the process ids of the tracer differ from those in the kernel's records. A
/// user who may use BPF may create the namespace.
#[test]
fn every_call_is_counted_where_processes_are_numbered_anew() {
    with_each(|project, collector| {
        let rusk = env!("CARGO_BIN_EXE_rusk");
        let container: &[&str] =
            if collector.ends_with("bpf") { &["unshare", "--pid", "--fork", rusk] } else { &[rusk] };
        let mut command = Command::new("/usr/bin/env");
        command.args(container).args(["trace", collector, "--json", "--", "sh", "-c", SCRIPT]);
        let run = command.current_dir(project.path()).output().expect("env starts");
        assert_eq!((run.status.code(), count(text(&run.stdout), "chdir")), (Some(7), [3, 0]), "{collector}");
    });
}

#[test]
fn the_program_speaks_for_itself_and_the_report_stands_beside_it() {
    with_each(|project, collector| {
        let run = output(project, &["trace", collector, "--", "sh", "-c", "echo out; echo err >&2"]);
        assert_eq!((text(&run.stdout), run.status.code()), ("out\n", Some(0)));
        let said = text(&run.stderr);
        assert!(said.starts_with("err\nsh -c echo out; echo err >&2\n"), "{said}");
        for part in ["\nworks  ", "execve", &format!("traced by {}", collector.replace("--collector=", ""))] {
            assert!(said.contains(part), "{part}: {said}");
        }
        assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    });
}

#[test]
fn a_program_that_dies_takes_us_with_it() {
    with_each(|project, collector| {
        for (name, number) in [("TERM", 15), ("KILL", 9), ("SEGV", 11)] {
            let kill = format!("ulimit -c 0; kill -{name} $$");
            let run = output(project, &["trace", collector, "--silent", "--", "sh", "-c", &kill]);
            assert_eq!(run.status.signal(), Some(number), "{name}");
            assert_eq!(text(&run.stderr), "");
        }
    });
}

#[test]
fn what_is_sent_to_us_reaches_the_program() {
    with_each(|project, collector| {
        let script = "trap 'echo asked; exit 9' TERM; kill -TERM $PPID; while :; do :; done";
        let run = output(project, &["trace", collector, "--silent", "--", "sh", "-c", script]);
        assert_eq!((text(&run.stdout), run.status.code()), ("asked\n", Some(9)));
    });
}

#[test]
fn a_program_may_be_stopped_and_go_on() {
    with_each(|project, collector| {
        let script = "while kill -CONT $$; do sleep 0.01; done 2>&- & kill -STOP $$; kill -STOP $$; exit 4";
        let run = output(project, &["trace", collector, "--silent", "--", "sh", "-c", script]);
        assert_eq!(run.status.code(), Some(4));
    });
}

#[test]
fn reports_are_written_where_they_are_wanted() {
    with_each(|project, collector| {
        let arguments =
            ["trace", collector, "--json", "-o", "a.json", "--html", "a.html", "--", "echo", "hi"];
        let run = output(project, &arguments);
        assert_eq!((text(&run.stdout), text(&run.stderr)), ("hi\n", ""));
        assert_eq!(count(&project.read("a.json"), "write"), [1, 0]);
        assert!(project.read("a.html").ends_with("</html>\n"));
        let compared = output(project, &["trace", "--compare", "a.json", "a.json"]);
        assert!(text(&compared.stdout).contains("\nwrite                       1        1"), "{compared:?}");
    });
}

#[test]
fn a_watch_ends_before_another_program_begins() {
    with_each(|project, collector| {
        let script = "cd /usr; /bin/sh -c 'cd /; cd /; exit 3'";
        let arguments = ["trace", collector, "--until=exec", "--json", "--", "sh", "-c", script];
        let run = output(project, &arguments);
        assert_eq!(run.status.code(), Some(3));
        let report = text(&run.stdout);
        assert_eq!(count(report, "chdir"), [1, 0], "{report}");
        assert!(report.contains(r#""until":"exec","untilReached":true"#), "{report}");
    });
}

#[test]
fn a_watch_ends_in_time_while_the_program_waits() {
    with_each(|project, collector| {
        let script = "read line; cd /; exit 5";
        let mut child = rusk(project, &["trace", collector, "--until=0.1", "--", "sh", "-c", script])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
        assert!(lines.any(|line| line.starts_with("traced until 0.1 s")), "{collector}");
        child.stdin.take().expect("a pipe").write_all(b"go on\n").expect("it still reads");
        assert_eq!(child.wait().expect("a child").code(), Some(5), "{collector}");
        assert!(lines.all(|line| !line.starts_with("chdir")), "{collector}");
    });
}

#[test]
fn a_program_that_is_let_go_runs_where_it_could_before() {
    with_each(|project, collector| {
        let free = Command::new("grep").args(["Cpus_allowed:", "/proc/self/status"]).output().expect("grep");
        // Another program begins here, and the watch ends.
        let script = "grep Cpus_allowed: /proc/self/status";
        let run =
            output(project, &["trace", collector, "--until=exec", "--silent", "--", "sh", "-c", script]);
        assert_eq!(text(&run.stdout), text(&free.stdout), "{collector}");
    });
}

#[test]
fn processes_left_by_a_program_do_not_delay_its_trace() {
    with_each(|project, collector| {
        // Its input stays open until the test ends it.
        let script = "exec 3<&0; cat <&3 > left & exit 2";
        let mut child = rusk(project, &["trace", collector, "--silent", "--", "sh", "-c", script])
            .stdin(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take().expect("a pipe");
        assert_eq!(child.wait().expect("a child").code(), Some(2), "{collector}");
        input.write_all(b"on").expect("it still reads");
    });
}

#[test]
fn a_program_that_is_traced_already_is_reported() {
    with_each(|project, collector| {
        if collector.ends_with("bpf") {
            return;
        }
        let inner = env!("CARGO_BIN_EXE_rusk");
        let arguments = ["trace", collector, "--silent", "--", inner, "trace", collector, "--", "true"];
        let run = output(project, &arguments);
        let said = text(&run.stderr);
        assert!(said.starts_with("error[already-traced]: "), "{said}");
        assert_eq!(run.status.code(), Some(2), "{said}");
    });
}

#[test]
fn impossible_requests_are_reported_before_anything_runs() {
    let project = Project::with(&[("no-report.json", "{}")]);
    for (arguments, said) in [
        (&["trace"][..], "error[words-missing]: "),
        (&["trace", "--", "no-such-program"], "error[no-program]: no program `no-such-program` on PATH"),
        (&["trace", "--", "./no-such-file"], "error[program-start]: "),
        (&["trace", "--until=never", "--", "true"], "error[bad-value]: expected `exec`, `listen`, `exit`"),
        (&["trace", "--until=-1", "--", "true"], "error[bad-value]: "),
        (&["trace", "--html=no/such/folder", "--", "true"], "error[bad-target]: "),
        (&["trace", "--compare", "no-report.json"], "error[words-missing]: "),
        (&["trace", "--compare", "no-report.json", "no-report.json"], "error[bad-report]: "),
    ] {
        let run = output(&project, arguments);
        assert!(text(&run.stderr).starts_with(said), "{arguments:?}: {}", text(&run.stderr));
        assert_eq!(run.status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn an_install_is_shown_by_phase() {
    with_each(|project, collector| {
        let manifest = r#"{ "name": "app", "scripts": { "postinstall": "env; :" } }"#;
        project.write("package.json", manifest);
        let trace = |arguments: &[&str]| {
            let mut command = rusk(project, &[&["trace", collector], arguments].concat());
            command.env("HOME", project.home()).output().expect("the program starts")
        };
        let run = trace(&["install", "--verbose"]);
        let said = text(&run.stderr);
        assert_eq!(run.status.code(), Some(0), "{said}");
        let table = said.split("\nphase  ").nth(1).and_then(|rest| rest.split("\n\n").next()).expect(said);
        let names: Vec<String> = table
            .lines()
            .skip(1)
            .map(|line| line.chars().take(34).collect::<String>().trim_end().to_owned())
            .collect();
        assert_eq!(
            (names.first().map(String::as_str), names.last().map(String::as_str)),
            (Some("before"), Some("other processes")),
            "{said}"
        );
        for name in ["read flags", "read project", "  count processors", "scripts", "between"] {
            assert!(names.iter().any(|shown| shown == name), "{name}: {said}");
        }
        assert!(table.lines().all(|line| line.chars().count() <= 80), "{said}");
        assert!(!said.contains("RUSK_") && !said.contains("rusk:phase:"), "{said}");

        let run = trace(&["--json", "ci"]);
        let line = text(&run.stdout).lines().last().expect("a line").to_owned();
        let report = json::parse(&line, Dialect::Strict).expect("JSON");
        let calls = |node: &Node<'_>| -> u64 {
            let calls = node.find("calls").expect("calls").elements();
            calls.iter().map(|call| number(call.find("count").expect("a count"))).sum()
        };
        let phases = report.find("phases").expect("phases").elements();
        let outer = phases.iter().filter(|phase| number(phase.find("depth").expect("a depth")) == 0);
        let processes = report.find("processes").expect("processes").elements();
        assert_eq!(outer.map(calls).sum::<u64>(), calls(&processes[0]), "{line}");
        assert_eq!(report.find("command").expect("words").elements()[0].as_str(), Some("rusk"));
    });
}

#[test]
fn behind_dashes_a_command_of_ours_is_a_program() {
    with_each(|project, collector| {
        project.write("bin/install", "#!/bin/sh\necho not ours\n").make_executable("bin/install");
        let mut command = rusk(project, &["trace", collector, "--", "install"]);
        let run = command.env("PATH", "bin:/usr/bin:/bin").output().expect("the program starts");
        assert_eq!((text(&run.stdout), run.status.code()), ("not ours\n", Some(0)));
        assert!(!text(&run.stderr).contains("\nphase "), "{}", text(&run.stderr));
    });
}

#[test]
fn more_records_than_find_room_at_once_come_whole() {
    with_each(|project, collector| {
        // 330 bytes each in the ring, which wraps around once more. Pauses, because on a busy
        // machine the reader may not run for a while.
        let path = format!("/nowhere/{}", "a".repeat(230));
        let look = format!("[ -e {path} ]; i=$((i+1)); [ $((i % 2500)) -ne 0 ] || sleep 0.05");
        let script = format!("i=0; while [ $i -lt 15000 ]; do {look}; done");
        let run = output(project, &["trace", collector, "--json", "--", "sh", "-c", &script]);
        let report = json::parse(text(&run.stdout).trim_end(), Dialect::Strict).expect("JSON");
        assert_eq!(number(report.find("lost").expect("a count")), 0);
        let looks = report.find("paths").expect("paths").elements();
        let stat = looks.iter().find(|looks| looks.find("aim").and_then(Node::as_str) == Some("stat"));
        let top = &stat.and_then(|looks| looks.find("topMissed")).expect("misses").elements()[0];
        assert_eq!(top.find("path").and_then(Node::as_str), Some(&*path));
        assert_eq!(top.find("count").map(number), Some(15_000));
    });
}
