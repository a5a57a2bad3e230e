//! Two reports beside each other. In: what each said of its calls. Out: calls with both counts and
//! times, the largest difference of time first. Absent: where reports come from; these are values.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::table::time;

/// What a stored report says, as much of it as is compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    pub command: String,
    pub wall_ns: u64,
    pub calls: Vec<Sum>,
}

/// One call of a stored report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    pub name: String,
    pub waits: bool,
    pub count: u64,
    pub errors: u64,
    pub total_ns: u64,
}

/// One call in both; what is absent is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    pub name: String,
    pub waits: bool,
    pub before: Sum,
    pub after: Sum,
}

/// Every call of both, those that work first; within them the largest difference of time first.
pub fn pairs(before: &Stored, after: &Stored) -> Vec<Pair> {
    let mut pairs: BTreeMap<(bool, &str), [Sum; 2]> = BTreeMap::new();
    for (side, stored) in [before, after].into_iter().enumerate() {
        for sum in &stored.calls {
            pairs.entry((sum.waits, &sum.name)).or_default()[side] = sum.clone();
        }
    }
    let mut pairs: Vec<Pair> = pairs
        .into_iter()
        .map(|((waits, name), [before, after])| Pair { name: name.to_owned(), waits, before, after })
        .collect();
    pairs.sort_by_key(|pair| {
        (pair.waits, std::cmp::Reverse(pair.before.total_ns.abs_diff(pair.after.total_ns)))
    });
    pairs
}

/// The comparison as text in 80 columns. Calls that are the same in number and in time are left
/// out.
pub fn text(before: &Stored, after: &Stored) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "A {}: {}", rusk_base::problem::printable(&before.command), time(before.wall_ns));
    let _ = writeln!(out, "B {}: {}", rusk_base::problem::printable(&after.command), time(after.wall_ns));
    let pairs = pairs(before, after);
    for (title, waits) in [("works", false), ("waits", true)] {
        let rows: Vec<&Pair> = pairs.iter().filter(|pair| pair.waits == waits).collect();
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
    let sum = |stored: &Stored| -> (u64, u64) {
        let count = stored.calls.iter().map(|call| call.count).sum();
        (count, stored.calls.iter().filter(|call| !call.waits).map(|call| call.total_ns).sum())
    };
    let ((count_a, work_a), (count_b, work_b)) = (sum(before), sum(after));
    let _ = writeln!(out, "\ncalls {count_a} and {count_b}, work {} and {}", time(work_a), time(work_b));
    out
}

#[cfg(test)]
mod tests;
