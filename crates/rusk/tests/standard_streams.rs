//! Start with standard streams that are closed or have no reader.

use std::process::{Command, Output};

use rusk_testkit::project::Project;

/// Runs a line of shell with `$RUSK` in a project whose script `show` says what its standard
/// streams are.
fn shell(line: &str) -> Output {
    let project = Project::new();
    let package = r#"{ "scripts": { "show": "readlink /proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2" } }"#;
    project.write("package.json", package);
    let mut command = Command::new("/bin/sh");
    command.args(["-c", line]).current_dir(project.path()).env("RUSK", env!("CARGO_BIN_EXE_rusk"));
    command.output().expect("there is a shell")
}

#[test]
fn a_closed_stream_is_the_null_device() {
    let output = shell("$RUSK run --silent show <&- 2>&-");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[2]), (3, "/dev/null", "/dev/null"), "{said}");
}

#[test]
fn help_without_a_reader_is_an_error_and_not_a_signal() {
    let output = shell("$RUSK --help | true; $RUSK --help > /dev/full; echo $?");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "2\n");
}
