//! Signals and scripts: who gets them, and how the program ends by them.

use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rusk_testkit::project::Project;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// Longer than any script here lives.
const PATIENCE: Duration = Duration::from_secs(20);

/// A script that waits and ends with 9 when it is asked to end; the marks tell what happened.
const POLITE: &str =
    "trap 'echo asked >> marks; kill $!; exit 9' TERM INT HUP; sleep 10 & echo > ready; wait $!";
/// One that waits and dies.
const PLAIN: &str = "echo > ready; exec sleep 10";
/// One that ends well when it is asked to end.
const CALM: &str = "trap 'kill $!; exit 0' TERM; sleep 10 & echo > ready; wait $!";

fn project(before: &str, script: &str, after: &str) -> Project {
    let manifest =
        format!(r#"{{ "scripts": {{ "prex": "{before}", "x": "{script}", "postx": "{after}" }} }}"#);
    Project::with(&[("package.json", &manifest)])
}

/// A process group of its own, as a shell gives to a job.
fn start(project: &Project) -> Child {
    Command::new(env!("CARGO_BIN_EXE_rusk"))
        .args(["run", "--silent", "x"])
        .current_dir(project.path())
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .expect("the program starts")
}

fn wait_until_ready(project: &Project) {
    let started = Instant::now();
    while project.find("ready").is_none() {
        assert!(started.elapsed() < PATIENCE, "the script did not start");
        std::thread::yield_now();
    }
}

fn ended(project: &Project) -> ExitStatus {
    start(project).wait().expect("a child")
}

/// Sends a signal to the program alone once the script waits.
fn ended_by(signal: Signal, project: &Project) -> ExitStatus {
    let mut child = start(project);
    wait_until_ready(project);
    kill_process(Pid::from_child(&child), signal).expect("it is there");
    child.wait().expect("a child")
}

#[test]
fn a_script_that_dies_takes_the_program_with_it() {
    for (signal, number) in [("TERM", 15), ("KILL", 9), ("INT", 2), ("ABRT", 6), ("SEGV", 11)] {
        let kill = format!("ulimit -c 0; kill -{signal} $$");
        for project in [project("", &kill, ""), project("", &kill, "true"), project(&kill, "true", "")] {
            assert_eq!(ended(&project).signal(), Some(number), "{signal}");
        }
    }
}

#[test]
fn a_broken_pipe_is_reported_as_shells_do() {
    let status = ended(&project("kill -PIPE $$", "true", ""));
    assert!(status.signal() == Some(13) || status.code() == Some(141), "{status}");
}

#[test]
fn the_exit_code_is_the_scripts() {
    for project in
        [project("", "exit 42", ""), project("exit 42", "true", ""), project("", "exit 42", "true")]
    {
        assert_eq!(ended(&project).code(), Some(42));
    }
    assert_eq!(ended(&project("true", "true", "true")).code(), Some(0));
}

#[test]
fn what_is_sent_to_the_program_reaches_the_script() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        for project in
            [project("", POLITE, ""), project(POLITE, "touch ran", ""), project("", POLITE, "touch ran")]
        {
            assert_eq!(ended_by(signal, &project).code(), Some(9), "{signal:?}");
            assert_eq!(project.read("marks"), "asked\n", "{signal:?}");
            assert_eq!(project.find("ran"), None, "{signal:?}");
        }
    }
}

#[test]
fn a_script_that_does_not_listen_dies_of_it() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT, Signal::USR1] {
        for project in [project("", PLAIN, ""), project(PLAIN, "true", ""), project("", PLAIN, "true")] {
            assert_eq!(ended_by(signal, &project).signal(), Some(signal.as_raw()), "{signal:?}");
        }
    }
}

#[test]
fn who_was_asked_to_end_starts_nothing_more() {
    let project = project(CALM, "touch ran", "");
    assert_eq!(ended_by(Signal::TERM, &project).signal(), Some(15));
    assert_eq!(project.find("ran"), None);
}

#[test]
fn a_signal_to_the_whole_group_ends_as_the_script_ends() {
    for project in
        [project("", POLITE, ""), project(POLITE, "touch ran", ""), project("", POLITE, "touch ran")]
    {
        let mut child = start(&project);
        wait_until_ready(&project);
        kill_process_group(Pid::from_child(&child), Signal::INT).expect("it is there");
        assert_eq!(child.wait().expect("a child").code(), Some(9));
        assert_eq!(project.find("ran"), None);
    }
}

#[test]
fn what_was_ignored_stays_ignored() {
    let project = project("kill -HUP $PPID && kill -HUP $$ && echo before", "echo here", "");
    let mut child = Command::new("/bin/sh")
        .args(["-c", "trap '' HUP; exec \"$0\" run --silent x", env!("CARGO_BIN_EXE_rusk")])
        .current_dir(project.path())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut output = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut output).expect("text");
    assert_eq!((output.as_str(), child.wait().expect("a child").code()), ("before\nhere\n", Some(0)));
}

#[test]
fn nothing_goes_on_after_a_recorded_script_was_interrupted() {
    // No other program has this number.
    const SCRIPT: &str = "echo > ready; sleep 61.0724";
    let manifest = |members: &str| format!(r#"{{ "version": "1.0.0", {members} }}"#);
    let project = Project::with(&[
        ("package.json", &manifest(r#""name": "app", "dependencies": { "slow": "file:slow" }"#)),
        (
            "slow/package.json",
            &manifest(&format!(r#""name": "slow", "scripts": {{ "postinstall": "{SCRIPT}" }}"#)),
        ),
    ]);
    let rusk = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rusk"));
        command.args(arguments).current_dir(project.path()).env_clear().env("PATH", "/usr/bin:/bin");
        command.env("HOME", project.home()).stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(Stdio::null()).spawn().expect("the program starts")
    };
    assert!(rusk(&["install"]).wait().expect("a child").success());
    let mut child = rusk(&["approve", "slow", "--record"]);
    let started = Instant::now();
    while project.find("node_modules/slow/ready").is_none() {
        assert!(started.elapsed() < PATIENCE, "the script did not start");
        std::thread::sleep(Duration::from_millis(10));
    }
    kill_process(Pid::from_child(&child), Signal::TERM).expect("it is there");
    let ended = child.wait().expect("a child");
    assert_eq!(ended.signal(), Some(Signal::TERM.as_raw()), "{ended}");
    while is_running("61.0724") {
        assert!(started.elapsed() < 2 * PATIENCE, "the script goes on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether a process has this argument.
fn is_running(argument: &str) -> bool {
    let processes = std::fs::read_dir("/proc").expect("listed").flatten();
    let words = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    words.into_iter().any(|words| words.split(|byte| *byte == 0).any(|word| word == argument.as_bytes()))
}
