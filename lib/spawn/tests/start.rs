//! Starts, waits and errors: the basic uses of the library.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{Read, Write};
use std::time::Duration;

use rusk_spawn::{Command, Environment, Exit, Mode, Stdio, Step, TableChoice};

const SPAWN_VARIANTS: &[(Mode, TableChoice)] = &[
    (Mode::Direct, TableChoice::Copied),
    (Mode::Direct, TableChoice::Shared),
    (Mode::Direct, TableChoice::Awaited),
    (Mode::Vfork, TableChoice::Copied),
    (Mode::Thread, TableChoice::Chosen),
    (Mode::Zygote, TableChoice::Chosen),
];

/// The command's output, in every variant of starting it.
fn check(set_up: impl Fn(&mut Command) -> &mut Command, program: &str, wanted: &str) {
    for (mode, table) in SPAWN_VARIANTS {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", program]).stdout(Stdio::Pipe).mode(*mode).table(*table);
        set_up(&mut command);
        let mut child = command.spawn().unwrap();
        let mut output = String::new();
        child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
        assert_eq!((output.as_str(), child.wait().unwrap()), (wanted, Exit::Status(0)), "{mode:?} {table:?}");
    }
}

#[test]
fn a_program_gets_its_arguments_and_environment() {
    check(|command| command.args(["zero", "a b", ""]), "echo \"$0/$1/$2/$#\"", "zero/a b//2\n");
    check(|command| command.env("NEW", "1").env_remove("HOME"), "echo $NEW$HOME", "1\n");
    check(|command| command.environment(Environment::pack([("A", "1")])), "echo $A$HOME", "1\n");
    check(|command| command.current_dir("/dev"), "pwd", "/dev\n");
}

#[test]
fn input_goes_in_and_output_comes_out() {
    for (mode, table) in SPAWN_VARIANTS {
        let mut command = Command::new("cat");
        command.stdin(Stdio::Pipe).stdout(Stdio::Pipe).mode(*mode).table(*table);
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"said").unwrap();
        let mut output = Vec::new();
        child.stdout.take().unwrap().read_to_end(&mut output).unwrap();
        assert_eq!((output.as_slice(), child.wait().unwrap()), (&b"said"[..], Exit::Status(0)));
    }
}

#[test]
fn start_errors_have_a_step_and_an_errno() {
    let check = |set_up: &dyn Fn(&mut Command) -> &mut Command,
                 program: &str,
                 step: Step,
                 errno: i32,
                 path: Option<&str>| {
        for (mode, table) in SPAWN_VARIANTS {
            let mut command = Command::new(program);
            command.mode(*mode).table(*table);
            set_up(&mut command);
            let error = command.spawn().unwrap().wait().unwrap_err();
            let found = (error.step(), error.errno(), error.path().and_then(|path| path.to_str()));
            assert_eq!(found, (step, errno, path), "{mode:?} {table:?}");
        }
    };
    let nothing: &dyn Fn(&mut Command) -> &mut Command = &|command| command;
    check(nothing, "/no/such/program", Step::Exec, libc::ENOENT, Some("/no/such/program"));
    check(nothing, "no-such-program", Step::Exec, libc::ENOENT, Some("no-such-program"));
    check(nothing, "/etc/passwd", Step::Exec, libc::EACCES, Some("/etc/passwd"));
    check(
        &|command| command.current_dir("/no/dir"),
        "true",
        Step::WorkingDirectory,
        libc::ENOENT,
        Some("/no/dir"),
    );
}

#[test]
fn an_end_is_a_status_or_a_signal() {
    let end = |program: &str| Command::new("sh").args(["-c", program]).spawn().unwrap().wait().unwrap();
    assert_eq!(end("exit 127"), Exit::Status(127));
    assert_eq!(end("kill -TERM $$"), Exit::Signal { number: libc::SIGTERM, dumped_core: false });
}

#[test]
fn a_wait_with_a_limit_ends() {
    let mut child = Command::new("sleep").arg("100").spawn().unwrap();
    assert_eq!(child.wait_for(Duration::from_millis(20)).unwrap(), None);
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap(), Exit::Signal { number: libc::SIGKILL, dumped_core: false });
}

#[test]
fn children_of_the_zygote_get_the_current_state() {
    rusk_spawn::start_zygote().unwrap();
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "ls /proc/self/fd | wc -l; pwd; echo $PPID"]).stdout(Stdio::Pipe).mode(Mode::Zygote);
    let mut child = command.spawn().unwrap();
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    let lines: Vec<&str> = output.lines().map(str::trim).collect();
    let here = std::env::current_dir().unwrap();
    // `ls` opens one of its own.
    assert_eq!(lines, ["4", here.to_str().unwrap(), &std::process::id().to_string()]);
    assert_eq!(child.wait().unwrap(), Exit::Status(0));
}
