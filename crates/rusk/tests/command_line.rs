//! Tests of the binary: the exact help, exit codes, both output streams.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rusk_npm::json::{self, Dialect};

const COMMANDS: &[&str] = &[
    "install",
    "ci",
    "add",
    "remove",
    "update",
    "run",
    "exec",
    "x",
    "trace",
    "cache",
    "completions",
    "man",
    "help",
];

fn rusk(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rusk"))
        .args(arguments)
        .current_dir("/")
        .env_clear()
        .stdin(Stdio::null())
        .output()
        .expect("the binary starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// Exit code, stdout, stderr.
fn check(arguments: &[&str], code: i32, stdout: &str, stderr: &str) {
    let output = rusk(arguments);
    assert_eq!(text(&output.stderr), stderr, "{arguments:?}");
    assert_eq!(text(&output.stdout), stdout, "{arguments:?}");
    assert_eq!(output.status.code(), Some(code), "{arguments:?}");
}

fn snapshot(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/help").join(format!("{name}.txt"))
}

/// Compares the output of a command with a file; `UPDATE=1` rewrites the file.
fn check_snapshot(name: &str, arguments: &[&str]) {
    let output = rusk(arguments);
    let found = text(&output.stdout);
    let file = snapshot(name);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, found).expect("the snapshot can be written");
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(found, expected, "{} (UPDATE=1 cargo test rewrites it)", file.display());
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn help_of_the_program() {
    check_snapshot("rusk", &["--help"]);
    for same in [&["help"][..], &["-h"], &[]] {
        assert_eq!(rusk(same).stdout, rusk(&["--help"]).stdout, "{same:?}");
    }
}

#[test]
fn help_of_every_command() {
    for command in COMMANDS {
        check_snapshot(command, &["help", command]);
        assert_eq!(rusk(&[command, "--help"]).stdout, rusk(&["help", command]).stdout, "{command}");
    }
}

#[test]
fn the_version_is_bare() {
    check(&["--version"], 0, concat!(env!("CARGO_PKG_VERSION"), "\n"), "");
}

#[test]
fn an_unknown_command_exits_with_2() {
    check(
        &["instal"],
        2,
        "",
        "error[unknown-command]: there is no command `instal`\nhint: did you mean `rusk install`?\n",
    );
}

#[test]
fn without_a_project_there_is_nothing_to_install() {
    check(
        &["install"],
        2,
        "",
        "error[no-manifest]: no package.json in `/` or its parent directories\nhint: `rusk add <name>` creates one\n",
    );
    check(
        &["install", "--cwd=/proc/nowhere"],
        2,
        "",
        "error[bad-directory]: expected a directory at `/proc/nowhere`\n  because: No such file or directory (os error 2)\n",
    );
}

#[test]
fn json_reports_errors_too() {
    for arguments in [&["install", "--json"][..], &["install", "--nope", "--json"]] {
        let output = rusk(arguments);
        assert!(text(&output.stdout).starts_with("{\"error\":{\"code\":\""), "{arguments:?}");
        assert!(text(&output.stderr).starts_with("error["), "{arguments:?}");
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn a_reader_that_stops_early_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rusk"))
        .arg("man")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn the_mathematics_library_is_not_loaded() {
    // It would cost nine system calls at every start, for one logarithm.
    let program = std::fs::read(env!("CARGO_BIN_EXE_rusk")).expect("it was built");
    assert!(!program.windows(8).any(|bytes| bytes == b"libm.so."), "something calls into libm");
    assert!(program.windows(8).any(|bytes| bytes == b"libc.so."), "libraries are named otherwise here");
}

/// The page names no command that does not exist.
#[test]
fn commands_for_those_of_other_tools_exist() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/compatibility/package-managers.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let named = page.split("`rusk ").skip(1).filter_map(|rest| rest.split(['`', ' ']).next());
    let named: std::collections::BTreeSet<&str> = named.filter(|name| *name != "FILE").collect();
    assert!(named.len() > 30, "{named:?}");
    for name in named {
        let output = Command::new(env!("CARGO_BIN_EXE_rusk")).args(["help", name]).output();
        assert!(output.expect("the program starts").status.success(), "{name}");
    }
}

/// The page has every setting of each tool, once, under the heading of that tool.
#[test]
fn every_setting_of_other_tools_is_in_a_table() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
    let read = |path: &str| std::fs::read_to_string(format!("{root}{path}")).expect("a file");
    let page = read("docs/compatibility/package-manager-settings.md");
    let list = read("fixtures/compatibility/settings.json");
    let list = json::parse(&list, Dialect::Strict).expect("JSON");
    for (tool, heading) in [("npm", "npm"), ("pnpm", "pnpm"), ("yarn", "Yarn"), ("bun", "bun")] {
        let section = page.split("\n## ").find(|section| section.starts_with(&format!("{heading}\n")));
        let rows = section.expect(heading).lines().filter(|line| line.starts_with("| `"));
        let names = rows
            .filter_map(|row| row.split(" | ").next())
            .flat_map(|names| names.split('`').skip(1).step_by(2));
        let mut shown: Vec<&str> = names.collect();
        shown.sort_unstable();
        let listed = list.find(tool).and_then(|tool| tool.find("settings")).expect(tool);
        let mut listed: Vec<&str> = listed.elements().iter().filter_map(|name| name.as_str()).collect();
        listed.sort_unstable();
        assert_eq!(shown, listed, "{tool}");
    }
}

#[test]
fn every_caller_that_has_a_link_is_understood() {
    let understood = rusk_command_line::flags::callers::CALLERS.map(|(name, _)| name);
    assert_eq!(understood, rusk_scripts::MANAGER_NAMES);
}
