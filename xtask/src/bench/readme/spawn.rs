//! The tables of `bench spawn`: the targets, then each measure with the scenarios down and the methods across. Medians
//! in microseconds.

use crate::bench::spawn::results::{Measure, Row, Summary};
use crate::bench::spawn::scenario::{self, Scenario, Watch};
use crate::bench::spawn::targets;
use crate::bench::stored::{self, grouped, members, number_of};
use rusk_npm::json::Node;
use std::fmt::Write;

const FILE: &str = "spawn.json";

pub fn tables() -> Result<String, String> {
    let Some(text) = stored::find(FILE) else {
        return Ok("\nNo results are stored: `cargo xtask bench spawn` makes them.\n".to_owned());
    };
    draw(&stored::parse(FILE, &text)?)
}

/// A table of one number of each row.
struct Table {
    says: &'static str,
    measure: Measure,
    of: fn(&Summary) -> f64,
    shows: fn(&Scenario) -> bool,
    /// Whether the methods that wait for the end have a column: their call returns then.
    sync: bool,
}

fn is_plain(scenario: &Scenario) -> bool {
    scenario.watch == Watch::Reaped
}

const TABLES: &[Table] = &[
    Table {
        says: "The call returns after",
        measure: Measure::Call,
        of: |summary| summary.p50,
        shows: |scenario| scenario.watch != Watch::Timer,
        sync: false,
    },
    Table {
        says: "The program runs, and the parent can know it, after",
        measure: Measure::Exec,
        of: |summary| summary.p50,
        shows: |scenario| is_plain(scenario) && scenario.flight == 1,
        sync: false,
    },
    Table {
        says: "The child is reaped after",
        measure: Measure::Reaped,
        of: |summary| summary.p50,
        shows: is_plain,
        sync: false,
    },
    Table {
        says: "The child is reaped after, mean",
        measure: Measure::Reaped,
        of: |summary| summary.mean,
        shows: |scenario| scenario.name == "plain",
        sync: true,
    },
    Table {
        says: "Processor time of the parent, each child, mean",
        measure: Measure::ParentCpu,
        of: |summary| summary.mean,
        shows: is_plain,
        sync: false,
    },
    Table {
        says: "Processor time of the child itself, mean",
        measure: Measure::ChildCpu,
        of: |summary| summary.mean,
        shows: is_plain,
        sync: false,
    },
    Table {
        says: "Children a second",
        measure: Measure::PerSecond,
        of: |summary| summary.p50,
        shows: |scenario| scenario.flight > 1,
        sync: false,
    },
    Table {
        says: "How late a 1 kHz timer of another thread is meanwhile, 99 of 100 times at most",
        measure: Measure::Late,
        of: |summary| summary.p99,
        shows: |scenario| scenario.watch == Watch::Timer,
        sync: false,
    },
];

fn draw(root: &Node<'_>) -> Result<String, String> {
    let rows: Vec<Row> =
        root.find("rows").map(Node::elements).unwrap_or_default().iter().map(Row::read).collect();
    let methods = root.find("methods").map(Node::elements).unwrap_or_default();
    let methods: Vec<&str> = methods.iter().filter_map(Node::as_str).collect();
    let rounds = stored::text(root, "rounds").parse().map_err(|_| format!("{FILE}: no `rounds`"))?;
    let mut out = format!("\n{}", stored::place_line(root, rounds));
    for (name, version) in members(root, "versions") {
        let _ = write!(out, ", {name} {}", number_of(version));
    }
    let _ = writeln!(out, "; load before: {}\n", stored::text(root, "load_before"));
    out.push_str(&target_table(&rows));
    for table in TABLES {
        out.push_str(&table.draw(&rows, &methods));
    }
    let _ = writeln!(out, "\nEvery round: [bench/results/{FILE}](../../bench/results/{FILE})");
    Ok(out)
}

fn target_table(rows: &[Row]) -> String {
    let mut out = stored::table_head(&["wanted", "found", ""].map(str::to_owned));
    for target in targets::ALL {
        let (found, verdict) = target.verdict(rows);
        let cells = [target.wanted(), found, verdict.to_owned()];
        out.push_str(&stored::table_line(target.says, cells.into_iter()));
    }
    out
}

impl Table {
    /// Methods that have no number anywhere in it have no column.
    fn draw(&self, rows: &[Row], methods: &[&str]) -> String {
        let scenarios: Vec<&Scenario> =
            scenario::ALL.iter().filter(|scenario| (self.shows)(scenario)).collect();
        let number = |scenario: &Scenario, method: &str| {
            let row = rows.iter().find(|row| row.is(scenario.name, method) && row.failure.is_none())?;
            row.find(self.measure).map(self.of)
        };
        let is_shown = |method: &&&str| {
            let fits = self.sync || !method.ends_with(" sync");
            fits && scenarios.iter().any(|scenario| number(scenario, method).is_some())
        };
        let methods: Vec<&&str> = methods.iter().filter(is_shown).collect();
        let heads: Vec<String> = methods.iter().map(|method| (**method).to_owned()).collect();
        let mut out = format!("\n{}:\n\n{}", self.says, stored::table_head(&heads));
        for scenario in scenarios {
            let cells = methods.iter().map(|method| number(scenario, method).map_or("–".to_owned(), shown));
            out.push_str(&stored::table_line(scenario.says, cells));
        }
        out
    }
}

fn shown(number: f64) -> String {
    grouped(&if number < 100.0 { format!("{number:.1}") } else { format!("{number:.0}") })
}

#[cfg(test)]
mod tests;
