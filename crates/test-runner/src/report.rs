//! Report of a run: what each file did, and the sums. In: events of files, as they end. Out:
//! counts, the slowest files, whether all passed. Absent: printing ([`crate::reporter`]).

use std::rc::Rc;
use std::time::Duration;

use crate::event::{ErrorReport, FileSummary, SnapshotCounts, Status, TestResult};
use crate::obsolete_snapshots::ObsoleteSnapshots;

/// What one file did.
#[derive(Clone, Debug, Default)]
pub struct FileReport {
    /// Relative to the current directory.
    pub path: String,
    pub tests: Vec<Rc<TestResult>>,
    pub errors: Vec<FileError>,
    pub summary: FileSummary,
    pub duration: Duration,
    /// The run has ended before the file did.
    pub is_unfinished: bool,
    /// The test that ran then.
    pub running: Option<Vec<String>>,
}

/// An error that belongs to no test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileError {
    pub error: ErrorReport,
    /// The hook in which it occurred.
    pub place: Option<String>,
    pub kind: FileErrorKind,
    /// The test that ran when the process ended.
    pub test: Option<Vec<String>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileErrorKind {
    /// Thrown between tests, or by a hook.
    #[default]
    Uncaught,
    /// The file's tests did not run.
    Load,
    /// The process ended: a signal, `process.exit`, or the runner, because the file blocked.
    Crash,
}

/// Counts of tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub pass: u64,
    pub fail: u64,
    pub skip: u64,
    pub todo: u64,
    pub filtered: u64,
    /// Errors that belong to no test.
    pub errors: u64,
    pub assertions: u64,
    pub snapshots: SnapshotCounts,
    pub files: u64,
}

/// What all files did.
#[derive(Debug, Default)]
pub struct RunReport {
    pub files: Vec<FileReport>,
    pub counts: Counts,
    pub duration: Duration,
    /// The number of failures that ended the run early.
    pub bailed_after: Option<u32>,
    /// The signal that ended the run early.
    pub interrupted_by: Option<i32>,
    pub seed: Option<u32>,
    /// Paths of files that have changed their global objects, as far as that was looked at.
    pub changed: Vec<String>,
    /// Of a run of all test files.
    pub obsolete_snapshots: ObsoleteSnapshots,
    /// Coverage that is below its threshold: what, its part, the threshold.
    pub uncovered: Vec<(&'static str, f64, f64)>,
}

/// Files shown as the slowest.
const SLOWEST_MAX: usize = 5;

impl Counts {
    pub fn add(&mut self, result: &TestResult) {
        *match result.status {
            Status::Pass => &mut self.pass,
            Status::Fail => &mut self.fail,
            Status::Skip => &mut self.skip,
            Status::Todo => &mut self.todo,
            Status::Filtered => &mut self.filtered,
        } += 1;
    }

    pub fn add_file(&mut self, summary: &FileSummary) {
        self.assertions += summary.assertions;
        let sums = [
            (&mut self.snapshots.added, summary.snapshots.added),
            (&mut self.snapshots.updated, summary.snapshots.updated),
            (&mut self.snapshots.matched, summary.snapshots.matched),
            (&mut self.snapshots.unmatched, summary.snapshots.unmatched),
            (&mut self.snapshots.removed, summary.snapshots.removed),
        ];
        for (sum, count) in sums {
            *sum += count;
        }
        self.snapshots.obsolete.extend(summary.snapshots.obsolete.iter().cloned());
    }

    /// Tests that ran, or would.
    pub fn total(&self) -> u64 {
        self.pass + self.fail + self.skip + self.todo
    }
}

impl RunReport {
    pub fn has_passed(&self) -> bool {
        let is_whole = self.interrupted_by.is_none();
        is_whole && self.counts.fail == 0 && self.counts.errors == 0 && self.uncovered.is_empty()
    }

    /// The first `process.exitCode` of a file that is not 0: without a failure it is that of the
    /// run, as in bun.
    pub fn exit_code(&self) -> u8 {
        self.files.iter().map(|file| file.summary.exit_code).find(|code| *code != 0).unwrap_or_default()
    }

    /// The files that took longest, the slowest first.
    pub fn slowest(&self) -> Vec<&FileReport> {
        let mut files: Vec<&FileReport> = self.files.iter().collect();
        files.sort_by(|one, other| other.duration.cmp(&one.duration).then_with(|| one.path.cmp(&other.path)));
        files.truncate(SLOWEST_MAX);
        files
    }
}
