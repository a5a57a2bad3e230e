//! Tests before programs. In: tests of any kind, programs, the list of the last run. Out: the new
//! list, what bun passes of the same tests, the counts in a summary. What passed once and fails now
//! is an error, unless it is accepted.

use super::flags::ConformanceFlags;
use super::summary::{AreaRow, ConformanceSummary};
use super::verdicts::{Verdict, VerdictList};
use crate::files;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What was lost is tried so often again, alone, before it counts.
const RETRIES: usize = 2;

pub trait Test: Sync {
    fn name(&self) -> &str;

    /// Whether it disturbs others, and runs while no other does.
    fn is_alone(&self) -> bool {
        false
    }

    /// Why a failure is none that somebody must look at.
    fn accepted_failure(&self) -> Option<&'static str> {
        None
    }

    /// Runs it in a folder of its own, which is not there before nor after.
    fn run(&self, program: TestedRuntime<'_>, directory: &Path) -> TestOutcome;
}

/// Who runs the tests, and the globals it may have beyond Node's: names with commas between, or `0`
/// for any.
#[derive(Clone, Copy)]
pub struct TestedRuntime<'p> {
    pub path: &'p Path,
    pub globals: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestOutcome {
    Passed,
    /// The test says so itself.
    Skipped(String),
    Failed(String),
}

/// Runs tests, so many at a time.
pub struct TestRunner {
    jobs: usize,
    work: PathBuf,
}

/// Tests that stand in one list and one line of a table.
pub struct TestArea<'a> {
    pub name: &'a str,
    /// Of the list, below `conformance`.
    pub file: String,
    /// So many per cent are wanted.
    pub target: Option<u32>,
    /// Whether node may fail tests that count.
    pub runs_node: bool,
}

impl TestRunner {
    pub fn new(jobs: usize) -> TestRunner {
        TestRunner {
            jobs,
            work: std::env::temp_dir().join(format!("rusk-conformance-{}", std::process::id())),
        }
    }

    pub fn end(self) -> Result<(), String> {
        files::remove(&self.work)
    }

    /// Judges the tests of an area that are not skipped, keeps list and counts. Out: a line for
    /// each test that was lost; then nothing is kept, unless that is accepted.
    #[allow(clippy::print_stdout, reason = "the counts are what was asked for")]
    pub fn keep(
        &self,
        area: &TestArea<'_>,
        tests: &[&dyn Test],
        skipped: Vec<(String, String)>,
        flags: &ConformanceFlags,
        summary: &mut ConformanceSummary,
    ) -> Result<Vec<String>, String> {
        let file = files::root().join("conformance").join(&area.file);
        let before = VerdictList::read(&file)?;
        let rusk = TestedRuntime { path: &flags.rusk, globals: "Bun" };
        let mut list = VerdictList::default();
        list.0.extend(skipped.into_iter().map(|(name, reason)| (name, Verdict::Skip(reason))));
        for (test, outcome) in tests.iter().zip(self.all(rusk, tests)) {
            list.0.insert(test.name().to_owned(), verdict(*test, outcome));
        }
        self.retry(&mut list, &before, tests, rusk);
        list.inherit_reasons(&before);
        let bun = flags.bun.as_deref().map(|path| self.passed(TestedRuntime { path, globals: "0" }, tests));
        let node = flags.node.as_deref().filter(|_| area.runs_node);
        let node = node.map(|path| self.passed(TestedRuntime { path, globals: "" }, tests));
        let counts = list.counts();
        println!("{:<20} {:>4} of {:>4}", area.name, counts.passed, counts.counted());
        let regressions = list.regressions(&before);
        if regressions.is_empty() || flags.accept {
            files::write(&file, &list.render())?;
            summary.put(AreaRow { node, bun, ..AreaRow::new(area, counts) });
            summary.write()?;
        }
        Ok(regressions.iter().map(|name| regression_line(&list, name)).collect())
    }

    fn passed(&self, program: TestedRuntime<'_>, tests: &[&dyn Test]) -> usize {
        self.all(program, tests).into_iter().filter(|outcome| *outcome == TestOutcome::Passed).count()
    }

    /// A busy machine makes slow tests fail.
    fn retry(
        &self,
        list: &mut VerdictList,
        before: &VerdictList,
        tests: &[&dyn Test],
        rusk: TestedRuntime<'_>,
    ) {
        for name in list.regressions(before) {
            let Some(test) = tests.iter().find(|test| test.name() == name) else { continue };
            let passes = |_| test.run(rusk, &self.work) == TestOutcome::Passed;
            if (0..RETRIES).any(passes) {
                list.0.insert(name, Verdict::Pass);
            }
        }
    }

    /// The outcome of each test; those that disturb others come last, one by one.
    pub fn all(&self, program: TestedRuntime<'_>, tests: &[&dyn Test]) -> Vec<TestOutcome> {
        let (together, alone): (Vec<usize>, Vec<usize>) =
            (0..tests.len()).partition(|&index| !tests[index].is_alone());
        let one = |index: usize| tests[index].run(program, &self.work.join(index.to_string()));
        let mut outcomes: Vec<(usize, TestOutcome)> =
            self.in_parallel(together.len(), |at| (together[at], one(together[at])));
        outcomes.extend(alone.into_iter().map(|index| (index, one(index))));
        outcomes.sort_by_key(|(index, _)| *index);
        outcomes.into_iter().map(|(_, outcome)| outcome).collect()
    }

    /// Does so many things, some at a time; what came of them, in order.
    pub fn in_parallel<T: Send>(&self, count: usize, one: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
        std::thread::scope(|scope| {
            for _ in 0..self.jobs {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= count {
                            break;
                        }
                        let result = one(index);
                        done.lock().expect("no test panics while it holds the lock").push((index, result));
                    }
                });
            }
        });
        let mut done = done.into_inner().expect("no test panicked while it held the lock");
        done.sort_by_key(|(index, _)| *index);
        done.into_iter().map(|(_, result)| result).collect()
    }

    /// A folder for the thing of this number.
    pub fn directory(&self, index: usize) -> PathBuf {
        self.work.join(index.to_string())
    }
}

/// What the whole run is worth.
pub fn verdict_of(regressions: &[String], flags: &ConformanceFlags) -> Result<(), String> {
    match regressions.len() {
        0 => Ok(()),
        _ if flags.accept => Ok(()),
        count => Err(format!(
            "{count} passed before (--accept takes that for granted):\n  {}",
            regressions.join("\n  ")
        )),
    }
}

fn verdict(test: &dyn Test, outcome: TestOutcome) -> Verdict {
    match (outcome, test.accepted_failure()) {
        (TestOutcome::Passed, _) => Verdict::Pass,
        (TestOutcome::Failed(_), Some(accepted_failure)) => Verdict::Fail(accepted_failure.to_owned()),
        (TestOutcome::Failed(reason), None) => Verdict::unreviewed(&reason),
        (TestOutcome::Skipped(reason), _) => Verdict::unreviewed(&format!("skips itself: {reason}")),
    }
}

fn regression_line(list: &VerdictList, name: &str) -> String {
    match list.0.get(name) {
        Some(Verdict::Fail(reason)) => format!("{name}: {reason}"),
        _ => format!("{name}: it is no longer there"),
    }
}
