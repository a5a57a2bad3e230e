//! Table of docs/performance/trace-and-sysroot.md: what a sysroot adds to a program's start.

use crate::bench::median::median;
use crate::bench::results_file::{self, table_head, table_line, text};
use crate::bench::sysroot::row::{ADDED_MS_MAX, Launch, SysrootRow, added_ms, verdict};
use rusk_npm::json::Node;
use std::fmt::Write;

const FILE: &str = "sysroot.json";

pub fn cost() -> Result<String, String> {
    let Some(stored) = results_file::find(FILE) else {
        return Ok("\nNo results are stored: `cargo xtask bench sysroot` makes them.\n".to_owned());
    };
    let root = results_file::parse(FILE, &stored)?;
    let rows = root.find("rows").map(Node::elements).unwrap_or_default();
    let rows: Vec<SysrootRow> = rows.iter().filter_map(SysrootRow::read).collect();
    let rounds = rows.iter().map(|row| row.wall_ms.len()).max().unwrap_or_default();
    let (user, load) = (text(&root, "user"), text(&root, "load_before"));
    let mut out = format!("\n{}; as {user}; load before: {load}\n\n", results_file::run_line(&root, rounds));
    let heads = ["p50, ms", "added to the program, ms", "added to `rusk exec`, ms"];
    out.push_str(&table_head(&heads.map(str::to_owned)));
    for row in &rows {
        let shown = |number: Option<f64>| number.map_or("–".to_owned(), |number| format!("{number:.2}"));
        let added = |to| added_ms(&rows, row.launch, to);
        let cells = [Some(median(row.wall_ms.clone())), added(Launch::Alone), added(Launch::Exec)];
        out.push_str(&table_line(row.launch.description(), cells.into_iter().map(shown)));
    }
    let found = added_ms(&rows, Launch::Sysroot, Launch::Alone).unwrap_or(f64::MAX);
    let _ = writeln!(
        out,
        "\nWanted: a root adds at most {ADDED_MS_MAX} ms. Found: {found:.2} ms, {}.",
        verdict(found)
    );
    let _ = writeln!(out, "\nEvery sample: [bench/results/{FILE}](../../bench/results/{FILE})");
    Ok(out)
}
