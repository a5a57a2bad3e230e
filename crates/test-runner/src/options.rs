//! Options of a run of tests, from flags and bunfig.toml. Values only.

use std::path::PathBuf;
use std::time::Duration;

use crate::affected::Changes;
use crate::coverage::CoverageOptions;
use crate::protocol::WORKERS_MAX;

/// What to run, and how.
#[derive(Clone, Debug)]
pub struct TestOptions {
    /// Shown paths are relative to it.
    pub current_dir: PathBuf,
    /// Directory that is searched.
    pub root: PathBuf,
    pub filters: Vec<String>,
    pub path_ignore_patterns: Vec<String>,
    pub timeout_ms: f64,
    pub updates_snapshots: bool,
    pub is_ci: bool,
    pub rerun_each: u32,
    pub retry: u32,
    pub runs_todo: bool,
    pub only_marked: bool,
    pub passes_without_tests: bool,
    pub is_concurrent: bool,
    pub concurrent_test_glob: Vec<String>,
    pub max_concurrency: u32,
    /// Shuffles files and tests.
    pub seed: Option<u32>,
    /// Stop after this number of failures.
    pub bail: Option<u32>,
    pub name_pattern: Option<String>,
    pub preloads: Vec<String>,
    pub is_isolated: bool,
    /// Processes at a time; `None`: as many as there are processors.
    pub parallel: Option<u32>,
    /// How long the first worker runs files before the others are started; `None`: so long that
    /// they are worth it.
    pub parallel_delay: Option<Duration>,
    /// The run ends with the process that has started it, and what tests have started ends with
    /// it.
    pub leaves_no_orphans: bool,
    pub shard: Option<Shard>,
    pub timings: Vec<PathBuf>,
    pub updates_timings: bool,
    pub reporters: ReporterOptions,
    /// Run only test files that depend on a change.
    pub changes: Option<Changes>,
    /// `None`: nothing is counted.
    pub coverage: Option<CoverageOptions>,
}

/// The I-th of N parts of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    pub index: u32,
    pub count: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConsoleReporter {
    #[default]
    Lines,
    Dots,
    Tap,
    /// One JSON document.
    Json,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReporterOptions {
    pub console: ConsoleReporter,
    /// Print failures only.
    pub only_failures: bool,
    /// Print failures only, and nothing at all if there are none.
    pub is_silent: bool,
    /// Annotations for GitHub Actions.
    pub github: bool,
    pub junit: Option<PathBuf>,
}

impl Shard {
    /// `2/4`.
    pub fn parse(text: &str) -> Option<Shard> {
        let (index, count) = text.split_once('/')?;
        let shard = Shard { index: index.parse().ok()?, count: count.parse().ok()? };
        (1..=shard.count).contains(&shard.index).then_some(shard)
    }
}

/// `50%` of the processors, as jest counts workers; at least one. `None`: the text is no share.
pub fn worker_share(text: &str, processors: usize) -> Option<u32> {
    let percent: usize = text.strip_suffix('%')?.parse().ok()?;
    let count = processors.checked_mul(percent)? / 100;
    Some(count.clamp(1, WORKERS_MAX) as u32)
}

#[cfg(test)]
mod tests;
