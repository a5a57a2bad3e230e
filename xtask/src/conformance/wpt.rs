//! `conformance wpt`: runs the web-platform-tests that come with Node's tests with rusk, node and
//! bun. In: the directory of Node's tests, given by its path; none of it is stored. Out:
//! `conformance/wpt/AREA.txt` and `conformance/wpt.json`. A file passes if every subtest passes
//! that node passes; a file of which node passes nothing does not count. Absent: files that need a
//! document.

use super::flags::ConformanceFlags;
use super::summary::ConformanceSummary;
use super::test_runner::{self, Test, TestOutcome, TestRunner, TestedRuntime};
use crate::files;
use rusk_npm::json::{self, Dialect, Node};
use rusk_testkit::bounded_process;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Directories of the tests, and targets in percent.
const AREAS: &[(&str, &str, Option<u32>)] = &[
    ("abort", "dom/abort", Some(90)),
    ("compression", "compression", Some(90)),
    ("encoding", "encoding", Some(90)),
    ("events", "dom/events", None),
    ("file", "FileAPI", None),
    ("hr-time", "hr-time", Some(90)),
    ("streams", "streams", Some(90)),
    ("structured-clone", "html/webappapis/structured-clone", Some(90)),
    ("timers", "html/webappapis/timers", None),
    ("url", "url", Some(90)),
    ("user-timing", "user-timing", None),
    ("webcrypto", "WebCryptoAPI", None),
    ("webmessaging", "webmessaging", Some(90)),
];
const LIMIT: Duration = Duration::from_secs(60);

/// Subtests by name: `None` if passed, else the message.
type Results = BTreeMap<String, Option<String>>;

struct WebFile {
    name: String,
    root: PathBuf,
    driver: PathBuf,
    variants: Vec<String>,
    /// The subtests that node passes.
    expected: Vec<String>,
}

pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = ConformanceFlags::read("wpt", arguments)?;
    let node = flags.node.as_deref().ok_or("expected `--node`: what it passes is what counts")?;
    let is_known = |name: &String| AREAS.iter().any(|(area, ..)| area == name);
    if let Some(name) = flags.areas.iter().find(|name| !is_known(name)) {
        let all: Vec<_> = AREAS.iter().map(|(area, ..)| *area).collect();
        return Err(format!("expected an area among {}, found `{name}`", all.join(", ")));
    }
    let driver = files::target().join("conformance/wpt.cjs");
    files::write(&driver, include_str!("wpt.cjs"))?;
    let run = TestRunner::new(flags.jobs);
    let directory = flags.results("wpt");
    let mut summary = ConformanceSummary::read(&format!("conformance/{directory}.json"))?;
    summary.note_versions(flags.programs());
    let mut regressions = Vec::new();
    for (name, path, target) in AREAS {
        if !flags.areas.is_empty() && !flags.areas.iter().any(|area| area == name) {
            continue;
        }
        let mut files = files(&flags.tests()?.join("fixtures/wpt"), path, &driver)?;
        let node = TestedRuntime { path: node, globals: "" };
        let results = run.in_parallel(files.len(), |index| files[index].results(node, &run.directory(index)));
        let mut skipped = Vec::new();
        for (file, results) in files.iter_mut().zip(results) {
            let passed = |(name, failure): (String, Option<String>)| failure.is_none().then_some(name);
            match results {
                Ok(results) => file.expected = results.into_iter().filter_map(passed).collect(),
                Err(message) => skipped.push((file.name.clone(), format!("node fails it here: {message}"))),
            }
        }
        let is_empty =
            |file: &&WebFile| file.expected.is_empty() && !skipped.iter().any(|(name, _)| *name == file.name);
        let empty: Vec<_> = files.iter().filter(is_empty).map(|file| file.name.clone()).collect();
        skipped.extend(empty.into_iter().map(|name| (name, "node passes no subtest".to_owned())));
        let tests: Vec<&dyn Test> =
            files.iter().filter(|file| !file.expected.is_empty()).map(|file| file as &dyn Test).collect();
        let area = test_runner::TestArea {
            name,
            file: format!("{directory}/{name}.txt"),
            target: *target,
            runs_node: false,
        };
        regressions.extend(run.keep(&area, &tests, skipped, &flags, &mut summary)?);
    }
    run.end()?;
    test_runner::verdict_of(&regressions, &flags)
}

/// The files of a directory that need no document, by name.
fn files(root: &Path, directory: &str, driver: &Path) -> Result<Vec<WebFile>, String> {
    let (mut files, mut directories) = (Vec::new(), vec![root.join(directory)]);
    while let Some(directory) = directories.pop() {
        let entries =
            std::fs::read_dir(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                directories.push(path);
            } else if path.to_string_lossy().ends_with(".any.js") || path.ends_with("toascii.window.js") {
                let text = files::find(&path).ok_or_else(|| format!("{}: no text", path.display()))?;
                let variants = text.lines().filter_map(|line| line.strip_prefix("// META: variant="));
                let name =
                    path.strip_prefix(root).expect("it was found there").to_string_lossy().into_owned();
                files.push(WebFile {
                    name,
                    root: root.to_owned(),
                    driver: driver.to_owned(),
                    variants: variants.map(|variant| variant.trim().to_owned()).collect(),
                    expected: Vec::new(),
                });
            }
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

impl WebFile {
    /// All subtests of all variants, or why the file did not complete.
    fn results(&self, program: TestedRuntime<'_>, directory: &Path) -> Result<Results, String> {
        let mut results = Results::new();
        let whole = [String::new()];
        for variant in if self.variants.is_empty() { &whole[..] } else { &self.variants } {
            files::empty(directory)?;
            let mut command = Command::new(program.path);
            command.arg(&self.driver).arg(&self.root).args([&self.name, variant]);
            let ended = bounded_process::run(&mut command, directory, LIMIT)?;
            let _ = files::remove(directory);
            if !ended.is_success() {
                let (wpt, root) = (self.root.to_string_lossy(), files::root());
                let without_paths = ended.map_output(|message| {
                    message.replace(&*wpt, "WPT").replace(&*root.to_string_lossy(), ".")
                });
                return Err(without_paths.reason(LIMIT));
            }
            for line in ended.stdout.lines() {
                let wrong = || format!("it printed `{line}`");
                let node = json::parse(line, Dialect::Strict).map_err(|_| wrong())?;
                let arguments: Vec<&str> = node.elements().iter().filter_map(Node::as_str).collect();
                let [verdict, name, message] = arguments[..] else { return Err(wrong()) };
                results.insert(name.to_owned(), (verdict != "pass").then(|| message.to_owned()));
            }
        }
        Ok(results)
    }
}

impl Test for WebFile {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self, program: TestedRuntime<'_>, directory: &Path) -> TestOutcome {
        let results = match self.results(program, directory) {
            Ok(results) => results,
            Err(message) => return TestOutcome::Failed(message),
        };
        let is_missed = |name: &&String| results.get(*name) != Some(&None);
        let missed: Vec<&String> = self.expected.iter().filter(is_missed).collect();
        let Some(first) = missed.first() else { return TestOutcome::Passed };
        let message = results.get(*first).cloned().flatten().unwrap_or_else(|| "not run".to_owned());
        let reason = format!("{} of {}: {first}: {message}", missed.len(), self.expected.len());
        let arguments: Vec<&str> = reason.split_whitespace().collect();
        TestOutcome::Failed(arguments.join(" ").chars().take(REASON_CHARS_MAX).collect())
    }
}

/// Longer reasons are truncated.
const REASON_CHARS_MAX: usize = 180;
