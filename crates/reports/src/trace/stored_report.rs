//! Reads a report that `--json` wrote, for `--compare`. In: the JSON. Out: the members that are
//! compared; others are ignored.

use std::path::Path;

use rusk_base::{Result, files};
use rusk_npm::json::{self, Dialect, Node, Value};
use rusk_observe::compare::{StoredReport, StoredSyscall};

use super::json::VERSION;
use crate::problem;

/// A report of a thousand processes has 20 MB; nothing that is one has more than this.
const BYTES_MAX: u64 = 256 << 20;

pub fn read(file: &Path) -> Result<StoredReport> {
    parse(&files::read_to_string(file, BYTES_MAX)?).map_err(|found| problem::bad_report(file, &found))
}

/// The error says what was found.
fn parse(text: &str) -> std::result::Result<StoredReport, String> {
    // The program's own output may come before it.
    let line = text.trim_end().rsplit('\n').next().unwrap_or_default();
    let root = json::parse(line, Dialect::Strict).map_err(|_| "its last line is not JSON".to_owned())?;
    match root.find("version").and_then(number) {
        Some(version) if version == u64::from(VERSION) => {}
        Some(version) => return Err(format!("found version {version}, expected {VERSION}")),
        None => return Err("it has no version".to_owned()),
    }
    let arguments = root.find("command").map(Node::elements).unwrap_or_default();
    let arguments: Vec<&str> = arguments.iter().filter_map(Node::as_str).collect();
    let calls = root.find("calls").ok_or("it has no calls")?.elements();
    Ok(StoredReport {
        command: arguments.join(" "),
        wall_ns: root.find("wallNs").and_then(number).unwrap_or_default(),
        calls: calls
            .iter()
            .map(|call| sum(call).ok_or("a call has no name or no count"))
            .collect::<std::result::Result<_, _>>()?,
    })
}

fn sum(call: &Node<'_>) -> Option<StoredSyscall> {
    let errors = call.find("errors").map(Node::members).unwrap_or_default();
    Some(StoredSyscall {
        name: call.find("name")?.as_str()?.to_owned(),
        waits: call.find("waits")?.as_bool()?,
        count: number(call.find("count")?)?,
        errors: errors.iter().filter_map(|error| number(&error.node)).fold(0, u64::saturating_add),
        total_ns: number(call.find("totalNs")?)?,
    })
}

fn number(node: &Node<'_>) -> Option<u64> {
    match node.value {
        Value::Number(digits) => digits.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
