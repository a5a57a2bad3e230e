//! What was measured of one way to start a program under a root, as JSON and back, and what is to
//! be reached. Times in milliseconds.

use crate::bench::median::median;
use crate::bench::results_file::{numbers, text};
use crate::report::Json;
use rusk_npm::json::Node;

/// What a root may add to a program's start.
pub const ADDED_MS_MAX: f64 = 2.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launch {
    Alone,
    Exec,
    Forgotten,
    Kept,
}

impl Launch {
    pub const ALL: &[Launch] = &[Launch::Alone, Launch::Exec, Launch::Forgotten, Launch::Kept];

    pub fn description(self) -> &'static str {
        match self {
            Launch::Alone => "alone",
            Launch::Exec => "`rusk exec`",
            Launch::Forgotten => "`rusk exec --sysroot`",
            Launch::Kept => "`rusk exec --sysroot --rw`",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Launch::Alone => "alone",
            Launch::Exec => "exec",
            Launch::Forgotten => "sysroot",
            Launch::Kept => "sysroot-rw",
        }
    }
}

/// All runs of one way, round by round.
pub struct SysrootRow {
    pub way: Launch,
    pub wall_ms: Vec<f64>,
}

impl SysrootRow {
    /// As fine as it is stored, so that a difference is the same before and after.
    pub fn add(&mut self, wall_ms: f64) {
        self.wall_ms.push((wall_ms * 1000.0).round() / 1000.0);
    }

    pub fn json(&self) -> Json {
        let times = self.wall_ms.iter().map(|number| Json::number(*number)).collect();
        Json::object([("way", Json::text(self.way.name())), ("wall_ms", Json::List(times))])
    }

    pub fn read(node: &Node<'_>) -> Option<SysrootRow> {
        let name = text(node, "way");
        let way = Launch::ALL.iter().find(|way| way.name() == name)?;
        Some(SysrootRow { way: *way, wall_ms: node.find("wall_ms").map(numbers).unwrap_or_default() })
    }
}

/// What a way adds to another, round by round, the middle of it.
pub fn added_ms(rows: &[SysrootRow], way: Launch, to: Launch) -> Option<f64> {
    let find = |way| rows.iter().find(|row| row.way == way).filter(|row| !row.wall_ms.is_empty());
    let pairs = find(way)?.wall_ms.iter().zip(&find(to)?.wall_ms);
    Some(median(pairs.map(|(own, other)| own - other).collect()))
}

#[allow(clippy::print_stdout, reason = "the table is what the benchmark is for")]
pub fn print(rows: &[SysrootRow]) {
    for row in rows {
        println!(
            "{:<26} {:>7.3} ms, added to the program {:>7.3} ms, to `rusk exec` {:>7.3} ms",
            row.way.description(),
            median(row.wall_ms.clone()),
            added_ms(rows, row.way, Launch::Alone).unwrap_or_default(),
            added_ms(rows, row.way, Launch::Exec).unwrap_or_default(),
        );
    }
    let added = added_ms(rows, Launch::Forgotten, Launch::Alone).unwrap_or(f64::MAX);
    println!("a root adds {added:.2} ms, target {ADDED_MS_MAX}: {}", verdict(added));
}

pub fn verdict(added_ms: f64) -> &'static str {
    if added_ms <= ADDED_MS_MAX { "pass" } else { "FAIL" }
}
