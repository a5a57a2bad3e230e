//! Coverage as a table for terminals and logs, as bun's, with branches. In: files. Out: text.

use rusk_terminal::width;

use super::{CoverageSums, CoverageThresholds, CoveredPart, FileCoverage};
use crate::reporter::paint::Paint;

const ALL: &str = "All files";
const NUMBER_COLUMNS: usize = 7;
const UNCOVERED: &str = "Uncovered Line #s";

pub fn render(files: &[FileCoverage], thresholds: CoverageThresholds, paint: Paint) -> String {
    let name_columns =
        files.iter().map(|file| width::columns(&file.path) + 1).max().unwrap_or(0).max(ALL.len()) + 1;
    let rule = format!(
        "{}|{}|{}|{}|{}\n",
        "-".repeat(name_columns),
        "-".repeat(NUMBER_COLUMNS + 2),
        "-".repeat(NUMBER_COLUMNS + 2),
        "-".repeat(NUMBER_COLUMNS + 3),
        "-".repeat(UNCOVERED.len() + 2)
    );
    let head = format!("{}| % Funcs | % Lines | % Branch | {UNCOVERED}\n", pad("File", name_columns));
    let mut text = format!("{rule}{head}{rule}");
    let row = |name: &str, sums: CoverageSums, uncovered: &str| {
        let cell = |part, limit, columns| number(part, limit, columns, paint);
        let cells = [
            cell(sums.functions, thresholds.functions, NUMBER_COLUMNS),
            cell(sums.lines, thresholds.lines, NUMBER_COLUMNS),
            cell(sums.branches, thresholds.branches, NUMBER_COLUMNS + 1),
        ];
        let line = format!("{}| {} | {uncovered}", pad(name, name_columns), cells.join(" | "));
        format!("{}\n", line.trim_end())
    };
    text.push_str(&row(ALL, CoverageSums::all(files), ""));
    for file in files {
        let uncovered = paint.red(&file.uncovered_lines());
        let uncovered = if file.uncovered_lines().is_empty() { String::new() } else { uncovered };
        text.push_str(&row(&format!(" {}", file.path), file.sums(), &uncovered));
    }
    text.push_str(&rule);
    text
}

/// Red below the threshold.
fn number(part: CoveredPart, threshold: Option<f64>, columns: usize, paint: Paint) -> String {
    let shown = format!("{:>columns$.2}", part.ratio() * 100.0);
    match part.ratio() < threshold.unwrap_or(0.0) {
        true => paint.red(&shown),
        false => paint.green(&shown),
    }
}

fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width::columns(text))))
}
