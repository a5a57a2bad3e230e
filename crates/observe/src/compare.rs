//! Comparison of two reports. In: the system calls of both. Out: counts and times side by side, the
//! largest difference of time first. Absent: reading of report files.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::table::time;

/// The part of a stored report that is compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredReport {
    pub command: String,
    pub wall_ns: u64,
    pub calls: Vec<StoredSyscall>,
}

/// One system call of a stored report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredSyscall {
    pub name: String,
    pub waits: bool,
    pub count: u64,
    pub errors: u64,
    pub total_ns: u64,
}

/// One system call in both reports; zero where it is absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyscallPair {
    pub name: String,
    pub waits: bool,
    pub before: StoredSyscall,
    pub after: StoredSyscall,
}

/// The system calls of both; those that do not wait first, and by descending difference of time.
pub fn pairs(before: &StoredReport, after: &StoredReport) -> Vec<SyscallPair> {
    let mut pairs: BTreeMap<(bool, &str), [StoredSyscall; 2]> = BTreeMap::new();
    for (side, stored) in [before, after].into_iter().enumerate() {
        for sum in &stored.calls {
            pairs.entry((sum.waits, &sum.name)).or_default()[side] = sum.clone();
        }
    }
    let mut pairs: Vec<SyscallPair> = pairs
        .into_iter()
        .map(|((waits, name), [before, after])| SyscallPair { name: name.to_owned(), waits, before, after })
        .collect();
    pairs.sort_by_key(|pair| {
        (pair.waits, std::cmp::Reverse(pair.before.total_ns.abs_diff(pair.after.total_ns)))
    });
    pairs
}

/// The comparison as plain text in 80 columns.
pub fn text(before: &StoredReport, after: &StoredReport) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "A {}: {}", rusk_base::problem::printable(&before.command), time(before.wall_ns));
    let _ = writeln!(out, "B {}: {}", rusk_base::problem::printable(&after.command), time(after.wall_ns));
    let pairs = pairs(before, after);
    for (title, waits) in [("works", false), ("waits", true)] {
        let rows: Vec<&SyscallPair> = pairs.iter().filter(|pair| pair.waits == waits).collect();
        if rows.is_empty() {
            continue;
        }
        let _ = writeln!(
            out,
            "\n{title:<20} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
            "calls A", "B", "errors A", "B", "time A", "B"
        );
        for pair in rows {
            let (before, after) = (&pair.before, &pair.after);
            let _ = writeln!(
                out,
                "{:<20} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
                rusk_base::problem::printable(&pair.name),
                before.count,
                after.count,
                before.errors,
                after.errors,
                time(before.total_ns),
                time(after.total_ns),
            );
        }
    }
    let sum = |stored: &StoredReport| -> (u64, u64) {
        let count = stored.calls.iter().map(|call| call.count).sum();
        (count, stored.calls.iter().filter(|call| !call.waits).map(|call| call.total_ns).sum())
    };
    let ((count_a, work_a), (count_b, work_b)) = (sum(before), sum(after));
    let _ = writeln!(out, "\ncalls {count_a} and {count_b}, work {} and {}", time(work_a), time(work_b));
    out
}

#[cfg(test)]
mod tests;
