//! The tables of `bench install`: one section for each file system that was measured, medians only.

use crate::bench::stored::{self, grouped, members, number, number_of, numbers, text};
use crate::bench::table::median;
use rusk_npm::json::Node;
use std::fmt::Write;

/// The manifest that README.md shows; the others stay in `bench/results`.
const FIXTURE: &str = "thousand";

/// What one number of a table is, of the samples of a row.
struct Measure {
    member: &'static str,
    unit: &'static str,
    divisor: f64,
    decimals: usize,
}

const WALL: Measure = Measure { member: "wall_ms", unit: "wall, s", divisor: 1000.0, decimals: 3 };
/// Shown besides in the scenario `warm`.
const WARM: &[Measure] = &[
    Measure { member: "cpu_ms", unit: "CPU, s", divisor: 1000.0, decimals: 2 },
    Measure { member: "peak_mib", unit: "peak memory, MiB", divisor: 1.0, decimals: 0 },
    Measure { member: "system_calls", unit: "system calls", divisor: 1.0, decimals: 0 },
];

/// One section for each file system that was measured.
pub fn tables() -> Result<String, String> {
    let mut out = String::new();
    for filesystem in ["ext4", "tmpfs"] {
        let name = format!("install-{FIXTURE}-{filesystem}.json");
        let Some(text) = stored::find(&name) else { continue };
        let root = stored::parse(&name, &text)?;
        section(&mut out, &name, &root);
    }
    Ok(out)
}

fn section(out: &mut String, name: &str, root: &Node<'_>) {
    let tools: Vec<(&str, &str)> = members(root, "versions");
    let heads = tools.iter().map(|(tool, version)| format!("{tool} {}", number_of(version)));
    let heads: Vec<String> = heads.collect();
    let filesystem = root.find("machine").map(|machine| text(machine, "filesystem")).unwrap_or_default();
    let _ = writeln!(out, "\n**{filesystem}**, {}\n", stored::place_line(root, rounds(root)));
    out.push_str(&stored::table_head(&heads));
    let rows = root.find("rows").map(Node::elements).unwrap_or_default();
    for scenario in ["idle", "warm", "cold", "nothing"] {
        if !rows.iter().any(|row| text(row, "scenario") == scenario) {
            continue;
        }
        let mut line = |measure: &Measure| {
            let cells = tools.iter().map(|(tool, _)| cell(root, scenario, tool, measure));
            out.push_str(&stored::table_line(&format!("{scenario}: {}", measure.unit), cells));
        };
        line(&WALL);
        if scenario == "warm" {
            WARM.iter().for_each(line);
        }
    }
    let _ = writeln!(out, "\nEvery sample: [bench/results/{name}](bench/results/{name})");
}

/// The most samples that a tool has in a scenario.
fn rounds(root: &Node<'_>) -> usize {
    let rows = root.find("rows").map(Node::elements).unwrap_or_default();
    let samples = rows.iter().filter_map(|row| row.find(WALL.member));
    samples.map(|samples| samples.elements().len()).max().unwrap_or_default()
}

/// The median of a tool in a scenario; `–` when it failed or was not measured.
fn cell(root: &Node<'_>, scenario: &str, tool: &str, measure: &Measure) -> String {
    let rows = root.find("rows").map(Node::elements).unwrap_or_default();
    let row = rows.iter().find(|row| text(row, "scenario") == scenario && text(row, "tool") == tool);
    let Some(value) = row.and_then(|row| row.find(measure.member)) else { return "–".to_owned() };
    let samples: Vec<f64> = match value.is_array() {
        true => numbers(value),
        false => number(value).into_iter().collect(),
    };
    match samples.is_empty() || row.is_some_and(|row| row.find("failure").is_some()) {
        true => "–".to_owned(),
        false => grouped(&format!("{:.*}", measure.decimals, median(samples) / measure.divisor)),
    }
}
