//! The first thing in which a run differs from node's. In: two runs. Out: a line about it, or
//! nothing.

use super::Effects;
use crate::bounded_process::BoundedRun;
use crate::snapshot;

/// Of a line that differs, so much is shown.
const SHOWN_CHARS: usize = 120;

pub fn first(node: &Effects, other: &Effects) -> Option<String> {
    streams(&node.ended, &other.ended)
        .or_else(|| snapshot::differences(("node", &node.files), ("here", &other.files)).into_iter().next())
}

fn streams(node: &BoundedRun, other: &BoundedRun) -> Option<String> {
    let stream = |name: &str, a: &str, b: &str| {
        let (a, b) = (lines(a), lines(b));
        let at = (0..a.len().max(b.len())).find(|&at| a.get(at) != b.get(at))?;
        let shown = |line: Option<&&str>| match line {
            Some(line) => format!("`{}`", line.chars().take(SHOWN_CHARS).collect::<String>()),
            None => "nothing".to_owned(),
        };
        Some(format!("{name}, line {}: node {}, here {}", at + 1, shown(a.get(at)), shown(b.get(at))))
    };
    // What went wrong is told on standard error.
    let code =
        || (node.end != other.end).then(|| format!("node ends with {:?}, here {:?}", node.end, other.end));
    let error = stream("stderr", &node.stderr, &other.stderr);
    let output = || stream("stdout", &node.stdout, &other.stdout);
    error.or_else(output).or_else(code)
}

/// Without the places inside the runtime that stacks go through; of other places in stacks the
/// file's name, line and column.
fn lines(text: &str) -> Vec<&str> {
    let is_inside = |line: &&str| line.trim_start().starts_with("at ") && line.contains("node:");
    text.lines().filter(|line| !is_inside(line)).map(|line| position(line).unwrap_or(line)).collect()
}

/// Of `at Context.<anonymous> (test/a.js:1:2)` the end: on what an object a function was called,
/// the engine does not tell, and programs shorten paths by it.
fn position(line: &str) -> Option<&str> {
    let inside = line.trim_start().strip_prefix("at ")?.trim_end_matches(')');
    let name = inside.rsplit(['/', '(', ' ']).next()?;
    let mut numbers = name.rsplit(':').take(2);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    (numbers.clone().count() == 2 && numbers.all(is_number)).then_some(name)
}

#[cfg(test)]
mod tests;
