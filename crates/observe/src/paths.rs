//! Path lookups of a trace: which paths were looked up, how often, and how often without success.
//! In: a path, an operation, the result. Out: counts by path, and the most frequent ones. The
//! caller limits the number of paths.

use std::collections::HashMap;

use crate::syscalls::PathOperation;

/// Errors of a path that does not exist.
const ENOENT: i64 = -2;
const ENOTDIR: i64 = -20;
/// `readlink(2)` of a file that is not a symbolic link.
const EINVAL: i64 = -22;

/// The result of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Found,
    /// The path does not exist.
    NotFound,
    /// `readlink` of a file that is not a symbolic link: the path exists, and the lookup failed.
    NotALink,
    /// Another error, which does not show whether the path exists.
    Refused,
}

/// The counts of one path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathStats {
    /// Lookups by operation: open, stat, readlink.
    pub lookups: [u64; 3],
    /// Failed lookups.
    pub failed: [u64; 3],
    /// Whether it existed at any time.
    pub exists: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Paths {
    paths: HashMap<Box<str>, PathStats>,
    /// Lookups of paths beyond the limit.
    pub dropped: u64,
}

/// A path and its count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathCount {
    pub path: String,
    pub count: u64,
}

/// The three operations that are counted, in the order of [`PathStats`].
pub const OPERATIONS: [PathOperation; 3] =
    [PathOperation::Open, PathOperation::Stat, PathOperation::Readlink];

impl Outcome {
    pub fn of(operation: PathOperation, result: i64) -> Outcome {
        match result {
            0.. => Outcome::Found,
            ENOENT | ENOTDIR => Outcome::NotFound,
            EINVAL if operation == PathOperation::Readlink => Outcome::NotALink,
            _ => Outcome::Refused,
        }
    }
}

impl Paths {
    /// Counts a lookup. `may_grow`: whether a new path may be added. Returns whether one was.
    pub fn add(&mut self, path: &str, operation: PathOperation, outcome: Outcome, may_grow: bool) -> bool {
        let Some(index) = OPERATIONS.iter().position(|other| *other == operation) else { return false };
        let is_new = !self.paths.contains_key(path);
        if is_new && !may_grow {
            self.dropped += 1;
            return false;
        }
        if is_new {
            self.paths.insert(path.into(), PathStats::default());
        }
        let stats = self.paths.get_mut(path).expect("it is there by now");
        stats.lookups[index] += 1;
        stats.failed[index] += u64::from(matches!(outcome, Outcome::NotFound | Outcome::NotALink));
        stats.exists |= matches!(outcome, Outcome::Found | Outcome::NotALink);
        is_new
    }

    pub fn merge(&mut self, other: &Paths) {
        for (path, others) in &other.paths {
            let stats = self.paths.entry(path.clone()).or_default();
            for index in 0..OPERATIONS.len() {
                stats.lookups[index] += others.lookups[index];
                stats.failed[index] += others.failed[index];
            }
            stats.exists |= others.exists;
        }
        self.dropped += other.dropped;
    }

    /// The `count` paths that were looked up most often.
    pub fn top(&self, operation: PathOperation, count: usize) -> Vec<PathCount> {
        self.first(count, |stats| index(operation).map_or(0, |index| stats.lookups[index]))
    }

    /// The `count` paths with the most failed lookups.
    pub fn top_failed(&self, operation: PathOperation, count: usize) -> Vec<PathCount> {
        self.first(count, |stats| index(operation).map_or(0, |index| stats.failed[index]))
    }

    /// Lookups and failed lookups of one operation.
    pub fn sums(&self, operation: PathOperation) -> (u64, u64) {
        let Some(index) = index(operation) else { return (0, 0) };
        self.paths.values().fold((0, 0), |(lookups, failed), stats| {
            (lookups + stats.lookups[index], failed + stats.failed[index])
        })
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &PathStats)> {
        self.paths.iter().map(|(path, stats)| (&**path, stats))
    }

    fn first(&self, count: usize, of: impl Fn(&PathStats) -> u64) -> Vec<PathCount> {
        let mut all: Vec<PathCount> = self
            .iter()
            .map(|(path, stats)| PathCount { path: path.to_owned(), count: of(stats) })
            .filter(|found| found.count > 0)
            .collect();
        all.sort_by(|left, right| right.count.cmp(&left.count).then_with(|| left.path.cmp(&right.path)));
        all.truncate(count);
        all
    }
}

fn index(operation: PathOperation) -> Option<usize> {
    OPERATIONS.iter().position(|other| *other == operation)
}

#[cfg(test)]
mod tests;
