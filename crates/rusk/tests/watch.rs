//! `rusk --watch` as users have it: a program begins again when a file that it loaded is saved, in
//! whatever way; one that failed is mended by the next save; Ctrl-C ends both. No test waits for a
//! time: each waits for a line.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

/// A program that is watched, in a directory of its own.
struct Watched {
    folder: PathBuf,
    child: Child,
    lines: BufReader<ChildStdout>,
    notices: BufReader<ChildStderr>,
}

impl Watched {
    fn begin(name: &str, files: &[(&str, &str)], words: &[&str]) -> Watched {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("watch-{name}"));
        // What an earlier run left.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("there is room");
        for (name, text) in files {
            fs::write(folder.join(name), text).expect("there is room");
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_rusk"))
            .args(words)
            .current_dir(&folder)
            .env_remove("RUSK_BUILTINS")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("rusk starts");
        let lines = BufReader::new(child.stdout.take().expect("it is piped"));
        let notices = BufReader::new(child.stderr.take().expect("it is piped"));
        Watched { folder, child, lines, notices }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("it is text");
        line.trim_end().to_owned()
    }

    /// Reads notices until one begins so.
    fn wait_for_notice(&mut self, beginning: &str) {
        let mut line = String::new();
        while !line.starts_with(beginning) {
            line.clear();
            let count = self.notices.read_line(&mut line).expect("it is text");
            assert_ne!(count, 0, "there is a notice that begins with {beginning}");
        }
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.join(name), text).expect("there is room");
    }

    /// As an editor saves that makes a new file first.
    fn rename_over(&self, name: &str, text: &str) {
        let beside = self.folder.join(format!("{name}~"));
        fs::write(&beside, text).expect("there is room");
        fs::rename(beside, self.folder.join(name)).expect("it is a name");
    }

    /// To the watching process alone.
    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it runs");
    }

    /// Stops the watching process; the program goes on.
    fn stop(&self) {
        self.signal(Signal::STOP);
        let stat = || fs::read_to_string(format!("/proc/{}/stat", self.child.id())).expect("it is there");
        while !stat().rsplit(')').next().is_some_and(|rest| rest.starts_with(" T")) {
            std::thread::yield_now();
        }
    }

    /// Interrupts it as Ctrl-C does, and checks that no process is left that could write.
    fn interrupt(mut self) {
        self.signal(Signal::INT);
        let status = self.child.wait().expect("it is ours");
        assert_eq!(status.signal(), Some(Signal::INT.as_raw()));
        let mut rest = String::new();
        self.lines.read_to_string(&mut rest).expect("it is text");
        assert_eq!(rest, "");
    }
}

const STAYS: &str = "setInterval(() => {}, 1000);";

#[test]
fn a_program_begins_again_however_its_files_are_saved() {
    let main =
        format!("import {{ v }} from './part.mjs'; console.log('v', v, process.execArgv.length); {STAYS}");
    let files = [("main.mjs", main.as_str()), ("part.mjs", "export const v = 1;")];
    let mut watched = Watched::begin("saves", &files, &["--watch", "main.mjs"]);
    assert_eq!(watched.line(), "v 1 0");
    watched.write("part.mjs", "export const v = 2;");
    assert_eq!(watched.line(), "v 2 0");
    watched.rename_over("part.mjs", "export const v = 3;");
    assert_eq!(watched.line(), "v 3 0");
    // No module has loaded it.
    watched.write("other.mjs", "export const v = 4;");
    watched.rename_over("main.mjs", &format!("console.log('main'); {STAYS}"));
    assert_eq!(watched.line(), "main");
    watched.interrupt();
}

/// Imports what is saved once there is a file `go`.
const WAITS: &str = "import { existsSync } from 'node:fs';
console.log('begun');
while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 1));
console.log('v', (await import('./part.mjs')).v);
setInterval(() => {}, 1000);";

/// On a busy machine, or where somebody is quick.
#[test]
fn a_save_before_the_file_is_watched_counts() {
    let files = [("main.mjs", WAITS), ("part.mjs", "export const v = 1;")];
    let mut watched = Watched::begin("early", &files, &["--watch", "main.mjs"]);
    assert_eq!(watched.line(), "begun");
    watched.stop();
    watched.write("go", "");
    assert_eq!(watched.line(), "v 1");
    watched.write("part.mjs", "export const v = 2;");
    watched.signal(Signal::CONT);
    assert_eq!((watched.line(), watched.line()), ("begun".to_owned(), "v 2".to_owned()));
    watched.interrupt();
}

#[test]
fn a_program_that_failed_is_mended_by_the_next_save() {
    let mut watched = Watched::begin("fails", &[("main.js", "require('./part')")], &["--watch", "main.js"]);
    watched.wait_for_notice("rusk: the program ended with 1");
    watched.write("part.js", "console.log('part');");
    assert_eq!(watched.line(), "part");
    watched.wait_for_notice("rusk: the program ended with 0");
    watched.write("main.js", "console.log('main');");
    assert_eq!(watched.line(), "main");
    watched.interrupt();
}

#[test]
fn files_of_variables_are_watched_and_paths_that_are_named() {
    let main = format!("console.log('A', process.env.A); {STAYS}");
    let mut watched =
        Watched::begin("env", &[("main.js", &main), (".env", "A=1\n")], &["--watch", "main.js"]);
    assert_eq!(watched.line(), "A 1");
    watched.write(".env", "A=2\n");
    assert_eq!(watched.line(), "A 2");
    watched.interrupt();

    let mut watched = Watched::begin("path", &[("main.js", &main)], &["--watch-path=.", "main.js"]);
    assert_eq!(watched.line(), "A undefined");
    watched.write(".env", "A=3\n");
    assert_eq!(watched.line(), "A 3");
    watched.interrupt();
}
