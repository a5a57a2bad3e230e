//! Tests before programs. In: tests of any kind, programs, the list of the last run. Out: the new
//! list, what bun passes of the same tests, the counts in a summary. What passed once and fails now
//! is an error, unless it is accepted.

use super::flags::Flags;
use super::list::{List, Verdict};
use super::summary::{Row, Summary};
use crate::place;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What was lost is tried so often again, alone, before it counts.
const SECOND_CHANCES: usize = 2;

pub trait Test: Sync {
    fn name(&self) -> &str;

    /// Whether it disturbs others, and runs while no other does.
    fn is_alone(&self) -> bool {
        false
    }

    /// Why a failure is none that somebody must look at.
    fn excuse(&self) -> Option<&'static str> {
        None
    }

    /// Runs it in a folder of its own, which is not there before nor after.
    fn judge(&self, program: Program<'_>, folder: &Path) -> Outcome;
}

/// Who runs the tests, and the globals it may have beyond Node's: names with commas between, or `0`
/// for any.
#[derive(Clone, Copy)]
pub struct Program<'p> {
    pub path: &'p Path,
    pub globals: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    /// The test says so itself.
    Skipped(String),
    Failed(String),
}

/// Runs tests, so many at a time.
pub struct Judge {
    jobs: usize,
    work: PathBuf,
}

/// Tests that stand in one list and one line of a table.
pub struct Area<'a> {
    pub name: &'a str,
    /// Of the list, below `conformance`.
    pub file: String,
    /// So many per cent are wanted.
    pub target: Option<u32>,
    /// Whether node may fail tests that count.
    pub judges_node: bool,
}

impl Judge {
    pub fn new(jobs: usize) -> Judge {
        Judge { jobs, work: std::env::temp_dir().join(format!("rusk-conformance-{}", std::process::id())) }
    }

    pub fn end(self) -> Result<(), String> {
        place::remove(&self.work)
    }

    /// Judges the tests of an area that are not skipped, keeps list and counts. Out: a line for
    /// each test that was lost; then nothing is kept, unless that is accepted.
    #[allow(clippy::print_stdout, reason = "the counts are what was asked for")]
    pub fn keep(
        &self,
        area: &Area<'_>,
        tests: &[&dyn Test],
        skipped: Vec<(String, String)>,
        flags: &Flags,
        summary: &mut Summary,
    ) -> Result<Vec<String>, String> {
        let file = place::root().join("conformance").join(&area.file);
        let before = List::read(&file)?;
        let rusk = Program { path: &flags.rusk, globals: "Bun" };
        let mut list = List::default();
        list.0.extend(skipped.into_iter().map(|(name, why)| (name, Verdict::Skip(why))));
        for (test, outcome) in tests.iter().zip(self.all(rusk, tests)) {
            list.0.insert(test.name().to_owned(), verdict(*test, outcome));
        }
        self.try_again(&mut list, &before, tests, rusk);
        list.keep_reasons(&before);
        let bun = flags.bun.as_deref().map(|path| self.passed(Program { path, globals: "0" }, tests));
        let node = flags.node.as_deref().filter(|_| area.judges_node);
        let node = node.map(|path| self.passed(Program { path, globals: "" }, tests));
        let counts = list.counts();
        println!("{:<20} {:>4} of {:>4}", area.name, counts.passed, counts.counted());
        let lost = list.lost(&before);
        if lost.is_empty() || flags.accept {
            place::write(&file, &list.render())?;
            summary.put(Row { node, bun, ..Row::new(area, counts) });
            summary.write()?;
        }
        Ok(lost.iter().map(|name| lost_line(&list, name)).collect())
    }

    fn passed(&self, program: Program<'_>, tests: &[&dyn Test]) -> usize {
        self.all(program, tests).into_iter().filter(|outcome| *outcome == Outcome::Passed).count()
    }

    /// A busy machine makes slow tests fail.
    fn try_again(&self, list: &mut List, before: &List, tests: &[&dyn Test], rusk: Program<'_>) {
        for name in list.lost(before) {
            let Some(test) = tests.iter().find(|test| test.name() == name) else { continue };
            let passes = |_| test.judge(rusk, &self.work) == Outcome::Passed;
            if (0..SECOND_CHANCES).any(passes) {
                list.0.insert(name, Verdict::Pass);
            }
        }
    }

    /// The outcome of each test; those that disturb others come last, one by one.
    pub fn all(&self, program: Program<'_>, tests: &[&dyn Test]) -> Vec<Outcome> {
        let (together, alone): (Vec<usize>, Vec<usize>) =
            (0..tests.len()).partition(|&index| !tests[index].is_alone());
        let one = |index: usize| tests[index].judge(program, &self.work.join(index.to_string()));
        let mut outcomes: Vec<(usize, Outcome)> =
            self.each(together.len(), |at| (together[at], one(together[at])));
        outcomes.extend(alone.into_iter().map(|index| (index, one(index))));
        outcomes.sort_by_key(|(index, _)| *index);
        outcomes.into_iter().map(|(_, outcome)| outcome).collect()
    }

    /// Does so many things, some at a time; what came of them, in order.
    pub fn each<T: Send>(&self, count: usize, one: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
        std::thread::scope(|scope| {
            for _ in 0..self.jobs {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= count {
                            break;
                        }
                        let came = one(index);
                        done.lock().expect("nobody panics with it").push((index, came));
                    }
                });
            }
        });
        let mut done = done.into_inner().expect("nobody panicked with it");
        done.sort_by_key(|(index, _)| *index);
        done.into_iter().map(|(_, came)| came).collect()
    }

    /// A folder for the thing of this number.
    pub fn folder(&self, index: usize) -> PathBuf {
        self.work.join(index.to_string())
    }
}

/// What the whole run is worth.
pub fn verdict_of(lost: &[String], flags: &Flags) -> Result<(), String> {
    match lost.len() {
        0 => Ok(()),
        _ if flags.accept => Ok(()),
        count => {
            Err(format!("{count} passed before (--accept takes that for granted):\n  {}", lost.join("\n  ")))
        }
    }
}

fn verdict(test: &dyn Test, outcome: Outcome) -> Verdict {
    match (outcome, test.excuse()) {
        (Outcome::Passed, _) => Verdict::Pass,
        (Outcome::Failed(_), Some(excuse)) => Verdict::Fail(excuse.to_owned()),
        (Outcome::Failed(why), None) => Verdict::unseen(&why),
        (Outcome::Skipped(why), _) => Verdict::unseen(&format!("skips itself: {why}")),
    }
}

fn lost_line(list: &List, name: &str) -> String {
    match list.0.get(name) {
        Some(Verdict::Fail(reason)) => format!("{name}: {reason}"),
        _ => format!("{name}: it is no longer there"),
    }
}
