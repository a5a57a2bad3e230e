//! Heat map of latencies: a row for each system call, a column for each power of two; darker cells
//! have more calls.

use rusk_observe::Report;
use rusk_observe::table::time;

use crate::timeline::format::{count, escaped};

/// Calls shown, those that took longest.
const ROWS: usize = 30;
/// Shades from one call to the most.
const SHADES: f64 = 8.0;

pub fn section(report: &Report) -> String {
    let rows: Vec<_> = report.rows.iter().take(ROWS).map(|row| (row, row.stats.times.octaves())).collect();
    let first = rows.iter().filter_map(|(_, octaves)| octaves.iter().position(|count| *count > 0)).min();
    let end = rows.iter().map(|(_, octaves)| octaves.len()).max().unwrap_or_default();
    let most = rows.iter().flat_map(|(_, octaves)| octaves).max().copied().unwrap_or_default();
    let Some(first) = first else { return String::new() };
    let heads: String = (first..end).map(|octave| format!("<th>{}</th>", time(1 << octave))).collect();
    let lines: String = rows
        .iter()
        .map(|(row, octaves)| {
            let name = escaped(&row.name);
            let waits = if row.waits { " <small>waits</small>" } else { "" };
            let cells: String = (first..end)
                .map(|octave| cell(&name, octave, octaves.get(octave).copied().unwrap_or_default(), most))
                .collect();
            format!("<tr><th>{name}{waits}</th>{cells}</tr>\n")
        })
        .collect();
    format!(
        "<section>\n<h2>Latencies <small>number of calls per duration, each column from its value to twice as much</small></h2>\n<div class=\"wide\"><table class=\"heat\">\n\
         <thead><tr><th></th>{heads}</tr></thead>\n<tbody>\n{lines}</tbody>\n</table></div>\n</section>\n"
    )
}

fn cell(name: &str, octave: usize, calls: u64, most: u64) -> String {
    if calls == 0 {
        return "<td></td>".to_owned();
    }
    // Logarithmic: one call is visible next to a million.
    let shade = 1.0 + (octaves_of(calls) / octaves_of(most.max(2)) * (SHADES - 1.0)).round();
    let shown = format!("{name}: {} from {} on", count(calls), time(1 << octave));
    format!("<td class=\"h{shade}\" title=\"{shown}\">{}</td>", short(calls))
}

/// About the logarithm to base 2, straight from one power to the next. The exact one needs libm,
/// which every start of the program would load: nine system calls.
fn octaves_of(count: u64) -> f64 {
    let whole = count.max(1).ilog2();
    f64::from(whole) + (count.max(1) as f64 / (1u64 << whole) as f64 - 1.0)
}

/// In at most four characters.
fn short(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..1_000_000 => format!("{}k", count / 1000),
        _ => format!("{}M", count / 1_000_000),
    }
}
