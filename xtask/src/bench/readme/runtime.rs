//! Tables of docs/performance/runtime.md: cost of programs run by rusk and other runtimes, and
//! performance targets.

use crate::bench::results_file::{self, grouped, members, number_of, table_head, table_line, text};
use crate::bench::runtime::row::{self, RuntimeRow, RuntimeTarget, TARGETS};
use rusk_npm::json::Node;
use std::fmt::Write;

pub fn tables() -> Result<String, String> {
    rendered("runtime", TARGETS, "../..")
}

/// The stored rows of that benchmark, if any.
pub fn rows(name: &str) -> Result<Option<Vec<RuntimeRow>>, String> {
    let file = &format!("{name}.json");
    let Some(stored) = results_file::find(file) else { return Ok(None) };
    Ok(Some(rows_of(&results_file::parse(file, &stored)?)))
}

fn rows_of(root: &Node<'_>) -> Vec<RuntimeRow> {
    root.find("rows").map(Node::elements).unwrap_or_default().iter().map(RuntimeRow::read).collect()
}

/// `up`: relative path from the document to the root.
pub fn rendered(name: &str, target_text: &[RuntimeTarget], up: &str) -> Result<String, String> {
    let file = &format!("{name}.json");
    let Some(stored) = results_file::find(file) else {
        return Ok(format!("\nNo results are stored: `cargo xtask bench {name}` makes them.\n"));
    };
    let root = results_file::parse(file, &stored)?;
    let rows = rows_of(&root);
    let rounds = root.find("rounds").and_then(results_file::number).unwrap_or_default() as usize;
    let measured_on = results_file::run_line(&root, rounds);
    let mut out = format!("\n{measured_on}; load before: {}\n\n", text(&root, "load_before"));
    out.push_str(&targets(&rows, target_text));
    let versions = members(&root, "versions");
    let _ = write!(out, "\n{}", medians(&rows, &versions));
    for row in &rows {
        if let Some(message) = &row.failure {
            let what = if row.what.is_empty() { &row.case } else { &row.what };
            let _ = writeln!(out, "\nLeft out: {what} with {}: {message}", row.tool);
        }
    }
    let _ = writeln!(out, "\nEvery sample: [bench/results/{file}]({up}/bench/results/{file})");
    Ok(out)
}

fn targets(rows: &[RuntimeRow], target_text: &[RuntimeTarget]) -> String {
    let lower_bounds: Vec<Option<String>> =
        target_text.iter().map(|target| target.lower_bound(rows)).collect();
    let has_lower_bound = lower_bounds.iter().any(Option::is_some);
    let mut head = vec!["target".to_owned(), "measured".to_owned(), "result".to_owned()];
    head.extend(has_lower_bound.then(|| "least".to_owned()));
    let mut out = table_head(&head);
    for (target, lower_bound) in target_text.iter().zip(lower_bounds) {
        let (found, verdict) = target.verdict(rows);
        let cells = [target.target_text(), found, verdict.to_owned()].into_iter();
        out.push_str(&table_line(
            target.description,
            cells.chain(has_lower_bound.then(|| lower_bound.unwrap_or_default())),
        ));
    }
    out
}

fn medians(rows: &[RuntimeRow], versions: &[(&str, &str)]) -> String {
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
            let sign = |row: &RuntimeRow| if row.is_at_least { "> " } else { "" };
            let shown =
                |row: &RuntimeRow| format!("{}{}", sign(row), grouped(&format!("{:.digits$}", row.median())));
            row::find(rows, case, what, tool).map_or_else(|| "–".to_owned(), shown)
        };
        out.push_str(&table_line(&format!("{case}: {what}"), versions.iter().map(cell)));
    }
    out
}
