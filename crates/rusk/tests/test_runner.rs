//! `rusk test` where it needs more than a command line: a report without a reader, a repository, a
//! file that is saved. No test waits for a time: each waits for a line.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A directory with these files, and nothing that an earlier run left.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("test-runner-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("there is room");
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("there is room");
    }
    folder
}

fn rusk(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rusk"));
    command.args(words).current_dir(folder).env_remove("RUSK_BUILTINS").stdin(Stdio::null());
    command
}

fn git(folder: &Path, words: &[&str]) {
    let identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.test"];
    let done = Command::new("git").args(identity).args(words).current_dir(folder).status();
    assert!(done.expect("git starts").success(), "git {words:?}");
}

const A_TEST: (&str, &str) =
    ("a.test.js", "import { name } from './a.js';\ntest(`a of ${name}`, () => {});\n");
const B_TEST: (&str, &str) = ("b.test.js", "test('b', () => {});\n");

#[test]
fn a_report_without_a_reader_is_exit_code_2() {
    let folder = project("closed", &[B_TEST]);
    let (reader, writer) = std::io::pipe().expect("there are descriptors");
    drop(reader);
    let ended = rusk(&folder, &["test"]).stdout(Stdio::null()).stderr(writer).status();
    assert_eq!(ended.expect("rusk starts").code(), Some(2));
}

#[test]
fn changed_runs_what_depends_on_uncommitted_changes() {
    let folder = project("changed", &[A_TEST, B_TEST, ("a.js", "export const name = 'one';\n")]);
    git(&folder, &["init", "--quiet"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "--quiet", "--message=first"]);
    fs::write(folder.join("a.js"), "export const name = 'two';\n").expect("there is room");
    let ended = rusk(&folder, &["test", "--changed"]).output().expect("rusk starts");
    let report = String::from_utf8_lossy(&ended.stderr);
    assert!(report.contains("(pass) a of two"), "{report}");
    assert!(report.contains("Ran 1 test across 1 file."), "{report}");
    assert!(ended.status.success(), "{report}");
}

#[test]
fn watch_runs_what_depends_on_a_saved_file() {
    let folder = project("watch", &[A_TEST, B_TEST, ("a.js", "export const name = 'one';\n")]);
    let mut child = rusk(&folder, &["test", "--watch"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("rusk starts");
    let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
    let mut read_until = |part: &str| {
        let mut read = Vec::new();
        for line in lines.by_ref() {
            let line = line.expect("it is text");
            let is_last = line.contains(part);
            read.push(line);
            if is_last {
                return read;
            }
        }
        panic!("there is a line with `{part}` after {read:?}");
    };
    let first = read_until("Ran 2 tests across 2 files.");
    assert!(first.iter().any(|line| line.contains("(pass) a of one")), "{first:?}");
    fs::write(folder.join("a.js"), "export const name = 'two';\n").expect("there is room");
    let second = read_until("Ran 1 test across 1 file.");
    assert!(second.iter().any(|line| line.contains("(pass) a of two")), "{second:?}");
    child.kill().expect("it runs");
    child.wait().expect("it is ours");
}

#[test]
fn no_orphans_ends_a_run_with_the_process_that_has_started_it() {
    const NEVER: (&str, &str) = (
        "a.test.js",
        "test('never ends', () => { console.log('begun'); return new Promise(() => {}); }, 0);\n",
    );
    let folder = project("orphans", &[NEVER]);
    // The shell ends when its input does, and leaves the run behind.
    let mut shell = Command::new("sh")
        .args(["-c", "\"$0\" test --no-orphans & read line", env!("CARGO_BIN_EXE_rusk")])
        .current_dir(&folder)
        .env_remove("RUSK_BUILTINS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("there is a shell");
    let mut output = BufReader::new(shell.stdout.take().expect("it is piped"));
    let mut line = String::new();
    output.read_line(&mut line).expect("it is text");
    assert_eq!(line, "begun\n");
    drop(shell.stdin.take());
    shell.wait().expect("it is ours");
    // The run has the other end, and would have it for ever.
    output.read_to_string(&mut line).expect("it is text");
    assert_eq!(line, "begun\n");
}
