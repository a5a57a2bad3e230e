//! Tables of `bench resolve`: system calls and time of three resolvers, and performance targets.

use crate::bench::resolve::row::{self, HEADS, ResolveRow};
use crate::bench::results_file::{self, grouped, members, number_of, table_head, table_line};
use rusk_npm::json::Node;
use std::fmt::Write;

const FILE: &str = "resolve.json";

pub fn tables() -> Result<String, String> {
    let Some(text) = results_file::find(FILE) else {
        return Ok("\nNo results are stored: `cargo xtask bench resolve` makes them.\n".to_owned());
    };
    let root = results_file::parse(FILE, &text)?;
    let rows = root.find("rows").map(Node::elements).unwrap_or_default();
    let rows: Vec<ResolveRow> = rows.iter().filter_map(ResolveRow::read).collect();
    let rounds = rows.iter().map(|row| row.cold_ms.len()).max().unwrap_or_default();
    let measured_on = results_file::run_line(&root, rounds);
    let mut out = format!("\n{measured_on}; load before: {}\n", results_file::text(&root, "load_before"));
    let versions = members(&root, "versions");
    for tree in row::trees(&rows) {
        out.push_str(&tree_table(&rows, tree, &versions));
    }
    out.push('\n');
    out.push_str(&target_table(&rows));
    let _ = writeln!(out, "\nEvery sample: [bench/results/{FILE}](../../bench/results/{FILE})");
    Ok(out)
}

fn tree_table(rows: &[ResolveRow], tree: &str, versions: &[(&str, &str)]) -> String {
    let rows: Vec<&ResolveRow> = rows.iter().filter(|row| row.tree == tree).collect();
    let specifiers = rows.iter().map(|row| row.specifiers).max().unwrap_or_default();
    let mut out = format!("\nThe application, {tree}, {} specifiers:\n\n", grouped(&specifiers.to_string()));
    out.push_str(&table_head(&HEADS.map(str::to_owned)));
    for row in rows {
        let version = versions.iter().find(|(tool, _)| *tool == row.tool);
        let head = match (row.tool.as_str(), version.map_or("", |(_, version)| number_of(version))) {
            ("rusk", version) => format!("rusk-modules {version}"),
            ("rusk-watch", version) => format!("rusk-modules {version}, watching"),
            ("oxc", version) => format!("oxc-resolver {version}"),
            (tool, version) => format!("{tool} {version}"),
        };
        let cells = row.cells().into_iter().zip(HEADS).map(|(cell, head)| match head.ends_with("ms") {
            true => format!("{cell:.1}"),
            false => grouped(&format!("{cell:.0}")),
        });
        out.push_str(&table_line(&head, cells));
    }
    out
}

fn target_table(rows: &[ResolveRow]) -> String {
    let mut out = table_head(&["target", "measured", "result"].map(str::to_owned));
    for tree in row::trees(rows) {
        for (&(what, bound), found) in row::TARGETS.iter().zip(row::ratios(rows, tree).unwrap_or_default()) {
            let verdict = if found <= bound { "pass" } else { "FAIL" };
            let cells = [format!("≤ {bound:.2}"), format!("{found:.2}"), verdict.to_owned()];
            out.push_str(&table_line(&format!("{tree}, {what}, of oxc-resolver"), cells.into_iter()));
        }
    }
    out
}
