//! `conformance node`: runs Node's own tests with rusk, node and bun. In: a checkout of the tests,
//! given by its path; none of it is stored. Out: `conformance/node/AREA.txt`, a verdict for each
//! file, and `conformance/node.json`, the counts. A file that node itself fails or skips does not
//! count.

mod area;
pub mod file;

use super::flags::ConformanceFlags;
use super::summary::ConformanceSummary;
use super::test_runner::{self, Test, TestOutcome, TestRunner, TestedRuntime};
use super::verdicts::{Verdict, VerdictList};
use crate::files;
use file::TestFile;

pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = ConformanceFlags::read("node", arguments)?;
    let areas = area::chosen(&flags.areas)?;
    let run = TestRunner::new(flags.jobs);
    let directory = flags.results("node");
    let mut summary = ConformanceSummary::read(&format!("conformance/{directory}.json"))?;
    summary.note_versions(flags.programs());
    let mut regressions = Vec::new();
    for area in areas {
        let files = area.files(flags.tests()?)?;
        let list = format!("{directory}/{}.txt", area.name);
        let reasons = reasons(&run, &files, &list, &flags)?;
        let (mut tests, mut skipped): (Vec<&dyn Test>, Vec<_>) = (Vec::new(), Vec::new());
        for (file, reason) in files.iter().zip(reasons) {
            match reason {
                Some(reason) => skipped.push((file.name().to_owned(), reason)),
                None => tests.push(file),
            }
        }
        let area =
            test_runner::TestArea { name: area.name, file: list, target: area.target, runs_node: false };
        regressions.extend(run.keep(&area, &tests, skipped, &flags, &mut summary)?);
    }
    run.end()?;
    test_runner::verdict_of(&regressions, &flags)
}

/// Why a file does not count: the outcome with node, now or when it last ran.
pub(super) fn reasons(
    run: &TestRunner,
    files: &[TestFile],
    list: &str,
    flags: &ConformanceFlags,
) -> Result<Vec<Option<String>>, String> {
    let Some(path) = flags.node.as_deref() else {
        let before = VerdictList::read(&files::root().join("conformance").join(list))?;
        let known = |file: &TestFile| match before.0.get(file.name()) {
            Some(Verdict::Skip(reason)) => Ok(Some(reason.clone())),
            Some(_) => Ok(None),
            None => Err(format!("expected `--node`: the outcome of {} with node is not known", file.name())),
        };
        return files.iter().map(known).collect();
    };
    let tests: Vec<&dyn Test> = files.iter().map(|file| file as &dyn Test).collect();
    let reason = |outcome| match outcome {
        TestOutcome::Passed => None,
        TestOutcome::Skipped(reason) => Some(format!("node skips it: {}", without_directories(&reason))),
        TestOutcome::Failed(reason) => Some(format!("node fails it here: {}", without_directories(&reason))),
    };
    Ok(run.all(TestedRuntime { path, globals: "" }, &tests).into_iter().map(reason).collect())
}

/// Lists are the same on every machine, so a path is reduced to its last component.
fn without_directories(reason: &str) -> String {
    // A pattern that a test expects, `/pattern/`, is not a path.
    let is_name = |part: &str| {
        part.chars().all(|character| character.is_ascii_alphanumeric() || "._-".contains(character))
    };
    let last = |word: &'_ str| -> String {
        let path = word.trim_end_matches([':', ',', ';']);
        let rest = &word[path.len()..];
        let path = path.strip_prefix('/').filter(|path| path.split('/').all(is_name));
        // With a mark after it, a single component may be the start of a pattern.
        let path = path.filter(|path| rest.is_empty() || path.contains('/'));
        let name = path.and_then(|path| path.rsplit('/').next());
        let name = name.filter(|name| name.contains(char::is_alphanumeric));
        name.map_or_else(|| word.to_owned(), |name| format!("{name}{rest}"))
    };
    reason.split(' ').map(last).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
