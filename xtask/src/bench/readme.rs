//! `bench readme`: the measured tables of README.md, drawn from what `bench install` stored. In: the JSON texts of
//! `bench/results`. Out: Markdown, medians only. A test compares README.md with it.

use super::table::median;
use crate::place;
use rusk_npm::json::{self, Dialect, Node};
use std::fmt::Write;

/// The manifest that README.md shows; the others stay in `bench/results`.
const FIXTURE: &str = "thousand";
const BEGIN: &str = "<!-- drawn by `cargo xtask bench readme` -->\n";
const END: &str = "<!-- end -->\n";

/// What one number of a table is, of the samples of a row.
struct Measure {
    member: &'static str,
    unit: &'static str,
    divisor: f64,
    decimals: usize,
}

const WALL: Measure = Measure { member: "wall_ms", unit: "wall, s", divisor: 1000.0, decimals: 3 };
const WARM: &[Measure] = &[
    WALL,
    Measure { member: "cpu_ms", unit: "CPU, s", divisor: 1000.0, decimals: 2 },
    Measure { member: "peak_mib", unit: "peak memory, MiB", divisor: 1.0, decimals: 0 },
    Measure { member: "system_calls", unit: "system calls", divisor: 1.0, decimals: 0 },
];

/// Writes the tables into README.md.
pub fn write() -> Result<(), String> {
    let path = place::root().join("README.md");
    let readme = place::find(&path).ok_or("no README.md")?;
    place::write(&path, &with_tables(&readme, &tables()?)?)
}

/// README.md with these tables between the two marks.
pub fn with_tables(readme: &str, tables: &str) -> Result<String, String> {
    let marks = "README.md: expected the marks of `bench readme`";
    let (before, rest) = readme.split_once(BEGIN).ok_or(marks)?;
    let (_, after) = rest.split_once(END).ok_or(marks)?;
    Ok(format!("{before}{BEGIN}{tables}{END}{after}"))
}

/// One section for each file system that was measured.
pub fn tables() -> Result<String, String> {
    let mut out = String::new();
    for filesystem in ["ext4", "tmpfs"] {
        let name = format!("bench/results/install-{FIXTURE}-{filesystem}.json");
        let Some(text) = place::find(&place::root().join(&name)) else { continue };
        let root = json::parse(&text, Dialect::Strict).map_err(|error| format!("{name}: {error:?}"))?;
        section(&mut out, &name, &root);
    }
    Ok(out)
}

fn section(out: &mut String, name: &str, root: &Node<'_>) {
    let machine = |key| root.find("machine").map(|machine| text(machine, key)).unwrap_or_default();
    let tools: Vec<(&str, &str)> = members(root, "versions");
    let heads = tools.iter().map(|(tool, version)| format!("{tool} {}", number_of(version)));
    let heads: Vec<String> = heads.collect();
    let _ = writeln!(
        out,
        "\n**{}**, {}, {} rounds: {}, {} cores, {}, Linux {}\n",
        machine("filesystem"),
        text(root, "date"),
        rounds(root),
        machine("processor"),
        machine("cores"),
        memory(&machine("memory")),
        machine("kernel"),
    );
    let _ = writeln!(out, "| | {} |\n|---|{}", heads.join(" | "), "--:|".repeat(tools.len()));
    let rows = root.find("rows").map(Node::elements).unwrap_or_default();
    for scenario in ["idle", "warm", "cold", "nothing"] {
        if !rows.iter().any(|row| text(row, "scenario") == scenario) {
            continue;
        }
        line(
            out,
            &format!("{scenario}: {}", WALL.unit),
            tools.iter().map(|(tool, _)| cell(root, scenario, tool, &WALL)),
        );
        if scenario == "warm" {
            for measure in &WARM[1..] {
                let cells = tools.iter().map(|(tool, _)| cell(root, scenario, tool, measure));
                line(out, &format!("warm: {}", measure.unit), cells);
            }
        }
    }
    let _ = writeln!(out, "\nEvery sample: [{name}]({name})");
}

/// The most samples that a tool has in a scenario.
fn rounds(root: &Node<'_>) -> usize {
    let rows = root.find("rows").map(Node::elements).unwrap_or_default();
    let samples = rows.iter().filter_map(|row| row.find(WALL.member));
    samples.map(|samples| samples.elements().len()).max().unwrap_or_default()
}

fn line(out: &mut String, head: &str, cells: impl Iterator<Item = String>) {
    let _ = writeln!(out, "| {head} | {} |", cells.collect::<Vec<_>>().join(" | "));
}

/// The median of a tool in a scenario; `–` when it failed or was not measured.
fn cell(root: &Node<'_>, scenario: &str, tool: &str, measure: &Measure) -> String {
    let rows = root.find("rows").map(Node::elements).unwrap_or_default();
    let row = rows.iter().find(|row| text(row, "scenario") == scenario && text(row, "tool") == tool);
    let Some(value) = row.and_then(|row| row.find(measure.member)) else { return "–".to_owned() };
    let samples: Vec<f64> = match value.is_array() {
        true => value.elements().iter().filter_map(number).collect(),
        false => number(value).into_iter().collect(),
    };
    match samples.is_empty() || row.is_some_and(|row| row.find("failure").is_some()) {
        true => "–".to_owned(),
        false => grouped(&format!("{:.*}", measure.decimals, median(samples) / measure.divisor)),
    }
}

/// `12345` as `12,345`.
fn grouped(digits: &str) -> String {
    let whole = digits.split('.').next().unwrap_or(digits).len();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && index < whole && (whole - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn number(node: &Node<'_>) -> Option<f64> {
    match node.value {
        json::Value::Number(digits) => digits.parse().ok(),
        _ => None,
    }
}

/// A member as text, a number as it stands.
fn text(node: &Node<'_>, key: &str) -> String {
    match node.find(key).map(|member| &member.value) {
        Some(json::Value::String(text)) => text.to_string(),
        Some(json::Value::Number(digits)) => (*digits).to_owned(),
        _ => String::new(),
    }
}

fn members<'n>(root: &'n Node<'_>, key: &str) -> Vec<(&'n str, &'n str)> {
    let members = root.find(key).map(Node::members).unwrap_or_default();
    members.iter().map(|member| (&*member.key, member.node.as_str().unwrap_or_default())).collect()
}

/// `deno 2.9.6 (stable, release)` as `2.9.6`.
fn number_of(version: &str) -> &str {
    let digit = |word: &&str| word.starts_with(|first: char| first.is_ascii_digit());
    version.split(' ').find(digit).unwrap_or(version)
}

/// `24653536 kB` as `24 GiB`, rounded.
fn memory(kilobytes: &str) -> String {
    let kib: f64 = kilobytes.split(' ').next().and_then(|digits| digits.parse().ok()).unwrap_or_default();
    format!("{:.0} GiB", kib / 1_048_576.0)
}

#[cfg(test)]
mod tests;
