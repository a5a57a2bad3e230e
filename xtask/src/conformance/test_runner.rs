//! Test runner for external suites. In: tests, runtimes, the verdicts of the last run. Out: the new
//! verdicts, the number that bun and node pass, the counts of an area. A regression is an error
//! unless accepted.

use super::flags::ConformanceFlags;
use super::summary::{AreaRow, ConformanceSummary};
use super::verdicts::{Verdict, VerdictList};
use crate::files;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How often a regression is tried again, alone, before it counts.
const RETRIES: usize = 2;

pub trait Test: Sync {
    fn name(&self) -> &str;

    /// Whether it disturbs other tests, and must run alone.
    fn is_alone(&self) -> bool {
        false
    }

    /// Why a failure needs no review.
    fn accepted_failure(&self) -> Option<&'static str> {
        None
    }

    /// Runs it in a directory of its own, which exists neither before nor after.
    fn run(&self, program: TestedRuntime<'_>, directory: &Path) -> TestOutcome;
}

/// The runtime under test, and the globals it may have beyond Node's: comma-separated names, or `0`
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

/// Runs several tests at a time.
pub struct TestRunner {
    jobs: usize,
    work: PathBuf,
}

/// Tests of one list and one table row.
pub struct TestArea<'a> {
    pub name: &'a str,
    /// The list, relative to `conformance`.
    pub file: String,
    /// Target in percent.
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

    /// Runs the tests of an area, stores verdicts and counts. Returns a line for each regression;
    /// then nothing is stored, unless regressions are accepted.
    #[allow(clippy::print_stdout, reason = "the counts are the output of the task")]
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

    /// Slow tests fail on a busy machine.
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

    /// The outcome of each test; tests that must run alone come last, one by one.
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

    /// Runs `count` jobs on several threads; returns the results in order.
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

    /// The working directory of job `index`.
    pub fn directory(&self, index: usize) -> PathBuf {
        self.work.join(index.to_string())
    }
}

/// The result of the whole run.
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
