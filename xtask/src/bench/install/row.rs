//! Samples of one tool in one scenario, and statistics over them. A ratio is computed per round,
//! then the median of the ratios. In: timed runs, or a stored row. Out: JSON, medians, ratios.

use super::throttle::Traffic;
use super::tree::Tree;
use crate::bench::median::median;
use crate::bench::results_file;
use crate::process::ResourceUsage;
use crate::report::Json;
use rusk_npm::json::Node;
use std::time::Duration;

/// One timed run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InstallSample {
    pub wall_ms: f64,
    pub cpu_ms: f64,
    pub peak_mib: f64,
    /// Bytes and connections through the throttling proxy.
    pub traffic: Option<Traffic>,
}

impl InstallSample {
    pub fn of(cost: &ResourceUsage, traffic: Option<Traffic>) -> InstallSample {
        // Rounded as stored, so that a ratio is the same before and after.
        let ms = |time: Duration| time.as_micros() as f64 / 1000.0;
        let peak_mib = (cost.peak_bytes as f64 / 1024.0).round() / 1024.0;
        InstallSample { wall_ms: ms(cost.wall), cpu_ms: ms(cost.cpu()), peak_mib, traffic }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct InstallRow {
    pub scenario: String,
    pub tool: String,
    /// When its run started: only rows of one run are compared.
    pub run: String,
    pub samples: Vec<InstallSample>,
    /// Of one traced run.
    pub system_calls: Option<u64>,
    pub tree: Tree,
    pub failure: Option<String>,
}

impl InstallRow {
    pub fn new(scenario: &str, tool: &str, run: &str) -> InstallRow {
        InstallRow {
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

    /// Whether it has samples and no failure.
    pub fn is_complete(&self) -> bool {
        self.failure.is_none() && !self.samples.is_empty()
    }

    pub fn list(&self, of: fn(&InstallSample) -> f64) -> Vec<f64> {
        self.samples.iter().map(of).collect()
    }

    pub fn median(&self, of: fn(&InstallSample) -> f64) -> f64 {
        median(self.list(of))
    }

    /// Median ratio to another row, over the rounds that both have; `None` if they are of different
    /// runs.
    pub fn ratio(&self, other: &InstallRow, of: fn(&InstallSample) -> f64) -> Option<f64> {
        if self.run != other.run || !self.is_complete() || !other.is_complete() {
            return None;
        }
        let pairs = self.samples.iter().zip(&other.samples);
        Some(median(pairs.map(|(own, other)| of(own) / of(other)).collect()))
    }

    pub fn json(&self) -> Json {
        let list = |of: fn(&InstallSample) -> f64| {
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
        if self.samples.iter().any(|sample| sample.traffic.is_some()) {
            members.push(("bytes", list(|sample| sample.traffic.unwrap_or_default().bytes as f64)));
            members
                .push(("connections", list(|sample| sample.traffic.unwrap_or_default().connections as f64)));
        }
        members.extend(self.system_calls.map(|calls| ("system_calls", Json::number(calls as f64))));
        let number = |number: u64| Json::number(number as f64);
        let Tree { packages, files, directories, links } = self.tree;
        let tree = [("packages", packages), ("files", files), ("folders", directories), ("links", links)];
        members.push(("tree", Json::line(tree.map(|(name, count)| (name, number(count))))));
        members.extend(self.failure.as_deref().map(|message| ("failure", Json::text(message))));
        Json::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// A stored row.
    pub fn read(node: &Node<'_>) -> InstallRow {
        let numbers = |key| node.find(key).map(results_file::numbers).unwrap_or_default();
        let at = |list: &[f64], index: usize| list.get(index).copied().unwrap_or_default();
        let (cpu, peak, bytes, connections) =
            (numbers("cpu_ms"), numbers("peak_mib"), numbers("bytes"), numbers("connections"));
        let sample = |(index, wall_ms)| {
            let traffic =
                Traffic { bytes: at(&bytes, index) as u64, connections: at(&connections, index) as u64 };
            let traffic = (index < bytes.len()).then_some(traffic);
            InstallSample { wall_ms, cpu_ms: at(&cpu, index), peak_mib: at(&peak, index), traffic }
        };
        let count = |node: Option<&Node<'_>>| node.and_then(results_file::number).map(|count| count as u64);
        let part = |key| count(node.find("tree").and_then(|tree| tree.find(key))).unwrap_or_default();
        InstallRow {
            scenario: results_file::text(node, "scenario"),
            tool: results_file::text(node, "tool"),
            run: results_file::text(node, "run"),
            samples: numbers("wall_ms").into_iter().enumerate().map(sample).collect(),
            system_calls: count(node.find("system_calls")),
            tree: Tree {
                packages: part("packages"),
                files: part("files"),
                directories: part("folders"),
                links: part("links"),
            },
            failure: node.find("failure").and_then(Node::as_str).map(str::to_owned),
        }
    }
}

pub fn wall(sample: &InstallSample) -> f64 {
    sample.wall_ms
}

pub fn cpu(sample: &InstallSample) -> f64 {
    sample.cpu_ms
}

pub fn peak(sample: &InstallSample) -> f64 {
    sample.peak_mib
}

#[cfg(test)]
mod tests;
