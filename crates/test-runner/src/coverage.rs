//! Coverage of a run: counts of all processes, by file. In: what test files have sent, the sources.
//! Out: lines, functions and branches of each file, reports, and what is below its threshold.
//! Absent: counting (`rusk_transpile::instrument`, in workers).

pub mod html;
pub mod lcov;
pub mod table;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusk_npm::json::{self, Dialect, Node, Value};
use rusk_transpile::{CoveragePoint, Language, instrument};

use crate::discovery;

/// A larger source is generated code.
const SOURCE_BYTES_MAX: u64 = 32 * 1024 * 1024;

/// Counters of one file; a source that has more was not counted by a worker.
const COUNTERS_MAX: usize = 4_000_000;

/// Settings of coverage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CoverageOptions {
    pub reporters: Vec<CoverageReporter>,
    /// Directory of report files.
    pub dir: PathBuf,
    /// Globs of paths, relative to the root.
    pub ignored: Vec<String>,
    pub threshold: CoverageThresholds,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoverageReporter {
    Text,
    Lcov,
    Html,
}

/// Parts of 1 that must be covered in all files together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CoverageThresholds {
    pub lines: Option<f64>,
    pub functions: Option<f64>,
    pub branches: Option<f64>,
}

/// What was executed of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileCoverage {
    /// Relative to the root.
    pub path: String,
    pub source: String,
    /// By line, how often a statement that begins there ran.
    pub lines: BTreeMap<u32, u64>,
    pub functions: Vec<CoveredFunction>,
    pub branches: Vec<CoveredArm>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoveredFunction {
    pub name: String,
    pub line: u32,
    pub count: u64,
}

/// One way of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoveredArm {
    pub line: u32,
    pub group: u32,
    pub count: u64,
}

/// How much of something was executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoveredPart {
    pub covered: usize,
    pub total: usize,
}

/// Lines, functions and branches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoverageSums {
    pub lines: CoveredPart,
    pub functions: CoveredPart,
    pub branches: CoveredPart,
}

/// Counts by path, as they arrive.
#[derive(Debug, Default)]
pub struct CoverageCounts(BTreeMap<PathBuf, Vec<u64>>);

impl CoverageCounts {
    /// Adds what a test file has sent: `[[path, length, [counter, count, …]], …]`. What has another
    /// form is left out: other people's code can write it.
    pub fn add(&mut self, text: &str) {
        let Ok(root) = json::parse(text, Dialect::Strict) else { return };
        for file in root.elements() {
            let [path, length, counts] = file.elements() else { continue };
            let (Some(path), Some(length)) = (path.as_str(), integer(length)) else { continue };
            if length as usize > COUNTERS_MAX {
                continue;
            }
            let sums = self.0.entry(PathBuf::from(path)).or_default();
            sums.resize(sums.len().max(length as usize), 0);
            let (pairs, _) = counts.elements().as_chunks::<2>();
            for [counter, count] in pairs {
                let (Some(counter), Some(count)) = (integer(counter), integer(count)) else { continue };
                if let Some(sum) = sums.get_mut(counter as usize) {
                    *sum = sum.saturating_add(count);
                }
            }
        }
    }

    /// The files that are reported: not those that are ignored, changed or gone.
    pub fn files(&self, root: &Path, options: &CoverageOptions) -> Vec<FileCoverage> {
        let file = |(path, counts): (&PathBuf, &Vec<u64>)| {
            let relative = path.strip_prefix(root).ok()?.to_str()?;
            let is_ignored = options.ignored.iter().any(|glob| discovery::matches_path(glob, relative));
            if is_ignored {
                return None;
            }
            FileCoverage::read(path, relative, counts)
        };
        self.0.iter().filter_map(file).collect()
    }
}

fn integer(node: &Node<'_>) -> Option<u64> {
    match &node.value {
        Value::Number(digits) => digits.parse().ok(),
        _ => None,
    }
}

impl FileCoverage {
    fn read(path: &Path, relative: &str, counts: &[u64]) -> Option<FileCoverage> {
        if path.metadata().ok()?.len() > SOURCE_BYTES_MAX {
            return None;
        }
        let source = std::fs::read_to_string(path).ok()?;
        let language = path.extension().and_then(|end| end.to_str()).and_then(Language::of_extension)?;
        let points = instrument(&source, language, "").ok()?.points;
        if points.len() != counts.len() {
            return None;
        }
        let mut file = FileCoverage { path: relative.to_owned(), source, ..FileCoverage::default() };
        for (point, count) in points.into_iter().zip(counts.iter().copied()) {
            match point {
                CoveragePoint::Statement { line } => {
                    let most = file.lines.entry(line).or_default();
                    *most = count.max(*most);
                }
                CoveragePoint::Function { name, line } => {
                    file.functions.push(CoveredFunction { name, line, count });
                }
                CoveragePoint::Branch { line, group } => {
                    file.branches.push(CoveredArm { line, group, count });
                }
            }
        }
        Some(file)
    }

    pub fn sums(&self) -> CoverageSums {
        CoverageSums {
            lines: CoveredPart::of(self.lines.values().copied()),
            functions: CoveredPart::of(self.functions.iter().map(|function| function.count)),
            branches: CoveredPart::of(self.branches.iter().map(|arm| arm.count)),
        }
    }

    /// Lines that did not run, as bun shows them: `5,7-9`.
    pub fn uncovered_lines(&self) -> String {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        let mut previous_is_uncovered = false;
        for (line, count) in &self.lines {
            match ranges.last_mut() {
                _ if *count > 0 => {}
                // Lines without statements in between do not end a range.
                Some((_, end)) if previous_is_uncovered => *end = *line,
                _ => ranges.push((*line, *line)),
            }
            previous_is_uncovered = *count == 0;
        }
        let shown = ranges.iter().map(|(start, end)| match start == end {
            true => start.to_string(),
            false => format!("{start}-{end}"),
        });
        shown.collect::<Vec<_>>().join(",")
    }
}

impl CoveredPart {
    fn of(counts: impl Iterator<Item = u64>) -> CoveredPart {
        let mut part = CoveredPart::default();
        for count in counts {
            part.total += 1;
            part.covered += usize::from(count > 0);
        }
        part
    }

    /// From 0 to 1; of nothing, all is covered.
    pub fn ratio(self) -> f64 {
        if self.total == 0 { 1.0 } else { self.covered as f64 / self.total as f64 }
    }
}

impl CoverageSums {
    pub fn all(files: &[FileCoverage]) -> CoverageSums {
        let mut sums = CoverageSums::default();
        for file in files.iter().map(FileCoverage::sums) {
            for (sum, part) in [
                (&mut sums.lines, file.lines),
                (&mut sums.functions, file.functions),
                (&mut sums.branches, file.branches),
            ] {
                sum.covered += part.covered;
                sum.total += part.total;
            }
        }
        sums
    }

    /// What is below its threshold: name, part, threshold.
    pub fn below(&self, thresholds: CoverageThresholds) -> Vec<(&'static str, f64, f64)> {
        let parts = [
            ("lines", self.lines, thresholds.lines),
            ("functions", self.functions, thresholds.functions),
            ("branches", self.branches, thresholds.branches),
        ];
        let below = |(name, part, threshold): (&'static str, CoveredPart, Option<f64>)| {
            threshold.filter(|threshold| part.ratio() < *threshold).map(|limit| (name, part.ratio(), limit))
        };
        parts.into_iter().filter_map(below).collect()
    }
}
