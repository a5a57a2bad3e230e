//! Rows of `bench sysroot`: samples of one kind of launch, their JSON, and the performance target.
//! Times in milliseconds.

use crate::bench::median::median;
use crate::bench::results_file::{numbers, text};
use crate::report::Json;
use rusk_npm::json::Node;

/// Maximum that a sysroot may add to a program's start.
pub const ADDED_MS_MAX: f64 = 2.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launch {
    Alone,
    Exec,
    Sysroot,
    SysrootRw,
}

impl Launch {
    pub const ALL: &[Launch] = &[Launch::Alone, Launch::Exec, Launch::Sysroot, Launch::SysrootRw];

    pub fn description(self) -> &'static str {
        match self {
            Launch::Alone => "alone",
            Launch::Exec => "`rusk exec`",
            Launch::Sysroot => "`rusk exec --sysroot`",
            Launch::SysrootRw => "`rusk exec --sysroot --rw`",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Launch::Alone => "alone",
            Launch::Exec => "exec",
            Launch::Sysroot => "sysroot",
            Launch::SysrootRw => "sysroot-rw",
        }
    }
}

/// All runs of one kind of launch, per round.
pub struct SysrootRow {
    pub launch: Launch,
    pub wall_ms: Vec<f64>,
}

impl SysrootRow {
    /// Rounded as stored, so that a difference is the same before and after.
    pub fn add(&mut self, wall_ms: f64) {
        self.wall_ms.push((wall_ms * 1000.0).round() / 1000.0);
    }

    pub fn json(&self) -> Json {
        let times = self.wall_ms.iter().map(|number| Json::number(*number)).collect();
        Json::object([("way", Json::text(self.launch.name())), ("wall_ms", Json::List(times))])
    }

    pub fn read(node: &Node<'_>) -> Option<SysrootRow> {
        let name = text(node, "way");
        let launch = Launch::ALL.iter().find(|launch| launch.name() == name)?;
        Some(SysrootRow { launch: *launch, wall_ms: node.find("wall_ms").map(numbers).unwrap_or_default() })
    }
}

/// Median over the rounds of what one launch adds to another.
pub fn added_ms(rows: &[SysrootRow], launch: Launch, to: Launch) -> Option<f64> {
    let find = |launch| rows.iter().find(|row| row.launch == launch).filter(|row| !row.wall_ms.is_empty());
    let pairs = find(launch)?.wall_ms.iter().zip(&find(to)?.wall_ms);
    Some(median(pairs.map(|(own, other)| own - other).collect()))
}

#[allow(clippy::print_stdout, reason = "the table is the output of the task")]
pub fn print(rows: &[SysrootRow]) {
    for row in rows {
        println!(
            "{:<26} {:>7.3} ms, added to the program {:>7.3} ms, to `rusk exec` {:>7.3} ms",
            row.launch.description(),
            median(row.wall_ms.clone()),
            added_ms(rows, row.launch, Launch::Alone).unwrap_or_default(),
            added_ms(rows, row.launch, Launch::Exec).unwrap_or_default(),
        );
    }
    let added = added_ms(rows, Launch::Sysroot, Launch::Alone).unwrap_or(f64::MAX);
    println!("a root adds {added:.2} ms, target {ADDED_MS_MAX}: {}", verdict(added));
}

pub fn verdict(added_ms: f64) -> &'static str {
    if added_ms <= ADDED_MS_MAX { "pass" } else { "FAIL" }
}
