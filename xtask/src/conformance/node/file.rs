//! One file of Node's tests: its header comments, and its outcome with a runtime. It passes if it
//! exits with 0; it is skipped if it says so itself.

use crate::conformance::test_runner::{Test, TestOutcome, TestedRuntime};
use crate::files;
use rusk_testkit::bounded_process::{self, BoundedRun};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Where the header ends, as in Node's own runner.
const HEAD_BYTES: usize = 1500;
/// What a test prints if the machine does not suit it.
const SKIPPED: &str = "1..0 # Skipped";
/// A test that takes longer hangs; the slowest takes a few seconds on an idle machine.
pub const LIMIT: Duration = Duration::from_secs(30);

pub struct TestFile {
    pub name: String,
    pub path: PathBuf,
    /// The directory of the tests.
    tests: PathBuf,
    is_alone: bool,
    flags: Vec<String>,
    variables: Vec<(String, String)>,
}

impl TestFile {
    pub fn read(name: String, path: PathBuf, is_alone: bool, tests: &Path) -> Result<TestFile, String> {
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD_BYTES)]).into_owned();
        let arguments = |mark: &str| {
            let line = head.lines().find_map(|line| line.trim_start().strip_prefix(mark));
            line.map(|line| line.split_whitespace().map(str::to_owned).collect()).unwrap_or_default()
        };
        let (flags, pairs): (Vec<String>, Vec<String>) = (arguments("// Flags:"), arguments("// Env:"));
        let pair =
            |pair: &String| pair.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
        let tests = tests.to_owned();
        Ok(TestFile {
            name,
            path,
            tests,
            is_alone,
            flags,
            variables: pairs.iter().filter_map(pair).collect(),
        })
    }

    /// In the same directory as Node's own runner: the parent of the tests.
    fn execute(&self, program: TestedRuntime<'_>, directory: &Path) -> Result<BoundedRun, String> {
        files::empty(directory)?;
        let mut command = Command::new(program.path);
        command.args(&self.flags).arg(&self.path).current_dir(self.tests.parent().unwrap_or(&self.tests));
        // The flags are passed already: without this, each file would start itself again if it does
        // not see them.
        command.env("NODE_SKIP_FLAG_CHECK", "1").env("NODE_TEST_DIR", directory).env_remove("NODE_OPTIONS");
        command.env("NODE_TEST_KNOWN_GLOBALS", program.globals);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        let ended = bounded_process::run(&mut command, directory, LIMIT);
        // A test may leave directories without permissions.
        if files::remove(directory).is_err() {
            let _ = Command::new("chmod").args(["-R", "u+rwx"]).arg(directory).status();
            let _ = files::remove(directory);
        }
        ended
    }
}

impl Test for TestFile {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_alone(&self) -> bool {
        self.is_alone
    }

    fn accepted_failure(&self) -> Option<&'static str> {
        let mut flags = self.flags.iter().map(|flag| flag.replace('_', "-"));
        flags.any(|flag| flag == "--expose-internals").then_some("requires Node's own internals")
    }

    fn run(&self, program: TestedRuntime<'_>, directory: &Path) -> TestOutcome {
        match self.execute(program, directory) {
            Ok(ended) if ended.is_success() => {
                let skipped = ended.stdout.lines().find_map(|line| line.trim().strip_prefix(SKIPPED));
                skipped.map_or(TestOutcome::Passed, |reason| {
                    TestOutcome::Skipped(reason.trim_start_matches([':', ' ']).trim().to_owned())
                })
            }
            Ok(ended) => {
                let ended = ended.map_output(|message| without_paths(message, &self.tests, directory));
                TestOutcome::Failed(ended.reason(LIMIT))
            }
            Err(message) => TestOutcome::Failed(message),
        }
    }
}

/// The output without local paths.
pub fn without_paths(message: &str, tests: &Path, directory: &Path) -> String {
    let above = tests.parent().unwrap_or(tests);
    let mut message = message.to_owned();
    for (path, name) in [
        (directory, "TMP"),
        (tests, "TEST"),
        (above, "."),
        (&files::root(), "."),
        (Path::new("/root"), "HOME"),
    ] {
        message = message.replace(&*path.to_string_lossy(), name);
    }
    message
}

#[cfg(test)]
mod tests;
