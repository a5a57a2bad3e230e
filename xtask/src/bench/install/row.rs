//! One tool in one scenario: its samples, and what is computed from them. A ratio is taken within a
//! round, then the median of those. In: timed runs, or a stored row. Out: JSON, medians, ratios.

use super::brake::Passed;
use super::tree::Tree;
use crate::bench::median::median;
use crate::bench::stored;
use crate::process::Cost;
use crate::report::Json;
use rusk_npm::json::Node;
use std::time::Duration;

/// One timed run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    pub wall_ms: f64,
    pub cpu_ms: f64,
    pub peak_mib: f64,
    /// Through the brake.
    pub passed: Option<Passed>,
}

impl Sample {
    pub fn of(cost: &Cost, passed: Option<Passed>) -> Sample {
        // As fine as it is stored, so that a ratio is the same before and after.
        let ms = |time: Duration| time.as_micros() as f64 / 1000.0;
        let peak_mib = (cost.peak_bytes as f64 / 1024.0).round() / 1024.0;
        Sample { wall_ms: ms(cost.wall), cpu_ms: ms(cost.cpu()), peak_mib, passed }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub scenario: String,
    pub tool: String,
    /// When its run began: only rows of one run are compared.
    pub run: String,
    pub samples: Vec<Sample>,
    /// Of one traced run.
    pub system_calls: Option<u64>,
    pub tree: Tree,
    pub failure: Option<String>,
}

impl Row {
    pub fn new(scenario: &str, tool: &str, run: &str) -> Row {
        Row {
            scenario: scenario.to_owned(),
            tool: tool.to_owned(),
            run: run.to_owned(),
            samples: Vec::new(),
            system_calls: None,
            tree: Tree::default(),
            failure: None,
        }
    }

    pub fn is(&self, scenario: &str, tool: &str) -> bool {
        self.scenario == scenario && self.tool == tool
    }

    /// Whether it has numbers and did what was asked.
    pub fn is_whole(&self) -> bool {
        self.failure.is_none() && !self.samples.is_empty()
    }

    pub fn list(&self, of: fn(&Sample) -> f64) -> Vec<f64> {
        self.samples.iter().map(of).collect()
    }

    pub fn median(&self, of: fn(&Sample) -> f64) -> f64 {
        median(self.list(of))
    }

    /// How many times another row's, over the rounds that both have; `None` where they are not of
    /// one run.
    pub fn ratio(&self, other: &Row, of: fn(&Sample) -> f64) -> Option<f64> {
        if self.run != other.run || !self.is_whole() || !other.is_whole() {
            return None;
        }
        let pairs = self.samples.iter().zip(&other.samples);
        Some(median(pairs.map(|(own, other)| of(own) / of(other)).collect()))
    }

    pub fn json(&self) -> Json {
        let list = |of: fn(&Sample) -> f64| {
            Json::List(self.samples.iter().map(|sample| Json::number(of(sample))).collect())
        };
        let mut members = vec![
            ("scenario", Json::text(self.scenario.as_str())),
            ("tool", Json::text(self.tool.as_str())),
            ("run", Json::text(self.run.as_str())),
            ("wall_ms", list(wall)),
            ("cpu_ms", list(cpu)),
            ("peak_mib", list(peak)),
        ];
        if self.samples.iter().any(|sample| sample.passed.is_some()) {
            members.push(("bytes", list(|sample| sample.passed.unwrap_or_default().bytes as f64)));
            members
                .push(("connections", list(|sample| sample.passed.unwrap_or_default().connections as f64)));
        }
        members.extend(self.system_calls.map(|calls| ("system_calls", Json::number(calls as f64))));
        let number = |number: u64| Json::number(number as f64);
        let Tree { packages, files, folders, links } = self.tree;
        let tree = [("packages", packages), ("files", files), ("folders", folders), ("links", links)];
        members.push(("tree", Json::line(tree.map(|(name, count)| (name, number(count))))));
        members.extend(self.failure.as_deref().map(|said| ("failure", Json::text(said))));
        Json::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// A stored row.
    pub fn read(node: &Node<'_>) -> Row {
        let numbers = |key| node.find(key).map(stored::numbers).unwrap_or_default();
        let at = |list: &[f64], index: usize| list.get(index).copied().unwrap_or_default();
        let (cpu, peak, bytes, connections) =
            (numbers("cpu_ms"), numbers("peak_mib"), numbers("bytes"), numbers("connections"));
        let sample = |(index, wall_ms)| {
            let passed =
                Passed { bytes: at(&bytes, index) as u64, connections: at(&connections, index) as u64 };
            let passed = (index < bytes.len()).then_some(passed);
            Sample { wall_ms, cpu_ms: at(&cpu, index), peak_mib: at(&peak, index), passed }
        };
        let count = |node: Option<&Node<'_>>| node.and_then(stored::number).map(|count| count as u64);
        let part = |key| count(node.find("tree").and_then(|tree| tree.find(key))).unwrap_or_default();
        Row {
            scenario: stored::text(node, "scenario"),
            tool: stored::text(node, "tool"),
            run: stored::text(node, "run"),
            samples: numbers("wall_ms").into_iter().enumerate().map(sample).collect(),
            system_calls: count(node.find("system_calls")),
            tree: Tree {
                packages: part("packages"),
                files: part("files"),
                folders: part("folders"),
                links: part("links"),
            },
            failure: node.find("failure").and_then(Node::as_str).map(str::to_owned),
        }
    }
}

pub fn wall(sample: &Sample) -> f64 {
    sample.wall_ms
}

pub fn cpu(sample: &Sample) -> f64 {
    sample.cpu_ms
}

pub fn peak(sample: &Sample) -> f64 {
    sample.peak_mib
}

#[cfg(test)]
mod tests;
