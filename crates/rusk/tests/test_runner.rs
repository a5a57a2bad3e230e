//! `rusk test` where it needs more than a command line: a report without a reader, a repository, a
//! file that is saved. No test waits for a time: each waits for a line.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

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
    // A shell that runs the tests in the background makes them ignore it.
    let mut command = Command::new("env");
    command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_rusk")]).args(words);
    command.current_dir(folder).env_remove("RUSK_BUILTINS").stdin(Stdio::null());
    // Cargo sets it, and with it no bytecode is kept.
    command.env_remove("LD_LIBRARY_PATH");
    command
}

fn git(folder: &Path, words: &[&str]) {
    let identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.test"];
    let mut command = Command::new("git");
    // Without the settings of the user and of the machine: signed commits, hooks, another branch.
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let done = command.args(identity).args(words).current_dir(folder).status();
    assert!(done.expect("git starts").success(), "git {words:?}");
}

/// What a file does, and what is true for a file that has a global object of its own.
const CHANGES: &str = include_str!("../../../fixtures/test-runner/changes.txt");

#[test]
fn no_file_sees_what_another_one_changes() {
    let top = project("changes", &[]);
    let changes = pairs(CHANGES);
    on_two_threads(changes.len(), |place| check_change(&top, place, changes[place]));
}

fn pairs(changes: &str) -> Vec<(&str, &str)> {
    changes.trim_end().split("\n\n").map(|change| change.split_once('\n').expect("two lines")).collect()
}

fn on_two_threads(count: usize, check: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let check_all = || {
        let places = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        places.take_while(|place| *place < count).for_each(&check);
    };
    std::thread::scope(|scope| {
        scope.spawn(check_all);
        scope.spawn(check_all);
    });
}

/// The files run in one process, one after the other. The third one and another one change the same
/// as the first, perhaps in the global object that the second one has left. They are so many that
/// the process gets several at once: it leaves no global object to the only one.
fn check_change(top: &Path, place: usize, (change, condition): (&str, &str)) {
    const IMPORTS: &str = "import own, { describe as group, expect, jest, mock, test } from 'bun:test';\nimport * as m from './m.js';\n";
    let folder = top.join(place.to_string());
    fs::create_dir_all(&folder).expect("there is room");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("there is room");
    write("m.js", "export const name = 'm';\nexport default {};\n");
    write("a.test.js", &format!("{IMPORTS}test('a', () => {{ {change}; }});\n"));
    for name in ["b", "c", "d", "e", "f", "g", "h", "i"] {
        let check = format!("if (!({condition})) throw new Error('seen');");
        let change = if matches!(name, "c" | "f") { change } else { "" };
        write(
            &format!("{name}.test.js"),
            &format!("{IMPORTS}test('{name}', () => {{ {check} {change}; }});\n"),
        );
    }
    let mut command = rusk(&folder, &["test", "--parallel=1"]);
    // No timings of an earlier run: the files run in the order of their names.
    let ended = command.env("HOME", top).env_remove("XDG_CACHE_HOME").output().expect("rusk starts");
    let report = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{change}: {report}");
}

/// What a CommonJS file changes, and what the next one finds.
const COMMONJS_CHANGES: &str = include_str!("../../../fixtures/test-runner/commonjs-changes.txt");

#[test]
fn no_commonjs_file_sees_what_another_one_changes() {
    let top = project("commonjs-changes", &[]);
    let changes = pairs(COMMONJS_CHANGES);
    on_two_threads(changes.len(), |place| {
        let (change, condition) = changes[place];
        let folder = top.join(place.to_string());
        fs::create_dir_all(&folder).expect("there is room");
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("there is room");
        write("m.js", "exports.name = 'm';\n");
        for name in ["a", "b", "c", "d", "e", "f"] {
            let change = if matches!(name, "a" | "c") { change } else { "" };
            let text = format!("test('{name}', () => {{ expect({condition}).toBe(true); {change}; }});\n");
            write(&format!("{name}.test.js"), &text);
        }
        let mut command = rusk(&folder, &["test", "--parallel=1"]);
        let ended = command.env("HOME", top.join(format!("home-{place}"))).env_remove("XDG_CACHE_HOME");
        let ended = ended.output().expect("rusk starts");
        let report = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.success() && report.contains(" 6 pass"), "{change}: {report}");
    });
}

const A_TEST: (&str, &str) =
    ("a.test.js", "import { name } from './a.js';\ntest(`a of ${name}`, () => {});\n");
const B_TEST: (&str, &str) = ("b.test.js", "test('b', () => {});\n");

/// Of a file that was written just now nothing is kept.
const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/programs/modules/kept");

#[test]
fn modules_that_are_kept_are_those_of_each_file() {
    let mut command = rusk(Path::new(KEPT), &["test", "--parallel=1", "--rerun-each=4"]);
    let ended = command.output().expect("rusk starts");
    let report = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && report.contains("4 pass"), "{report}");
}

const STATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/programs/modules/state");

/// States that one module of these has at most.
const STATES: usize = 15;

/// The third file and the fifth one get modules that earlier ones have evaluated, and change them.
#[test]
fn no_file_sees_how_another_one_has_changed_a_module() {
    let files = ["a", "b", "c", "d", "e", "f"];
    let top = project("states", &[]);
    on_two_threads(STATES, |place| {
        let folder = top.join(place.to_string());
        fs::create_dir_all(&folder).expect("there is room");
        for name in files {
            let argument = if matches!(name, "c" | "e") { place.to_string() } else { String::new() };
            let text = format!("import {{ check }} from '{STATE}/check.js';\ncheck({argument});\n");
            fs::write(folder.join(format!("{name}.test.js")), text).expect("there is room");
        }
        // The second run writes bytecode, which the third one uses.
        for run in 1..=3 {
            let mut command = rusk(&folder, &["test", "--parallel=1"]);
            let ended = command.env("HOME", &top).env_remove("XDG_CACHE_HOME").output().expect("rusk starts");
            let report = String::from_utf8_lossy(&ended.stderr);
            assert!(ended.status.success() && report.contains("12 pass"), "{place}, run {run}: {report}");
        }
    });
}

/// The second run writes bytecode, because the tests run again here, and the third one uses it.
#[test]
fn later_runs_use_bytecode_of_earlier_ones() {
    let top = project("bytecode", &[]);
    let module = |value: u32| {
        let more =
            (0..400).map(|number| format!("export function of{number}() {{ return {value} + {number}; }}\n"));
        more.collect::<String>()
    };
    let test = "import { of7 } from './m.js';\ntest('seven', () => { expect(of7()).toBe(8); });\n";
    for (name, text) in [("m.js", module(1).as_str()), ("a.test.js", test), ("b.test.js", test)] {
        fs::write(top.join(name), text).expect("there is room");
    }
    let run = || {
        let mut command = rusk(&top, &["test", "--parallel=1"]);
        let ended = command.env("HOME", &top).env_remove("XDG_CACHE_HOME").output().expect("rusk starts");
        String::from_utf8_lossy(&ended.stderr).into_owned()
    };
    let written = || -> Vec<PathBuf> {
        let all = fs::read_dir(top.join(".cache/rusk/code")).expect("builtins have bytecode");
        let paths = all.map(|entry| entry.expect("it is readable").path());
        let is_of_tests = |path: &PathBuf| {
            path.file_name().is_some_and(|name| !name.as_encoded_bytes().starts_with(b"own"))
        };
        paths.filter(is_of_tests).collect()
    };
    assert!(run().contains(" 2 pass"));
    assert!(written().is_empty(), "{:?}", written());
    assert!(run().contains(" 2 pass"));
    let [file] = &written()[..] else { panic!("{:?}", written()) };
    let bytes = fs::read(file).expect("it is there");
    assert!(run().contains(" 2 pass"));
    assert_eq!(fs::read(file).expect("it is there"), bytes, "nothing is new");
    // What is damaged is compiled again.
    let half = bytes.len() / 2;
    let damaged: Vec<u8> =
        bytes.iter().enumerate().map(|(at, byte)| if at > half { !byte } else { *byte }).collect();
    fs::write(file, damaged).expect("there is room");
    assert!(run().contains(" 2 pass"));
    fs::write(top.join("m.js"), module(2)).expect("there is room");
    assert!(run().contains(" 2 fail"));
}

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
    let mut child = rusk(&folder, &["--watch", "test"])
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
    fs::write(folder.join("new.test.js"), "test('of a new file', () => {});\n").expect("there is room");
    let third = read_until("Ran 1 test across 1 file.");
    assert!(third.iter().any(|line| line.contains("(pass) of a new file")), "{third:?}");
    fs::rename(folder.join("a.js"), folder.join("gone.js")).expect("it is there");
    let fourth = read_until("Ran 0 tests across 1 file.");
    assert!(fourth.iter().any(|line| line.contains("a.js")), "{fourth:?}");
    // It keeps the time of its content.
    fs::rename(folder.join("gone.js"), folder.join("a.js")).expect("it is there");
    let fifth = read_until("Ran 1 test across 1 file.");
    assert!(fifth.iter().any(|line| line.contains("(pass) a of two")), "{fifth:?}");
    child.kill().expect("it runs");
    child.wait().expect("it is ours");
}

#[test]
fn an_interrupted_run_says_what_has_failed_and_what_ran() {
    const WAITS: &str = "test('fails', () => { throw new Error('no'); });\n\
        test('waits', () => { console.log('begun'); return new Promise(() => {}); }, 0);\n";
    let folder = project("interrupted", &[("a.test.js", WAITS)]);
    let mut command = rusk(&folder, &["test"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("rusk starts");
    let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
    output.read_line(&mut String::new()).expect("it has begun");
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.expect("there is a kill").success());
    let ended = child.wait_with_output().expect("it is ours");
    let report = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.signal(), Some(2), "{report}");
    for part in ["(fail) fails", "Interrupted while these ran:\n   a.test.js: waits\n"] {
        assert!(report.contains(part), "{part}: {report}");
    }
}

#[test]
fn a_run_that_ignores_interrupts_goes_on() {
    const ENDS: &str =
        "test('ends', async () => { process.kill(process.ppid, 'SIGINT'); await Bun.sleep(50); });\n";
    let folder = project("uninterrupted", &[("a.test.js", ENDS)]);
    let mut command = Command::new("env");
    command.args(["--ignore-signal=INT", env!("CARGO_BIN_EXE_rusk"), "test"]).current_dir(&folder);
    let output = command.env_remove("RUSK_BUILTINS").output().expect("rusk starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
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
