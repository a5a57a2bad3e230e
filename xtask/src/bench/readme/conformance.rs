//! The tables of `docs/compatibility/conformance.md`: what others' tests say of the runtime. In:
//! the JSON texts of `conformance`. Out: Markdown.

use crate::bench::stored::{number_of, table_head, table_line};
use crate::conformance::programs::stored::Stored;
use crate::conformance::summary::{Row, Summary};
use crate::conformance::{node, test262, wpt};

pub fn node() -> Result<String, String> {
    table(node::SUMMARY, |area| format!("node/{area}.txt"))
}

pub fn wpt() -> Result<String, String> {
    table(wpt::SUMMARY, |area| format!("wpt/{area}.txt"))
}

pub fn test262() -> Result<String, String> {
    table(test262::SUMMARY, |_| "test262.txt".to_owned())
}

pub fn programs() -> Result<String, String> {
    let stored = Stored::read()?;
    if stored.rows.is_empty() {
        return Ok("\nNo results are stored.\n".to_owned());
    }
    let versions: Vec<String> =
        stored.versions.iter().map(|(name, said)| format!("{name} {}", number_of(said))).collect();
    let mut out =
        format!("\n{}: {}\n\n| | | rusk | bun |\n|---|---|---|---|\n", stored.date, versions.join(", "));
    for row in &stored.rows {
        let said = |difference: Option<&str>| {
            difference.map_or("as node".to_owned(), |line| line.replace('|', "\\|"))
        };
        let bun = row
            .bun
            .as_ref()
            .map_or_else(String::new, |bun| if bun.is_none() { "as node" } else { "differs" }.to_owned());
        let package = format!("{} {}", row.package, row.version);
        out.push_str(&table_line(&row.name, [package, said(row.rusk.as_deref()), bun].into_iter()));
    }
    Ok(out)
}

fn table(file: &'static str, list: fn(&str) -> String) -> Result<String, String> {
    let summary = Summary::read(file)?;
    if summary.rows.is_empty() {
        return Ok("\nNo results are stored.\n".to_owned());
    }
    let version = |name: &str| {
        let said = summary.versions.get(name).map(|said| number_of(said)).unwrap_or_default();
        format!("{name} {said}")
    };
    let heads = ["files".to_owned(), "count".to_owned(), version("node"), version("bun"), version("rusk")];
    let heads = heads.into_iter().chain([String::new(), "wanted".to_owned(), String::new()]);
    let mut out = format!("\n{}\n\n{}", summary.date, table_head(&heads.collect::<Vec<_>>()));
    for row in summary.rows.values() {
        let head = format!("[{}](../../conformance/{})", row.area, list(&row.area));
        out.push_str(&table_line(&head, cells(row).into_iter()));
    }
    if summary.rows.len() > 1 {
        out.push_str(&table_line("all", cells(&sum(&summary)).into_iter()));
    }
    out.push_str(&format!("\nAll counts: [{file}](../../{file})\n"));
    Ok(out)
}

fn sum(summary: &Summary) -> Row {
    let rows = || summary.rows.values();
    Row {
        area: String::new(),
        target: None,
        files: rows().map(|row| row.files).sum(),
        counted: rows().map(|row| row.counted).sum(),
        rusk: rows().map(|row| row.rusk).sum(),
        node: rows().map(|row| row.node).sum(),
        bun: rows().map(|row| row.bun).sum(),
    }
}

fn cells(row: &Row) -> Vec<String> {
    let verdict =
        |target: u32| if percent(row.rusk, row.counted) >= target as usize { "met" } else { "NOT MET" };
    let shown = |number: Option<usize>| number.map_or_else(String::new, |number| number.to_string());
    vec![
        row.files.to_string(),
        row.counted.to_string(),
        row.node.unwrap_or(row.counted).to_string(),
        shown(row.bun),
        row.rusk.to_string(),
        format!("{} %", percent(row.rusk, row.counted)),
        row.target.map_or_else(String::new, |target| format!("{target} %")),
        row.target.map(verdict).unwrap_or_default().to_owned(),
    ]
}

/// Whole per cents, rounded down, so that nothing is met that is not.
fn percent(part: usize, whole: usize) -> usize {
    (part * 100).checked_div(whole).unwrap_or_default()
}
