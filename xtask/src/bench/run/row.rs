//! Rows of `bench run`: samples of a tool in a case, their JSON, and performance targets. Times in
//! milliseconds.

use crate::bench::median::median;
use crate::bench::results_file::{numbers, text};
use crate::report::Json;
use rusk_npm::json::Node;
use std::time::Duration;

/// The script's program, started by the harness itself.
pub const DIRECT: &str = "direct";

/// What kind of script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptCase {
    /// A program and its arguments.
    Words,
    /// An environment variable and a condition.
    Shell,
}

impl ScriptCase {
    pub const ALL: &[ScriptCase] = &[ScriptCase::Words, ScriptCase::Shell];

    /// The script's name in package.json and in results.
    pub fn script(self) -> &'static str {
        match self {
            ScriptCase::Words => "words",
            ScriptCase::Shell => "shell",
        }
    }

    pub fn description(self) -> &'static str {
        match self {
            ScriptCase::Words => "simple command",
            ScriptCase::Shell => "needs a shell",
        }
    }
}

/// One run; times from the start of the tool.
#[derive(Clone, Copy, Default)]
pub struct RunSample {
    /// When the script's program executes its first instruction.
    pub began: Duration,
    /// When the tool exits.
    pub ended: Duration,
    /// Of the tool and the children it waited for.
    pub cpu: Duration,
}

/// One tool in one case.
pub struct RunRow {
    pub case: ScriptCase,
    pub tool: String,
    pub samples: Vec<RunSample>,
    pub failure: Option<String>,
}

impl RunRow {
    pub fn new(case: ScriptCase, tool: &str) -> RunRow {
        RunRow { case, tool: tool.to_owned(), samples: Vec::new(), failure: None }
    }

    fn list_ms(&self, of: impl Fn(&RunSample) -> Duration) -> Vec<f64> {
        self.samples.iter().map(|sample| of(sample).as_secs_f64() * 1000.0).collect()
    }

    /// The overhead before the script starts, per round; `None` if rounds are missing.
    pub fn added_ms(&self, rows: &[RunRow]) -> Option<Vec<f64>> {
        let direct = rows.iter().find(|row| row.case == self.case && row.tool == DIRECT)?;
        if self.samples.is_empty() || self.samples.len() != direct.samples.len() {
            return None;
        }
        let (own, direct) = (self.list_ms(|sample| sample.began), direct.list_ms(|sample| sample.began));
        Some(own.iter().zip(direct).map(|(own, direct)| own - direct).collect())
    }

    pub fn ended_ms(&self) -> f64 {
        median(self.list_ms(|sample| sample.ended))
    }

    pub fn cpu_ms(&self) -> f64 {
        median(self.list_ms(|sample| sample.cpu))
    }

    pub fn json(&self, rows: &[RunRow]) -> Json {
        let list = |values: Vec<f64>| Json::List(values.into_iter().map(Json::number).collect());
        let mut members = vec![
            ("case".to_owned(), Json::text(self.case.script())),
            ("tool".to_owned(), Json::text(self.tool.as_str())),
            ("began_ms".to_owned(), list(self.list_ms(|sample| sample.began))),
            ("ended_ms".to_owned(), list(self.list_ms(|sample| sample.ended))),
            ("cpu_ms".to_owned(), list(self.list_ms(|sample| sample.cpu))),
        ];
        let added = self.added_ms(rows).map(median);
        members.extend(added.map(|added| ("added_ms".to_owned(), Json::number(added))));
        members.extend(
            self.failure.as_ref().map(|message| ("failure".to_owned(), Json::text(message.as_str()))),
        );
        Json::Object(members)
    }

    /// A stored row; `None` if its case no longer exists.
    pub fn read(node: &Node<'_>) -> Option<RunRow> {
        let case = ScriptCase::ALL.iter().copied().find(|case| case.script() == text(node, "case"))?;
        let list = |key| node.find(key).map(numbers).unwrap_or_default();
        let ms = |ms: f64| Duration::from_micros((ms * 1000.0).round() as u64);
        let (ended, cpu) = (list("ended_ms"), list("cpu_ms"));
        let samples = list("began_ms").into_iter().zip(ended).zip(cpu);
        let sample = |((began, ended), cpu)| RunSample { began: ms(began), ended: ms(ended), cpu: ms(cpu) };
        Some(RunRow {
            case,
            tool: text(node, "tool"),
            samples: samples.map(sample).collect(),
            failure: node.find("failure").and_then(Node::as_str).map(str::to_owned),
        })
    }
}

/// Maximum of rusk's overhead relative to another tool's.
pub const TARGETS: &[(&str, f64)] = &[("bun", 0.5), ("npm", 0.02)];

/// Rusk's overhead relative to a tool's, per round; `None` if one was not measured.
pub fn ratio(rows: &[RunRow], case: ScriptCase, tool: &str) -> Option<f64> {
    let added = |tool: &str| rows.iter().find(|row| row.case == case && row.tool == tool)?.added_ms(rows);
    let (own, other) = (added("rusk")?, added(tool)?);
    Some(median(own.iter().zip(&other).map(|(own, other)| own / other).collect()))
}

/// The ratio, and whether it reaches the target.
pub fn verdict(rows: &[RunRow], case: ScriptCase, (tool, bound): (&str, f64)) -> (String, &'static str) {
    match ratio(rows, case, tool) {
        Some(ratio) => (format!("{ratio:.3}"), if ratio <= bound { "pass" } else { "FAIL" }),
        None => ("–".to_owned(), "not measured"),
    }
}

#[allow(clippy::print_stdout, reason = "the table is the output of the task")]
pub fn print(rows: &[RunRow]) {
    println!(
        "{:<15}{:<8}{:>10}{:>12}{:>12}{:>10}",
        "script", "tool", "added ms", "all ms", "cpu ms", "× rusk"
    );
    for row in rows {
        let head = format!("{:<15}{:<8}", row.case.description(), row.tool);
        match (&row.failure, row.added_ms(rows)) {
            (None, Some(added)) => {
                let (ended, cpu) = (row.ended_ms(), row.cpu_ms());
                let ratio = ratio(rows, row.case, &row.tool).filter(|_| row.tool != DIRECT);
                let ratio = ratio.map_or_else(String::new, |ratio| format!("{:.1}", 1.0 / ratio));
                println!("{head}{:>10.3}{ended:>12.3}{cpu:>12.3}{ratio:>10}", median(added));
            }
            (failure, _) => println!("{head}  left out: {}", failure.as_deref().unwrap_or("no sample")),
        }
    }
    println!("\n{:<54}{:>8}{:>10}", "", "target", "measured");
    for &case in ScriptCase::ALL {
        for &(tool, bound) in TARGETS {
            let (found, verdict) = verdict(rows, case, (tool, bound));
            let description = format!("rusk adds, of {tool}: {}", case.description());
            println!("{description:<54}{:>8}{found:>10} {verdict}", format!("≤ {bound:.2}"));
        }
    }
}

#[cfg(test)]
mod tests;
