//! Tables of docs/performance/trace-and-sysroot.md: the overhead of tracing, and whether the counts
//! agree with strace.

use crate::bench::median::median;
use crate::bench::results_file::{self, table_head, table_line, text};
use crate::bench::trace::row::{TraceRow, added_ms, ratio, targets};
use crate::files;
use rusk_npm::json::Node;
use std::fmt::Write;

const FILE: &str = "trace.json";
const COUNTS: &str = "conformance/trace.json";

pub fn cost() -> Result<String, String> {
    let Some(stored) = results_file::find(FILE) else {
        return Ok("\nNo results are stored: `cargo xtask bench trace` makes them.\n".to_owned());
    };
    let root = results_file::parse(FILE, &stored)?;
    let rows = root.find("rows").map(Node::elements).unwrap_or_default();
    let rows: Vec<TraceRow> = rows.iter().filter_map(TraceRow::read).collect();
    let rounds = rows.iter().map(|row| row.wall_ms.len()).max().unwrap_or_default();
    let mut out = format!(
        "\n{}; load before: {}\n\n",
        results_file::run_line(&root, rounds),
        text(&root, "load_before")
    );
    let heads = ["whole run, ms", "added, ms", "of the program alone", "the program itself, ms"];
    out.push_str(&table_head(&heads.map(str::to_owned)));
    for row in &rows {
        let shown = |number: Option<f64>| number.map_or("–".to_owned(), |number| format!("{number:.2}"));
        let inside = (!row.inside_ms.is_empty()).then(|| median(row.inside_ms.clone()));
        let cells = [
            Some(median(row.wall_ms.clone())),
            added_ms(&rows, row.tracer),
            ratio(&rows, row.tracer),
            inside,
        ];
        out.push_str(&table_line(row.tracer.description(), cells.into_iter().map(shown)));
    }
    out.push('\n');
    out.push_str(&table_head(&["target", "measured", "result"].map(str::to_owned)));
    for target in targets(&rows) {
        let found = target.found.map_or("–".to_owned(), |found| format!("{found:.2}"));
        let cells = [format!("≤ {:.2}", target.bound), found, target.verdict().to_owned()];
        out.push_str(&table_line(target.description, cells.into_iter()));
    }
    let _ = writeln!(out, "\nEvery sample: [bench/results/{FILE}](../../bench/results/{FILE})");
    Ok(out)
}

pub fn counts() -> Result<String, String> {
    let Some(stored) = files::find(&files::root().join(COUNTS)) else {
        return Ok("\nNo results are stored: `cargo xtask conformance trace` makes them.\n".to_owned());
    };
    let root = results_file::parse(COUNTS, &stored)?;
    let rounds = root.find("rounds").and_then(results_file::number).unwrap_or_default();
    let mut out = format!("\n{}\n\n", results_file::run_line(&root, rounds as usize));
    out.push_str("| program | collector | calls | beside `strace -c -f` |\n|---|---|--:|---|\n");
    for row in root.find("rows").map(Node::elements).unwrap_or_default() {
        let differing = row.find("differing").map(Node::elements).unwrap_or_default();
        let differing: Vec<&str> = differing.iter().filter_map(Node::as_str).collect();
        let verdict = if differing.is_empty() { "same".to_owned() } else { differing.join("; ") };
        let cells = [text(row, "collector"), text(row, "calls"), verdict];
        out.push_str(&table_line(&text(row, "case"), cells.into_iter()));
    }
    Ok(out)
}
