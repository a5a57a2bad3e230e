//! Our own scripts as bytecode: kept when a program ends, run by the next one, and never in the way where they are not what they were.
#![cfg(target_arch = "x86_64")]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use rusk_testkit::project::Project;

/// Loads some of our files, runs what is in them, and says where an error of theirs is.
const PROGRAM: &str = "
const { Readable } = require('stream');
const url = new URL('../b?c=1', 'http://registry.test/a/a');
console.log(url.href, require('util').inspect(new Map([[1, { a: [] }]])), Buffer.from('text').toString('base64'));
try { require('fs').readFileSync('absent'); } catch (error) { console.log(error.code, error.stack.includes('app.js:5:')); }
Readable.from(['x', 'y']).on('data', (part) => process.stdout.write(part)).on('end', () => console.log());
if (process.argv[2] === 'exit') process.on('beforeExit', () => process.exit(0));
if (process.argv[2] === 'fail') process.exitCode = 7;
if (process.argv[2] === 'die') process.kill(process.pid, 'SIGKILL');
";
const SAID: &str = "http://registry.test/b?c=1 Map(1) { 1 => { a: [] } } dGV4dA==\nENOENT true\nxy\n";

struct Started {
    project: Project,
}

impl Started {
    /// A project whose cache has copies of the engine, and nothing else yet.
    fn new() -> Started {
        let started = Started { project: Project::with(&[("app.js", PROGRAM), ("empty.js", "")]) };
        for _ in 0..8 {
            assert!(started.run(&["empty.js"]).status.success());
        }
        assert_eq!(started.kept(), None, "it is of no engine's copies");
        started
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rusk"));
        command
            .args(words)
            .current_dir(self.project.path())
            .env("RUSK_CACHE_DIR", self.project.home().join("cache"))
            .env_remove("RUSK_BUILTINS")
            .env_remove("LD_LIBRARY_PATH")
            .env_remove("LD_PRELOAD")
            .stdin(Stdio::null());
        command
    }

    fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("rusk starts")
    }

    /// Runs the program until it ends well and keeps nothing more.
    fn warm(&self) {
        let mut before = None;
        for _ in 0..20 {
            self.check(&[]);
            let kept = self.bytes();
            if kept == before {
                return;
            }
            before = kept;
        }
        panic!("each start keeps something else");
    }

    fn check(&self, words: &[&str]) {
        let output = self.run(&[&["app.js"], words].concat());
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(String::from_utf8_lossy(&output.stdout), SAID);
    }

    fn kept(&self) -> Option<PathBuf> {
        let engines = std::fs::read_dir(self.project.home().join("cache/engine")).ok()?;
        let own = engines.map(|entry| entry.expect("it is read").path()).next()?;
        let files =
            std::fs::read_dir(own).expect("it is read").map(|entry| entry.expect("it is read").path());
        let mut kept: Vec<_> = files.filter(|path| path.to_string_lossy().contains("/scripts-")).collect();
        assert!(kept.len() <= 1, "of one version there is one: {kept:?}");
        kept.pop()
    }

    fn bytes(&self) -> Option<Vec<u8>> {
        Some(std::fs::read(self.kept()?).expect("it is read"))
    }
}

#[test]
fn scripts_are_kept_until_all_are_and_programs_do_the_same_by_them() {
    let started = Started::new();
    started.warm();
    for words in [&[][..], &["exit"], &["fail"]] {
        started.check(words);
    }
    assert_eq!(started.run(&["app.js", "fail"]).status.code(), Some(7));
}

#[test]
fn who_ends_itself_keeps_scripts_and_who_is_killed_does_not() {
    let started = Started::new();
    started.run(&["app.js", "die"]);
    assert_eq!(started.kept(), None);
    started.check(&["exit"]);
    assert!(started.kept().is_some());
}

#[test]
fn a_file_that_is_cut_off_or_of_something_else_is_made_again() {
    let started = Started::new();
    started.warm();
    let (path, whole) = (started.kept().expect("it is there"), started.bytes().expect("it is there"));
    for harm in [&whole[..whole.len() / 2], &whole[..10], b"", b"something else altogether"] {
        std::fs::remove_file(&path).expect("it is ours");
        std::fs::write(&path, harm).expect("it is written");
        started.check(&[]);
        assert_ne!(started.bytes().expect("it is made"), harm);
    }
}

#[test]
fn many_programs_that_end_at_once_leave_one_whole_file() {
    let started = Started::new();
    let children: Vec<_> = (0..6)
        .map(|_| started.command(&["app.js"]).stdout(Stdio::null()).spawn().expect("rusk starts"))
        .collect();
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
    started.check(&[]);
    started.warm();
}

#[test]
fn a_folder_that_takes_nothing_changes_nothing() {
    let started = Started::new();
    let folder = started.project.home().join("cache/engine");
    let own = std::fs::read_dir(folder).expect("it is read").next().expect("one").expect("it is read").path();
    // Where its name is taken by a folder, nothing can be renamed to it.
    started.check(&[]);
    let path = started.kept().expect("it is kept");
    std::fs::remove_file(&path).expect("it is ours");
    std::fs::create_dir_all(path.join("full")).expect("it is made");
    started.check(&[]);
    let left =
        std::fs::read_dir(own).expect("it is read").map(|entry| entry.expect("it is read").file_name());
    assert!(left.into_iter().all(|name| !name.to_string_lossy().starts_with('.')), "nothing half is left");
}
