//! The tables of docs/performance/runtime.md: what programs take, run by rusk and by others, and
//! whether rusk reaches what it is to reach.

use crate::bench::runtime::row::{self, Row, TARGETS, Target};
use crate::bench::stored::{self, grouped, members, number_of, table_head, table_line, text};
use rusk_npm::json::Node;
use std::fmt::Write;

pub fn tables() -> Result<String, String> {
    drawn("runtime", TARGETS, "../..")
}

/// What was stored by the benchmark of that name, if it was.
pub fn rows(name: &str) -> Result<Option<Vec<Row>>, String> {
    let file = &format!("{name}.json");
    let Some(stored) = stored::find(file) else { return Ok(None) };
    Ok(Some(rows_of(&stored::parse(file, &stored)?)))
}

fn rows_of(root: &Node<'_>) -> Vec<Row> {
    root.find("rows").map(Node::elements).unwrap_or_default().iter().map(Row::read).collect()
}

/// `up`: from the document to the root.
pub fn drawn(name: &str, wanted: &[Target], up: &str) -> Result<String, String> {
    let file = &format!("{name}.json");
    let Some(stored) = stored::find(file) else {
        return Ok(format!("\nNo results are stored: `cargo xtask bench {name}` makes them.\n"));
    };
    let root = stored::parse(file, &stored)?;
    let rows = rows_of(&root);
    let rounds = root.find("rounds").and_then(stored::number).unwrap_or_default() as usize;
    let place = stored::place_line(&root, rounds);
    let mut out = format!("\n{place}; load before: {}\n\n", text(&root, "load_before"));
    out.push_str(&targets(&rows, wanted));
    let versions = members(&root, "versions");
    let _ = write!(out, "\n{}", medians(&rows, &versions));
    for row in &rows {
        if let Some(said) = &row.failure {
            let _ = writeln!(out, "\nLeft out: {} with {}: {said}", row.case, row.tool);
        }
    }
    let _ = writeln!(out, "\nEvery sample: [bench/results/{file}]({up}/bench/results/{file})");
    Ok(out)
}

fn targets(rows: &[Row], wanted: &[Target]) -> String {
    let leasts: Vec<Option<String>> = wanted.iter().map(|target| target.least(rows)).collect();
    let has_least = leasts.iter().any(Option::is_some);
    let mut head = vec!["wanted".to_owned(), "found".to_owned(), String::new()];
    head.extend(has_least.then(|| "least".to_owned()));
    let mut out = table_head(&head);
    for (target, least) in wanted.iter().zip(leasts) {
        let (found, verdict) = target.verdict(rows);
        let cells = [target.wanted(), found, verdict.to_owned()].into_iter();
        out.push_str(&table_line(target.says, cells.chain(has_least.then(|| least.unwrap_or_default()))));
    }
    out
}

fn medians(rows: &[Row], versions: &[(&str, &str)]) -> String {
    let head = |(tool, version): &(&str, &str)| format!("{tool} {}", number_of(version));
    let mut out = table_head(&versions.iter().map(head).collect::<Vec<_>>());
    let mut lines: Vec<(&str, &str)> = Vec::new();
    for row in rows.iter().filter(|row| row.failure.is_none()) {
        if !lines.contains(&(&row.case, &row.what)) {
            lines.push((&row.case, &row.what));
        }
    }
    for (case, what) in lines {
        let cell = |(tool, _): &(&str, &str)| {
            let digits = if what == "calls" { 0 } else { 1 };
            let shown = |row: &Row| grouped(&format!("{:.digits$}", row.median()));
            row::find(rows, case, what, tool).map_or_else(|| "–".to_owned(), shown)
        };
        out.push_str(&table_line(&format!("{case}: {what}"), versions.iter().map(cell)));
    }
    out
}
