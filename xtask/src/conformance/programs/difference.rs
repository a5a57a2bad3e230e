//! First difference between a run and node's. In: two runs. Out: one line, or `None`.

use super::Effects;
use rusk_testkit::bounded_process::BoundedRun;
use rusk_testkit::snapshot;

/// A differing line is truncated to this.
const SHOWN_CHARS: usize = 120;

pub fn first(node: &Effects, other: &Effects) -> Option<String> {
    streams(&node.ended, &other.ended)
        .or_else(|| snapshot::differences(("node", &node.files), ("here", &other.files)).into_iter().next())
}

fn streams(node: &BoundedRun, other: &BoundedRun) -> Option<String> {
    let stream = |name: &str, a: &str, b: &str| {
        let (a, b) = (lines(a), lines(b));
        let at = (0..a.len().max(b.len())).find(|&at| a.get(at) != b.get(at))?;
        let shown = |line: Option<&String>| match line {
            Some(line) => format!("`{}`", line.chars().take(SHOWN_CHARS).collect::<String>()),
            None => "nothing".to_owned(),
        };
        Some(format!("{name}, line {}: node {}, here {}", at + 1, shown(a.get(at)), shown(b.get(at))))
    };
    // The reason of an exit code is on standard error.
    let code =
        || (node.end != other.end).then(|| format!("node ends with {:?}, here {:?}", node.end, other.end));
    let error = stream("stderr", &node.stderr, &other.stderr);
    let output = || stream("stdout", &node.stdout, &other.stdout);
    error.or_else(output).or_else(code)
}

/// Drops stack frames inside the runtime; of other frames the file name, line and column remain.
/// How long something took is not compared.
fn lines(text: &str) -> Vec<String> {
    let is_inside = |line: &&str| line.trim_start().starts_with("at ") && line.contains("node:");
    let shown = |line| position(line).map_or_else(|| without_durations(line), str::to_owned);
    text.lines().filter(|line| !is_inside(line)).map(shown).collect()
}

/// Each number with a unit of time after it becomes `#`: `in 1.25s` is `in #s`.
fn without_durations(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(|character: char| character.is_ascii_digit()) {
        let (before, number) = rest.split_at(at);
        shown.push_str(before);
        let end = number.find(|character: char| !character.is_ascii_digit() && character != '.');
        let (digits, after) = number.split_at(end.unwrap_or(number.len()));
        let unit = after.find(|character: char| !character.is_alphabetic()).unwrap_or(after.len());
        let is_duration = matches!(&after[..unit], "ms" | "s" | "\u{b5}s" | "\u{3bc}s");
        let is_within_word = before.ends_with(|character: char| character.is_alphanumeric());
        shown.push_str(if is_duration && !is_within_word { "#" } else { digits });
        rest = after;
    }
    shown + rest
}

/// The end of `at Context.<anonymous> (test/a.js:1:2)`: the engine does not report the receiver of
/// a call, and programs shorten paths.
fn position(line: &str) -> Option<&str> {
    let inside = line.trim_start().strip_prefix("at ")?.trim_end_matches(')');
    let name = inside.rsplit(['/', '(', ' ']).next()?;
    let mut numbers = name.rsplit(':').take(2);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    (numbers.clone().count() == 2 && numbers.all(is_number)).then_some(name)
}

#[cfg(test)]
mod tests;
