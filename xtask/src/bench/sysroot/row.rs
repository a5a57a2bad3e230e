//! What was measured of one way to start a program under a root, as JSON and back, and what is to
//! be reached. Times in milliseconds.

use crate::bench::median::median;
use crate::bench::stored::{numbers, text};
use crate::report::Json;
use rusk_npm::json::Node;

/// What a root may add to a program's start.
pub const ADDED_MS_MAX: f64 = 2.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Alone,
    Exec,
    Forgotten,
    Kept,
}

impl Way {
    pub const ALL: &[Way] = &[Way::Alone, Way::Exec, Way::Forgotten, Way::Kept];

    pub fn says(self) -> &'static str {
        match self {
            Way::Alone => "alone",
            Way::Exec => "`rusk exec`",
            Way::Forgotten => "`rusk exec --sysroot`",
            Way::Kept => "`rusk exec --sysroot --rw`",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Way::Alone => "alone",
            Way::Exec => "exec",
            Way::Forgotten => "sysroot",
            Way::Kept => "sysroot-rw",
        }
    }
}

/// All runs of one way, round by round.
pub struct Row {
    pub way: Way,
    pub wall_ms: Vec<f64>,
}

impl Row {
    /// As fine as it is stored, so that a difference is the same before and after.
    pub fn add(&mut self, wall_ms: f64) {
        self.wall_ms.push((wall_ms * 1000.0).round() / 1000.0);
    }

    pub fn json(&self) -> Json {
        let times = self.wall_ms.iter().map(|number| Json::number(*number)).collect();
        Json::object([("way", Json::text(self.way.name())), ("wall_ms", Json::List(times))])
    }

    pub fn read(node: &Node<'_>) -> Option<Row> {
        let name = text(node, "way");
        let way = Way::ALL.iter().find(|way| way.name() == name)?;
        Some(Row { way: *way, wall_ms: node.find("wall_ms").map(numbers).unwrap_or_default() })
    }
}

/// What a way adds to another, round by round, the middle of it.
pub fn added_ms(rows: &[Row], way: Way, to: Way) -> Option<f64> {
    let find = |way| rows.iter().find(|row| row.way == way).filter(|row| !row.wall_ms.is_empty());
    let pairs = find(way)?.wall_ms.iter().zip(&find(to)?.wall_ms);
    Some(median(pairs.map(|(own, other)| own - other).collect()))
}

#[allow(clippy::print_stdout, reason = "the table is what the benchmark is for")]
pub fn print(rows: &[Row]) {
    for row in rows {
        println!(
            "{:<26} {:>7.3} ms, added to the program {:>7.3} ms, to `rusk exec` {:>7.3} ms",
            row.way.says(),
            median(row.wall_ms.clone()),
            added_ms(rows, row.way, Way::Alone).unwrap_or_default(),
            added_ms(rows, row.way, Way::Exec).unwrap_or_default(),
        );
    }
    let added = added_ms(rows, Way::Forgotten, Way::Alone).unwrap_or(f64::MAX);
    println!("a root adds {added:.2} ms, wanted {ADDED_MS_MAX}: {}", verdict(added));
}

pub fn verdict(added_ms: f64) -> &'static str {
    if added_ms <= ADDED_MS_MAX { "met" } else { "missed" }
}
