//! A [`Summary`] as text: the direct dependencies that changed, the scripts that were held back,
//! one line of counts; and the formats of numbers.

use std::time::Duration;

use rusk_base::problem::printable;
use rusk_install::Summary;
use rusk_install::request::Goal;
use rusk_install::summary::{Change, LockfileOutcome};

use super::style::{Highlight, OutputStyle, Verbosity};
use super::width::wrap;
use crate::flags::help::COLUMNS;

/// Packages with scripts that are named; `--verbose` names the rest.
const NAMED_MAX: usize = 10;

/// The lines for stdout, each with its end.
pub fn text(summary: &Summary, goal: Goal, style: &OutputStyle) -> String {
    let mut text = String::new();
    for change in &summary.direct {
        if let Some(line) = change_line(change, style) {
            text.push_str(&line);
            text.push('\n');
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    for line in scripts_lines(&summary.scripts_held_back, style) {
        text.push_str(&line);
        text.push('\n');
    }
    let time = format!("[{}]", duration(summary.times.total));
    let time = style.for_stdout(Highlight::Faint, &time);
    text.push_str(&format!("{} {time}\n", outcome(summary, goal)));
    text
}

/// For `--verbose`: how long each phase took.
pub fn times(summary: &Summary) -> String {
    let times = &summary.times;
    let phases = [
        ("resolve", times.resolve),
        ("fetch", times.fetch),
        ("link", times.link),
        ("scripts", times.scripts),
        ("total", times.total),
    ];
    let list: Vec<String> = phases.iter().map(|(name, time)| format!("{name} {}", duration(*time))).collect();
    let fetched = format!("{}, {}", counted(summary.fetched, "tarball"), bytes_text(summary.fetched_bytes));
    format!("fetched {fetched}\n{}", list.join(", "))
}

/// `+ left 1.3.0`, `~ left 1.2.0 → 1.3.0`, `- left`.
fn change_line(change: &Change, style: &OutputStyle) -> Option<String> {
    let name = printable(&change.name);
    match (&change.before, &change.after) {
        (None, None) => None,
        (None, Some(after)) => {
            Some(format!("{} {name} {}", style.for_stdout(Highlight::Added, "+"), printable(after)))
        }
        (Some(before), Some(after)) => Some(format!(
            "{} {name} {} {} {}",
            style.for_stdout(Highlight::Changed, "~"),
            printable(before),
            style.arrow(),
            printable(after)
        )),
        (Some(_), None) => Some(format!("{} {name}", style.for_stdout(Highlight::Removed, "-"))),
    }
}

pub fn scripts_lines(held_back: &[String], style: &OutputStyle) -> Vec<String> {
    if held_back.is_empty() {
        return Vec::new();
    }
    let named = if style.verbosity == Verbosity::Verbose { held_back.len() } else { NAMED_MAX };
    let mut list: Vec<String> = held_back.iter().take(named).map(|name| printable(name).into()).collect();
    let hidden = held_back.len().saturating_sub(named);
    if hidden > 0 {
        list.push(format!("and {hidden} more (`--verbose` names them)"));
    }
    let have = if held_back.len() == 1 { "has" } else { "have" };
    let text = format!(
        "{} {have} install scripts that were not run: {}",
        counted(held_back.len(), "package"),
        list.join(", ")
    );
    wrap(&text, COLUMNS, 2)
}

/// What happened, in one line without its end.
pub fn outcome(summary: &Summary, goal: Goal) -> String {
    let moved = summary.added + summary.changed + summary.removed;
    let packages = counted(summary.installed, "package");
    let lockfile = summary.lockfile_format.file_name();
    match (goal, summary.lockfile) {
        (Goal::LockfileOnly, LockfileOutcome::Written) => format!("{lockfile} written"),
        (Goal::LockfileOnly, LockfileOutcome::Removed) => format!("{lockfile} removed"),
        (Goal::LockfileOnly, LockfileOutcome::Unchanged) => format!("{lockfile} is up to date"),
        (Goal::LockfileOnly, LockfileOutcome::Withheld) => format!("{lockfile} would change"),
        (Goal::DryRun, LockfileOutcome::Unchanged) if moved == 0 => {
            format!("dry run, nothing to do: {packages}")
        }
        (Goal::DryRun, _) if moved == 0 => format!("dry run, nothing written: {lockfile} would change"),
        (Goal::DryRun, _) => {
            format!("dry run, nothing written: {}", moves(summary, ["to add", "to change", "to remove"]))
        }
        (_, LockfileOutcome::Removed) if moved == 0 => format!("{lockfile} removed, {packages} unchanged"),
        (_, LockfileOutcome::Written) if moved == 0 => format!("{lockfile} written, {packages} unchanged"),
        _ if moved == 0 => format!("nothing to do: {packages}"),
        _ if moved == summary.added && moved == summary.installed => format!("{packages} installed"),
        _ => format!("{packages} installed: {}", moves(summary, ["added", "changed", "removed"])),
    }
}

/// `300 added, 3 removed`: what is none is not moved.
fn moves(summary: &Summary, verbs: [&str; 3]) -> String {
    let counts = [summary.added, summary.changed, summary.removed];
    let moved = counts.iter().zip(verbs).filter(|(count, _)| **count > 0);
    moved.map(|(count, word)| format!("{count} {word}")).collect::<Vec<_>>().join(", ")
}

/// `1 package`, `2 packages`.
pub fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

/// `12ms`, `1.24s`, `2m 5s`.
pub fn duration(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{}ms", time.as_millis()),
        1..=59 => format!("{:.2}s", time.as_millis() as f64 / 1000.0),
        seconds => format!("{}m {}s", seconds / 60, seconds % 60),
    }
}

/// `812 B`, `4.2 kB`, `45.2 MB`: thousands, as registries count.
pub fn bytes_text(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let mut scaled = bytes as f64 / 1000.0;
    let mut unit = 0;
    // 999.95 would be printed as 1000.0.
    while scaled >= 999.95 && unit + 1 < UNITS.len() {
        scaled /= 1000.0;
        unit += 1;
    }
    format!("{scaled:.1} {}", UNITS[unit])
}

#[cfg(test)]
mod tests;
