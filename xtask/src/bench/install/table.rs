//! Prints measured rows: medians, spread of the samples, ratios.

use super::plan::Session;
use super::results::Results;
use super::row::{self, InstallRow};
use super::scenario::Scenario;
use crate::bench::median::spread;

#[allow(clippy::print_stdout, reason = "the table is the output of the task")]
pub fn print(session: &Session, scenario: Scenario, results: &Results) {
    println!(
        "\n{}, {}, {}: {}",
        session.fixture,
        session.directory.display(),
        session.network.description(),
        scenario.description
    );
    println!(
        "{:<14}{:>10}{:>8}{:>10}{:>10}{:>10}{:>8}{:>8}",
        "", "wall ms", "spread", "cpu ms", "peak MiB", "calls", "files", "× rusk"
    );
    for tool in &session.tools {
        if let Some(row) = results.rows.iter().find(|row| row.is(scenario.name, tool)) {
            println!("{}", line(row, results));
        }
    }
}

fn line(row: &InstallRow, results: &Results) -> String {
    if let Some(message) = &row.failure {
        return format!("{:<14}  failed: {message}", row.tool);
    }
    let shown = |number: Option<String>| number.unwrap_or_else(|| "–".to_owned());
    format!(
        "{:<14}{:>10.1}{:>7.0}%{:>10.1}{:>10.1}{:>10}{:>8}{:>8}",
        row.tool,
        row.median(row::wall),
        100.0 * spread(&row.list(row::wall)),
        row.median(row::cpu),
        row.median(row::peak),
        shown(row.system_calls.map(|calls| calls.to_string())),
        row.tree.files,
        shown(results.times_rusk(row).map(|ratio| format!("{ratio:.2}"))),
    )
}
