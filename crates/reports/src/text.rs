//! Numbers and outcomes as users read them: counts, durations, sizes, the one line that says what
//! an install did.

use std::time::Duration;

use rusk_base::problem::printable;
use rusk_configuration::request::Goal;
use rusk_install::Summary;
use rusk_install::summary::{LocationChange, LockfileOutcome};

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
        (_, LockfileOutcome::Written) if moved == 0 && summary.installed == 0 => {
            format!("{lockfile} written")
        }
        (_, LockfileOutcome::Removed) if moved == 0 => format!("{lockfile} removed, {packages} unchanged"),
        (_, LockfileOutcome::Written) if moved == 0 => format!("{lockfile} written, {packages} unchanged"),
        _ if moved == 0 && !summary.scripts_run.is_empty() => format!("{packages} unchanged"),
        _ if moved == 0 => format!("nothing to do: {packages}"),
        _ if moved == summary.added && moved == summary.installed => format!("{packages} installed"),
        _ => format!("{packages} installed: {}", moves(summary, ["added", "changed", "removed"])),
    }
}

/// Locations that are named; there may be thousands.
const LOCATIONS_MAX: usize = 20;

/// `~ node_modules/left 1.3.0`, `- node_modules/left`: a line for each location that changes.
pub fn location_lines(summary: &Summary) -> Vec<String> {
    let line = |change: &LocationChange| match &change.after {
        Some(after) => format!("~ {} {}", printable(&change.path), printable(after)),
        None => format!("- {}", printable(&change.path)),
    };
    let mut lines: Vec<String> = summary.locations.iter().take(LOCATIONS_MAX).map(line).collect();
    let hidden = summary.locations.len().saturating_sub(LOCATIONS_MAX);
    if hidden > 0 {
        lines.push(format!("and {hidden} more"));
    }
    lines
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
