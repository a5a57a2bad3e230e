//! Tables of `bench run`: the overhead of each tool before a script starts, and performance
//! targets.

use crate::bench::median::median;
use crate::bench::results_file::{self, grouped, members, number_of, table_head, table_line};
use crate::bench::run::row::{self, RunRow, ScriptCase};
use rusk_npm::json::Node;
use std::fmt::Write;

const FILE: &str = "run.json";

pub fn tables() -> Result<String, String> {
    let Some(text) = results_file::find(FILE) else {
        return Ok("\nNo results are stored: `cargo xtask bench run` makes them.\n".to_owned());
    };
    let root = results_file::parse(FILE, &text)?;
    let rows = root.find("rows").map(Node::elements).unwrap_or_default();
    let rows: Vec<RunRow> = rows.iter().filter_map(RunRow::read).collect();
    let rounds = rows.iter().map(|row| row.samples.len()).max().unwrap_or_default();
    let measured_on = results_file::run_line(&root, rounds);
    let mut out = format!("\n{measured_on}; load before: {}\n\n", results_file::text(&root, "load_before"));
    out.push_str(&added_table(&rows, &members(&root, "versions")));
    out.push('\n');
    out.push_str(&target_table(&rows));
    let _ = writeln!(out, "\nEvery sample: [bench/results/{FILE}](../../bench/results/{FILE})");
    Ok(out)
}

/// A tool that could not be measured has no column.
fn added_table(rows: &[RunRow], versions: &[(&str, &str)]) -> String {
    let row = |case, tool: &str| {
        rows.iter().find(|row| row.case == case && row.tool == tool && row.failure.is_none())
    };
    let is_there = |tool: &str| ScriptCase::ALL.iter().any(|&case| row(case, tool).is_some());
    let tools: Vec<_> = versions.iter().filter(|(tool, _)| is_there(tool)).collect();
    let heads: Vec<String> =
        tools.iter().map(|(tool, version)| format!("{tool} {}", number_of(version))).collect();
    let mut out = table_head(&heads);
    for &case in ScriptCase::ALL {
        let mut line = |description: &str, of: &dyn Fn(&RunRow) -> Option<f64>| {
            let numbers = tools.iter().map(|(tool, _)| row(case, tool).and_then(of));
            let cells = numbers.map(|number| number.map_or("–".to_owned(), shown));
            out.push_str(&table_line(&format!("{}: {description}", case.description()), cells));
        };
        line("added, ms", &|row| row.added_ms(rows).map(median));
        line("whole run, ms", &|row| Some(row.ended_ms()));
    }
    out
}

fn shown(number: f64) -> String {
    grouped(&format!("{number:.2}"))
}

fn target_table(rows: &[RunRow]) -> String {
    let mut out = table_head(&["target", "measured", "result"].map(str::to_owned));
    for &case in ScriptCase::ALL {
        for &(tool, bound) in row::TARGETS {
            let (found, verdict) = row::verdict(rows, case, (tool, bound));
            let cells = [format!("≤ {bound:.2}"), found, verdict.to_owned()];
            let description = format!("overhead of rusk relative to {tool}: {}", case.description());
            out.push_str(&table_line(&description, cells.into_iter()));
        }
    }
    out
}
