//! A [`Summary`] as text: the direct dependencies that changed, the scripts that were held back,
//! one line of counts; and the formats of numbers.

use rusk_base::folded;
use rusk_base::problem::printable;
use rusk_configuration::request::Goal;
use rusk_install::Summary;
use rusk_install::summary::Change;
use rusk_terminal::COLUMNS;
use rusk_terminal::style::{Highlight, OutputStyle, Verbosity};
use rusk_terminal::width::wrap;

use crate::text::{bytes_text, counted, duration, location_lines, outcome};

/// Packages with scripts that are named; `--verbose` names the rest.
const NAMED_MAX: usize = 10;

/// The lines for stdout, each with its end. `approve`: the command that approves install scripts.
pub fn text(summary: &Summary, goal: Goal, approve: &str, style: &OutputStyle) -> String {
    let mut text = String::new();
    for change in &summary.direct {
        if let Some(line) = change_line(change, style) {
            text.push_str(&line);
            text.push('\n');
        }
    }
    location_lines(summary).iter().for_each(|line| text.extend([line, "\n"]));
    if !summary.rewritten.is_empty() {
        let files = folded::listed(summary.rewritten.iter().map(String::as_str));
        text.push_str(&format!("new ranges in {}\n", printable(&files)));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    if !summary.scripts_run.is_empty() {
        let ran: Vec<_> = summary.scripts_run.iter().map(|name| printable(name)).collect();
        let line = format!("ran the install scripts of {}", ran.join(", "));
        wrap(&line, COLUMNS, 2).iter().for_each(|line| text.extend([line, "\n"]));
    }
    for line in scripts_lines(&summary.scripts_held_back, style) {
        text.push_str(&line);
        text.push('\n');
    }
    if !summary.scripts_held_back.is_empty() {
        text.push_str(&match summary.scripts_ignored {
            true => format!("`{approve}` shows them; while scripts are ignored, approved ones do not run\n"),
            false => format!("`{approve}` shows what would run, and approves it\n"),
        });
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

#[cfg(test)]
mod tests;
