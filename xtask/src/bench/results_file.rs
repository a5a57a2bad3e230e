//! Reading stored results: a file of `bench/results`, its members, and the line that says where it
//! was measured.

use crate::files;
use rusk_npm::json::{self, Dialect, Node, Value};

/// The content of a file of `bench/results`.
pub fn find(name: &str) -> Option<String> {
    files::find(&files::root().join("bench/results").join(name))
}

/// Parses the content; `name` is for the error.
pub fn parse<'t>(name: &str, text: &'t str) -> Result<Node<'t>, String> {
    json::parse(text, Dialect::Strict).map_err(|error| format!("{name}: {error:?}"))
}

/// The day, the number of rounds and the machine.
pub fn run_line(root: &Node<'_>, rounds: usize) -> String {
    format!("{}, {rounds} rounds: {}", text(root, "date"), machine_line(root))
}

/// The machine.
pub fn machine_line(root: &Node<'_>) -> String {
    let machine = |key| root.find("machine").map(|machine| text(machine, key)).unwrap_or_default();
    let memory = memory(&machine("memory"));
    format!("{}, {} cores, {memory}, Linux {}", machine("processor"), machine("cores"), machine("kernel"))
}

/// One line of a table.
pub fn table_line(head: &str, cells: impl Iterator<Item = String>) -> String {
    format!("| {head} | {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

/// The head of a table.
pub fn table_head(cells: &[String]) -> String {
    format!("| | {} |\n|---|{}\n", cells.join(" | "), "--:|".repeat(cells.len()))
}

/// `12345` as `12,345`.
pub fn grouped(digits: &str) -> String {
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

pub fn number(node: &Node<'_>) -> Option<f64> {
    match node.value {
        Value::Number(digits) => digits.parse().ok(),
        _ => None,
    }
}

/// The numbers of a list.
pub fn numbers(node: &Node<'_>) -> Vec<f64> {
    node.elements().iter().filter_map(number).collect()
}

/// A member as a string; the digits of a number.
pub fn text(node: &Node<'_>, key: &str) -> String {
    match node.find(key).map(|member| &member.value) {
        Some(Value::String(text)) => text.to_string(),
        Some(Value::Number(digits)) => (*digits).to_owned(),
        _ => String::new(),
    }
}

pub fn members<'n>(root: &'n Node<'_>, key: &str) -> Vec<(&'n str, &'n str)> {
    let members = root.find(key).map(Node::members).unwrap_or_default();
    members.iter().map(|member| (&*member.key, member.node.as_str().unwrap_or_default())).collect()
}

/// `deno 2.9.6 (stable, release)` as `2.9.6`, `v20.1.0` as `20.1.0`.
pub fn number_of(version: &str) -> &str {
    let arguments = version.split(' ').map(|word| word.trim_start_matches('v').trim_end_matches(')'));
    let digit = |word: &&str| word.starts_with(|first: char| first.is_ascii_digit());
    arguments.into_iter().find(digit).unwrap_or(version)
}

/// `24653536 kB` as `24 GiB`, rounded.
fn memory(kilobytes: &str) -> String {
    let kib: f64 = kilobytes.split(' ').next().and_then(|digits| digits.parse().ok()).unwrap_or_default();
    format!("{:.0} GiB", kib / 1_048_576.0)
}

#[cfg(test)]
mod tests;
