//! Startup cost of one case: calls, baseline, and times in null calls. As JSON, as a table, and
//! checked.

use crate::bench::median::median;
use crate::bench::results_file::grouped;
use crate::report::Json;
use rusk_testkit::start::{Calls, Case};

pub struct StartRow {
    pub case: Case,
    pub baseline: Option<Calls>,
    pub now: Calls,
    /// The time of each round in null calls.
    pub null_calls: Vec<f64>,
}

impl StartRow {
    pub fn new(case: Case, baseline: Option<Calls>) -> StartRow {
        StartRow { case, baseline, now: Calls::default(), null_calls: Vec::new() }
    }

    pub fn json(&self) -> Json {
        let calls = self.now.counts.iter().map(|(name, count)| (name.clone(), Json::number(*count as f64)));
        let times = self.null_calls.iter().map(|number| Json::number(*number));
        Json::object([
            ("case", Json::text(self.case.name())),
            ("calls", Json::Object(calls.collect())),
            ("null_calls", Json::List(times.collect())),
        ])
    }

    fn line(&self) -> String {
        let baseline =
            self.baseline.as_ref().map_or_else(|| "-".to_owned(), |baseline| baseline.held().to_string());
        let time = grouped(&format!("{:.0}", median(self.null_calls.clone())));
        let (now, by_chance) = (self.now.held(), self.now.by_chance());
        format!("{:<14} {now:>6} {baseline:>6} {by_chance:>10} {time:>22}", self.case.name())
    }
}

#[allow(clippy::print_stdout, reason = "the table is the output of the task")]
pub fn print(rows: &[StartRow]) {
    println!("system calls      now   held  by chance  time, in null calls");
    for row in rows {
        println!("{}", row.line().trim_end());
    }
    for row in rows {
        let fewer =
            row.baseline.as_ref().map_or(0, |baseline| baseline.held().saturating_sub(row.now.held()));
        if fewer > 0 {
            println!("{}: {fewer} fewer than held; `--keep` holds that", row.case.name());
        }
    }
}

/// An error that names each call that is made more often than in the baseline.
pub fn check(rows: &[StartRow]) -> Result<(), String> {
    let grown = rows.iter().filter_map(|row| Some((row, row.now.grown(row.baseline.as_ref()?)?)));
    let message: Vec<String> = grown.map(|(row, more)| format!("\n  {}: {more}", row.case.name())).collect();
    match message.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "more system calls than bench/results/start.json holds; `--keep` holds them where that is meant:{}",
            message.concat()
        )),
    }
}

#[cfg(test)]
mod tests;
