//! `conformance wpt`: the web-platform-tests that come with Node's tests, run by rusk, and beside
//! it by node and bun. In: the folder of Node's tests, given by its path; nothing of it is kept.
//! Out: `conformance/wpt/AREA.txt` and `conformance/wpt.json`. A file passes when every subtest
//! passes that node passes here; a file of which node passes nothing judges nobody. Absent: files
//! that need a document.

use super::flags::Flags;
use super::summary::Summary;
use super::trial::{self, Judge, Outcome, Program, Test};
use crate::{bounded, place};
use rusk_npm::json::{self, Dialect, Node};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

pub const SUMMARY: &str = "conformance/wpt.json";
/// Folders of the tests, and how many per cent of their files are wanted.
const AREAS: &[(&str, &str, Option<u32>)] = &[
    ("abort", "dom/abort", Some(90)),
    ("encoding", "encoding", Some(90)),
    ("events", "dom/events", None),
    ("file", "FileAPI", None),
    ("hr-time", "hr-time", Some(90)),
    ("streams", "streams", Some(90)),
    ("structured-clone", "html/webappapis/structured-clone", Some(90)),
    ("timers", "html/webappapis/timers", None),
    ("url", "url", Some(90)),
    ("user-timing", "user-timing", None),
    ("webmessaging", "webmessaging", Some(90)),
];
const LIMIT: Duration = Duration::from_secs(60);

/// Subtests by name: nothing of one that passes, its message of one that fails.
type Results = BTreeMap<String, Option<String>>;

struct WebFile {
    name: String,
    root: PathBuf,
    driver: PathBuf,
    variants: Vec<String>,
    /// The subtests that node passes.
    wanted: Vec<String>,
}

pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = Flags::read("wpt", arguments)?;
    let node = flags.node.as_deref().ok_or("expected `--node`: what it passes is what counts")?;
    let is_known = |name: &String| AREAS.iter().any(|(area, ..)| area == name);
    if let Some(name) = flags.areas.iter().find(|name| !is_known(name)) {
        let all: Vec<_> = AREAS.iter().map(|(area, ..)| *area).collect();
        return Err(format!("expected an area among {}, found `{name}`", all.join(", ")));
    }
    let driver = place::target().join("conformance/wpt.cjs");
    place::write(&driver, include_str!("wpt.cjs"))?;
    let judge = Judge::new(flags.jobs);
    let mut summary = Summary::read(SUMMARY)?;
    summary.note_versions(flags.programs());
    let mut lost = Vec::new();
    for (name, folder, target) in AREAS {
        if !flags.areas.is_empty() && !flags.areas.iter().any(|area| area == name) {
            continue;
        }
        let mut files = files(&flags.tests()?.join("fixtures/wpt"), folder, &driver)?;
        let node = Program { path: node, globals: "" };
        let results = judge.each(files.len(), |index| files[index].results(node, &judge.folder(index)));
        let mut skipped = Vec::new();
        for (file, results) in files.iter_mut().zip(results) {
            let passed = |(name, failure): (String, Option<String>)| failure.is_none().then_some(name);
            match results {
                Ok(results) => file.wanted = results.into_iter().filter_map(passed).collect(),
                Err(said) => skipped.push((file.name.clone(), format!("node fails it here: {said}"))),
            }
        }
        let is_empty =
            |file: &&WebFile| file.wanted.is_empty() && !skipped.iter().any(|(name, _)| *name == file.name);
        let empty: Vec<_> = files.iter().filter(is_empty).map(|file| file.name.clone()).collect();
        skipped.extend(empty.into_iter().map(|name| (name, "node passes nothing of it".to_owned())));
        let tests: Vec<&dyn Test> =
            files.iter().filter(|file| !file.wanted.is_empty()).map(|file| file as &dyn Test).collect();
        let area = trial::Area { name, file: format!("wpt/{name}.txt"), target: *target, judges_node: false };
        lost.extend(judge.keep(&area, &tests, skipped, &flags, &mut summary)?);
    }
    judge.end()?;
    trial::verdict_of(&lost, &flags)
}

/// The files of a folder that need no document, by name.
fn files(root: &Path, folder: &str, driver: &Path) -> Result<Vec<WebFile>, String> {
    let (mut files, mut folders) = (Vec::new(), vec![root.join(folder)]);
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(".any.js") || path.ends_with("toascii.window.js") {
                let text = place::find(&path).ok_or_else(|| format!("{}: no text", path.display()))?;
                let variants = text.lines().filter_map(|line| line.strip_prefix("// META: variant="));
                let name =
                    path.strip_prefix(root).expect("it was found there").to_string_lossy().into_owned();
                files.push(WebFile {
                    name,
                    root: root.to_owned(),
                    driver: driver.to_owned(),
                    variants: variants.map(|variant| variant.trim().to_owned()).collect(),
                    wanted: Vec::new(),
                });
            }
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

impl WebFile {
    /// All subtests of all variants, or why the file came to no end.
    fn results(&self, program: Program<'_>, folder: &Path) -> Result<Results, String> {
        let mut results = Results::new();
        let whole = [String::new()];
        for variant in if self.variants.is_empty() { &whole[..] } else { &self.variants } {
            place::empty(folder)?;
            let mut command = Command::new(program.path);
            command.arg(&self.driver).arg(&self.root).args([&self.name, variant]);
            let ended = bounded::run(&mut command, folder, LIMIT)?;
            let _ = place::remove(folder);
            if !ended.is_success() {
                let (wpt, root) = (self.root.to_string_lossy(), place::root());
                let told =
                    ended.reworded(|said| said.replace(&*wpt, "WPT").replace(&*root.to_string_lossy(), "."));
                return Err(told.reason(LIMIT));
            }
            for line in ended.stdout.lines() {
                let wrong = || format!("it printed `{line}`");
                let node = json::parse(line, Dialect::Strict).map_err(|_| wrong())?;
                let words: Vec<&str> = node.elements().iter().filter_map(Node::as_str).collect();
                let [verdict, name, message] = words[..] else { return Err(wrong()) };
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

    fn judge(&self, program: Program<'_>, folder: &Path) -> Outcome {
        let results = match self.results(program, folder) {
            Ok(results) => results,
            Err(said) => return Outcome::Failed(said),
        };
        let is_missed = |name: &&String| results.get(*name) != Some(&None);
        let missed: Vec<&String> = self.wanted.iter().filter(is_missed).collect();
        let Some(first) = missed.first() else { return Outcome::Passed };
        let message = results.get(*first).cloned().flatten().unwrap_or_else(|| "not run".to_owned());
        let reason = format!("{} of {}: {first}: {message}", missed.len(), self.wanted.len());
        let words: Vec<&str> = reason.split_whitespace().collect();
        Outcome::Failed(words.join(" ").chars().take(REASON_CHARS_MAX).collect())
    }
}

/// More is not read by anybody.
const REASON_CHARS_MAX: usize = 180;
