//! System call counts by name, parsed from the output of both tracers, and their ranges over
//! several runs.

use rusk_npm::json::{self, Dialect, Node, Value};
use std::collections::{BTreeMap, BTreeSet};

/// How often a call was made, and how often it failed.
pub type CallCounts = BTreeMap<String, [u64; 2]>;

/// Minimum and maximum over several runs.
#[derive(Default)]
pub struct Ranges {
    runs: u64,
    calls: BTreeMap<String, [[u64; 2]; 2]>,
}

impl Ranges {
    pub fn add(&mut self, counts: &CallCounts) {
        // A call that is missing in a run has a count of zero.
        let first = if self.runs == 0 { None } else { Some([[0, 0]; 2]) };
        for (name, found) in counts {
            let ranges =
                self.calls.entry(name.clone()).or_insert(first.unwrap_or(found.map(|count| [count; 2])));
            for (range, count) in ranges.iter_mut().zip(found) {
                *range = [range[0].min(*count), range[1].max(*count)];
            }
        }
        for (_, ranges) in self.calls.iter_mut().filter(|(name, _)| !counts.contains_key(*name)) {
            ranges.iter_mut().for_each(|range| range[0] = 0);
        }
        self.runs += 1;
    }

    /// Calls whose ranges of counts or errors do not overlap.
    pub fn differing(&self, other: &Ranges) -> Vec<String> {
        let none = [[0, 0]; 2];
        let names: BTreeSet<&String> = self.calls.keys().chain(other.calls.keys()).collect();
        let differs = |name: &&&String| {
            let (own, others) =
                (self.calls.get(**name).unwrap_or(&none), other.calls.get(**name).unwrap_or(&none));
            own.iter().zip(others).any(|(own, others)| own[0] > others[1] || others[0] > own[1])
        };
        let message = |name: &String| {
            let (own, others) =
                (self.calls.get(name).unwrap_or(&none), other.calls.get(name).unwrap_or(&none));
            format!("{name}: {own:?}, strace {others:?}")
        };
        names.iter().filter(differs).map(|name| message(name)).collect()
    }
}

/// The table of `strace -c`, or two of them if there are 32-bit calls: share, seconds, microseconds
/// per call, calls, errors, name.
pub fn of_strace(text: &str) -> CallCounts {
    let mut counts = CallCounts::new();
    for line in text.lines() {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let (calls, errors, name) = match arguments[..] {
            [_, _, _, calls, errors, name] => (calls, errors, name),
            [_, _, _, calls, name] => (calls, "0", name),
            _ => continue,
        };
        if let (Ok(calls), Ok(errors), true) = (calls.parse::<u64>(), errors.parse::<u64>(), name != "total")
        {
            let sums = counts.entry(name.to_owned()).or_default();
            *sums = [sums[0] + calls, sums[1] + errors];
        }
    }
    counts
}

/// The output of `rusk trace --json`: a call that both waits and works is listed twice.
pub fn of_rusk(text: &str) -> Result<CallCounts, String> {
    let root =
        json::parse(text.trim_end(), Dialect::Strict).map_err(|error| format!("no JSON: {error:?}"))?;
    let mut counts = CallCounts::new();
    for call in root.find("calls").map(Node::elements).unwrap_or_default() {
        let name = call.find("name").and_then(Node::as_str).ok_or("a call has no name")?;
        let errors = call.find("errors").map(Node::members).unwrap_or_default();
        let sums = counts.entry(name.to_owned()).or_default();
        sums[0] += call.find("count").map_or(0, number);
        sums[1] += errors.iter().map(|error| number(&error.node)).sum::<u64>();
    }
    Ok(counts)
}

fn number(node: &Node<'_>) -> u64 {
    match node.value {
        Value::Number(digits) => digits.parse().unwrap_or_default(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
