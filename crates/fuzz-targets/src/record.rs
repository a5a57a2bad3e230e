//! Record of fuzzing: for each target, the time and the inputs of all runs together. In: a file
//! with one line for each target. Out: the same with another run added.

use std::path::Path;

use rusk_npm::json::{self, Dialect, Node, Value};

/// What was run of one target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FuzzTime {
    pub target: String,
    /// Processor time.
    pub seconds: u64,
    /// The part of it that was guided by coverage.
    pub guided_seconds: u64,
    pub inputs: u64,
    /// Runs that ended with a finding, which count no time.
    pub findings: u64,
}

/// Reads the record; empty, if there is none.
pub fn read(path: &Path) -> Result<Vec<FuzzTime>, String> {
    let Ok(text) = std::fs::read_to_string(path) else { return Ok(Vec::new()) };
    let wrong = || format!("{}: expected a record of fuzzing", path.display());
    let root = json::parse(&text, Dialect::Strict).map_err(|_| wrong())?;
    let number = |node: &Node<'_>, key: &str| match node.find(key)?.value {
        Value::Number(text) => text.parse().ok(),
        _ => None,
    };
    let entry = |node: &Node<'_>| {
        Some(FuzzTime {
            target: node.find("target")?.as_str()?.to_owned(),
            seconds: number(node, "seconds")?,
            guided_seconds: number(node, "guided_seconds")?,
            inputs: number(node, "inputs")?,
            findings: number(node, "findings")?,
        })
    };
    root.elements().iter().map(|node| entry(node).ok_or_else(wrong)).collect()
}

/// Adds a run to the record.
pub fn add(path: &Path, run: &FuzzTime) -> Result<(), String> {
    let mut times = read(path)?;
    match times.iter_mut().find(|known| known.target == run.target) {
        Some(known) => {
            known.seconds += run.seconds;
            known.guided_seconds += run.guided_seconds;
            known.inputs += run.inputs;
            known.findings += run.findings;
        }
        None => times.push(run.clone()),
    }
    times.sort_by(|a, b| a.target.cmp(&b.target));
    let line = |time: &FuzzTime| {
        let FuzzTime { target, seconds, guided_seconds, inputs, findings } = time;
        format!(
            r#"  {{"target":"{target}","seconds":{seconds},"guided_seconds":{guided_seconds},"inputs":{inputs},"findings":{findings}}}"#
        )
    };
    let lines: Vec<String> = times.iter().map(line).collect();
    let text = format!("[\n{}\n]\n", lines.join(",\n"));
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests;
