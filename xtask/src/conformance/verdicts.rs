//! Verdict lists, one test a line: `pass NAME`, `fail NAME: reason`, `skip NAME: reason`. In: a
//! list, verdicts of a run. Out: the new list, sorted by name, and the regressions. A reason
//! written by hand is retained as long as the test fails; a generated reason begins with `?` until
//! it is reviewed.

use crate::files;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Before a reason that is not reviewed.
const UNREVIEWED: &str = "? ";

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Pass,
    Fail(String),
    Skip(String),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerdictList(pub BTreeMap<String, Verdict>);

/// How many tests of a list pass, fail and are skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerdictCounts {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
}

impl VerdictList {
    /// A missing list is empty.
    pub fn read(file: &Path) -> Result<VerdictList, String> {
        let text = files::find(file).unwrap_or_default();
        VerdictList::parse(&text).map_err(|message| format!("{}: {message}", file.display()))
    }

    /// An error names the line. Lines are sorted, and each failure has a reason.
    pub fn parse(text: &str) -> Result<VerdictList, String> {
        let mut list = BTreeMap::new();
        for (index, line) in text.lines().enumerate() {
            let wrong = |what: &str| format!("line {}: {what}: `{line}`", index + 1);
            let (verdict, rest) =
                line.split_once(' ').ok_or_else(|| wrong("expected a verdict and a name"))?;
            let (name, reason) = rest.split_once(": ").unwrap_or((rest, ""));
            let verdict = match (verdict, reason.trim_start_matches(UNREVIEWED).trim()) {
                ("pass", "") => Verdict::Pass,
                ("fail" | "skip", "") => return Err(wrong("expected a reason")),
                ("fail", _) => Verdict::Fail(reason.to_owned()),
                ("skip", _) => Verdict::Skip(reason.to_owned()),
                _ => return Err(wrong("expected `pass`, or `fail` or `skip` with a reason")),
            };
            if list.last_key_value().is_some_and(|(last, _): (&String, _)| **last >= *name) {
                return Err(wrong("expected names in order"));
            }
            list.insert(name.to_owned(), verdict);
        }
        Ok(VerdictList(list))
    }

    pub fn render(&self) -> String {
        let mut out = String::new();
        for (name, verdict) in &self.0 {
            let _ = match verdict {
                Verdict::Pass => writeln!(out, "pass {name}"),
                Verdict::Fail(reason) => writeln!(out, "fail {name}: {reason}"),
                Verdict::Skip(reason) => writeln!(out, "skip {name}: {reason}"),
            };
        }
        out
    }

    /// Retains the reviewed reasons of tests that still fail.
    pub fn inherit_reasons(&mut self, before: &VerdictList) {
        for (name, verdict) in &mut self.0 {
            if let (Verdict::Fail(reason), Some(Verdict::Fail(known))) = (verdict, before.0.get(name))
                && !known.starts_with(UNREVIEWED)
            {
                reason.clone_from(known);
            }
        }
    }

    /// Tests that passed before and fail now, or no longer exist.
    pub fn regressions(&self, before: &VerdictList) -> Vec<String> {
        let passed = before.0.iter().filter(|(_, verdict)| **verdict == Verdict::Pass).map(|(name, _)| name);
        let holds =
            |name: &&String| !matches!(self.0.get(*name), Some(Verdict::Pass) | Some(Verdict::Skip(_)));
        passed.filter(holds).cloned().collect()
    }

    pub fn counts(&self) -> VerdictCounts {
        let mut counts = VerdictCounts::default();
        for verdict in self.0.values() {
            match verdict {
                Verdict::Pass => counts.passed += 1,
                Verdict::Fail(_) => counts.failed += 1,
                Verdict::Skip(_) => counts.skipped += 1,
            }
        }
        counts
    }
}

impl VerdictCounts {
    /// Tests that count: those the reference passes.
    pub fn counted(self) -> usize {
        self.passed + self.failed
    }
}

impl Verdict {
    /// A failure whose reason is not reviewed.
    pub fn unreviewed(reason: &str) -> Verdict {
        Verdict::Fail(format!(
            "{UNREVIEWED}{}",
            if reason.is_empty() { "no reason was found" } else { reason }
        ))
    }
}

#[cfg(test)]
mod tests;
