//! Watch mode: the time from the save of a small file to the end of its report. In: tools, a
//! directory. Out: a number per round.

use super::{SAVE, TestTool};
use crate::bench::runtime::row::{self, RuntimeRow};
use crate::files;
use rusk_testkit::test_suites::Dialect;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

pub const CASE: &str = "watch, 1 test";
const FILE: &str = "small.test.ts";
/// Begins the last line of a report.
const LAST: &str = "Ran ";
/// A tool that takes longer does not see the change.
const LIMIT: Duration = Duration::from_secs(20);
/// A tool may be about to look at its files when it has printed the last line.
const PAUSE: Duration = Duration::from_millis(500);

pub fn measure(
    tools: &[TestTool],
    top: &Path,
    rounds: usize,
    rows: &mut Vec<RuntimeRow>,
) -> Result<(), String> {
    for tool in tools.iter().filter(|tool| tool.dialect == Dialect::Bun) {
        let directory = top.join("watch").join(tool.name);
        files::empty(&directory)?;
        files::write(&directory.join("package.json"), "{ \"name\": \"watch\", \"private\": true }\n")?;
        save(&directory, 0)?;
        let watching = Watching::start(tool, &directory)?;
        watching.wait_for_report()?;
        for round in 1..=rounds {
            std::thread::sleep(PAUSE);
            let began = Instant::now();
            save(&directory, round)?;
            watching.wait_for_report()?;
            row::add_sample(rows, [CASE, SAVE, tool.name], began.elapsed().as_secs_f64() * 1000.0);
        }
    }
    Ok(())
}

fn save(directory: &Path, round: usize) -> Result<(), String> {
    let text = format!(
        "import {{ expect, test }} from 'bun:test';\ntest('round {round}', () => {{ expect(1).toBe(1); }});\n"
    );
    files::write(&directory.join(FILE), &text)
}

/// A program in watch mode; it is ended with this value.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(tool: &TestTool, directory: &Path) -> Result<Watching, String> {
        let mut command = Command::new(&tool.program);
        command.args(tool.arguments).arg("--watch").current_dir(directory).env("NO_COLOR", "1");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let errors = BufReader::new(child.stderr.take().expect("it is piped"));
        let (send, lines) = mpsc::channel();
        std::thread::spawn(move || errors.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        Ok(Watching { child, lines })
    }

    fn wait_for_report(&self) -> Result<(), String> {
        let until = Instant::now() + LIMIT;
        loop {
            let rest = until.saturating_duration_since(Instant::now());
            let line =
                self.lines.recv_timeout(rest).map_err(|_| "no report came in watch mode".to_owned())?;
            if line.starts_with(LAST) {
                return Ok(());
            }
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
