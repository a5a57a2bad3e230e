//! Samples to medians and ratios, to a table and to JSON. A ratio is taken within a round, then its median.

use super::tools::{Scenario, Tool};
use crate::place;
use crate::process::{self, Cost};
use crate::report::{self, Json};
use std::path::Path;

/// One timed run.
#[derive(Clone, Copy)]
pub struct Sample {
    wall_ms: f64,
    cpu_ms: f64,
    peak_mib: f64,
}

impl Sample {
    pub fn of(cost: &Cost) -> Sample {
        let ms = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
        Sample {
            wall_ms: ms(cost.wall),
            cpu_ms: ms(cost.cpu()),
            peak_mib: cost.peak_bytes as f64 / 1_048_576.0,
        }
    }
}

/// One tool in one scenario.
pub struct Row {
    scenario: &'static str,
    tool: &'static str,
    pub samples: Vec<Sample>,
    /// Of one traced run; 0 when it could not be traced.
    pub system_calls: u64,
    pub failure: Option<String>,
}

impl Row {
    pub fn new(scenario: Scenario, tool: &'static str) -> Row {
        Row { scenario: scenario.name(), tool, samples: Vec::new(), system_calls: 0, failure: None }
    }

    /// A tool that could not even be prepared.
    pub fn failed(tool: &'static str, said: String) -> Row {
        Row { scenario: "prepare", tool, samples: Vec::new(), system_calls: 0, failure: Some(said) }
    }

    fn median(&self, of: impl Fn(&Sample) -> f64) -> f64 {
        median(self.samples.iter().map(of).collect())
    }

    /// How many times rusk's wall time, round by round; `None` when rounds are missing.
    fn ratio(&self, rows: &[Row]) -> Option<f64> {
        let rusk = rows.iter().find(|row| row.tool == "rusk" && row.scenario == self.scenario)?;
        if rusk.samples.len() != self.samples.len() || self.samples.is_empty() {
            return None;
        }
        let pairs = self.samples.iter().zip(&rusk.samples);
        Some(median(pairs.map(|(own, rusk)| own.wall_ms / rusk.wall_ms).collect()))
    }

    fn json(&self, rows: &[Row]) -> Json {
        let list = |of: fn(&Sample) -> f64| {
            Json::List(self.samples.iter().map(|sample| Json::number(of(sample))).collect())
        };
        let mut members = vec![
            ("scenario".to_owned(), Json::text(self.scenario)),
            ("tool".to_owned(), Json::text(self.tool)),
            ("wall_ms".to_owned(), list(|sample| sample.wall_ms)),
            ("cpu_ms".to_owned(), list(|sample| sample.cpu_ms)),
            ("peak_mib".to_owned(), list(|sample| sample.peak_mib)),
            ("system_calls".to_owned(), Json::number(self.system_calls as f64)),
        ];
        members.extend(self.ratio(rows).map(|ratio| ("times_rusk".to_owned(), Json::number(ratio))));
        // What follows the first line names folders of this machine and hosts.
        let failure = self.failure.as_deref().map(|said| said.lines().next().unwrap_or_default());
        members.extend(failure.map(|said| ("failure".to_owned(), Json::text(said))));
        Json::Object(members)
    }
}

/// The middle of the sorted numbers; of an even count the lower one of the two. 0 of none.
pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len().saturating_sub(1) / 2).copied().unwrap_or_default()
}

#[allow(clippy::print_stdout, reason = "the table is what was asked for")]
pub fn print(fixture: &str, rows: &[Row]) {
    println!("\n{fixture}");
    println!(
        "{:<10}{:<7}{:>11}{:>11}{:>11}{:>10}{:>8}",
        "", "", "wall ms", "cpu ms", "peak MiB", "calls", "× rusk"
    );
    for row in rows {
        print!("{:<10}{:<7}", row.scenario, row.tool);
        if row.samples.is_empty() {
            let said = row.failure.as_deref().unwrap_or("no sample");
            println!("  {}", said.lines().next().unwrap_or_default());
            continue;
        }
        let (wall, cpu) = (row.median(|sample| sample.wall_ms), row.median(|sample| sample.cpu_ms));
        let peak = row.median(|sample| sample.peak_mib);
        let ratio = row.ratio(rows).map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        println!("{wall:>11.1}{cpu:>11.1}{peak:>11.1}{:>10}{ratio:>8}", row.system_calls);
    }
}

/// Writes `bench/results/install-<fixture>-<file system>.json`.
pub fn keep(fixture: &str, folder: &Path, tools: &[Tool], rows: &[Row]) -> Result<(), String> {
    let version =
        |tool: &Tool| Json::text(process::version(&tool.program).unwrap_or_else(|| "absent".to_owned()));
    let versions = tools.iter().map(|tool| (tool.name.to_owned(), version(tool))).collect();
    let json = Json::object([
        ("date", Json::text(report::today())),
        ("fixture", Json::text(fixture)),
        ("machine", report::machine(folder)),
        ("versions", Json::Object(versions)),
        ("rows", Json::List(rows.iter().map(|row| row.json(rows)).collect())),
    ]);
    let name = format!("bench/results/install-{fixture}-{}.json", report::filesystem(folder));
    place::write(&place::root().join(name), &json.render())
}
