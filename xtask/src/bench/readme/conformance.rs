//! Tables of `docs/compatibility/conformance.md`: results of external test suites. In: the JSON
//! files of `conformance`. Out: Markdown.

use crate::bench::results_file::{number_of, table_head, table_line};
use crate::conformance::flags::OPENSSL_3_5;
use crate::conformance::programs::results::ProgramResults;
use crate::conformance::summary::{AreaRow, ConformanceSummary};
use crate::conformance::{node_api, test262};

pub fn node() -> Result<String, String> {
    directory("node")
}

/// Both suites with the libraries of Debian 13.
pub fn openssl() -> Result<String, String> {
    Ok(directory(&format!("node-{OPENSSL_3_5}"))? + &directory(&format!("wpt-{OPENSSL_3_5}"))?)
}

pub fn node_api() -> Result<String, String> {
    table(node_api::SUMMARY, |area| format!("{area}.txt"))
}

pub fn wpt() -> Result<String, String> {
    directory("wpt")
}

pub fn test262() -> Result<String, String> {
    table(test262::SUMMARY, |_| "test262.txt".to_owned())
}

pub fn programs() -> Result<String, String> {
    let stored = ProgramResults::read()?;
    if stored.rows.is_empty() {
        return Ok("\nNo results are stored.\n".to_owned());
    }
    let versions: Vec<String> =
        stored.versions.iter().map(|(name, message)| format!("{name} {}", number_of(message))).collect();
    let mut out =
        format!("\n{}: {}\n\n| | | rusk | bun |\n|---|---|---|---|\n", stored.date, versions.join(", "));
    for row in &stored.rows {
        let message = |difference: Option<&str>| {
            difference.map_or("as node".to_owned(), |line| line.replace('|', "\\|"))
        };
        let bun = row
            .bun
            .as_ref()
            .map_or_else(String::new, |bun| if bun.is_none() { "as node" } else { "differs" }.to_owned());
        let package = format!("{} {}", row.package, row.version);
        out.push_str(&table_line(&row.name, [package, message(row.rusk.as_deref()), bun].into_iter()));
    }
    Ok(out)
}

/// A suite with a list for each area, in a directory.
fn directory(name: &str) -> Result<String, String> {
    table(&format!("conformance/{name}.json"), |area| format!("{name}/{area}.txt"))
}

fn table(file: &str, list: impl Fn(&str) -> String) -> Result<String, String> {
    let summary = ConformanceSummary::read(file)?;
    if summary.rows.is_empty() {
        return Ok("\nNo results are stored.\n".to_owned());
    }
    let version = |name: &str| {
        let message = summary.versions.get(name).map(|message| number_of(message)).unwrap_or_default();
        format!("{name} {message}")
    };
    let heads = ["files".to_owned(), "count".to_owned(), version("node"), version("bun"), version("rusk")];
    let heads = heads.into_iter().chain(["rusk, %".to_owned(), "target".to_owned(), "result".to_owned()]);
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

fn sum(summary: &ConformanceSummary) -> AreaRow {
    let rows = || summary.rows.values();
    AreaRow {
        area: String::new(),
        target: None,
        files: rows().map(|row| row.files).sum(),
        counted: rows().map(|row| row.counted).sum(),
        rusk: rows().map(|row| row.rusk).sum(),
        node: rows().map(|row| row.node).sum(),
        bun: rows().map(|row| row.bun).sum(),
    }
}

fn cells(row: &AreaRow) -> Vec<String> {
    let verdict =
        |target: u32| if percent(row.rusk, row.counted) >= target as usize { "pass" } else { "FAIL" };
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

/// Integer percentage, rounded down, so that a missed target never looks reached.
fn percent(part: usize, whole: usize) -> usize {
    (part * 100).checked_div(whole).unwrap_or_default()
}
