//! A report as text in 80 columns. In: a [`Report`]. Out: lines. Absent: colour, and what only a
//! page can show.

use std::fmt::Write;

use crate::calls::Aim;
use crate::paths::Count;
use crate::patterns::{Pattern, Remedy};
use crate::report::{Member, Report, Row, Stage};

/// Rows of each part; a page and JSON have all.
const ROWS: usize = 15;
const PROCESSES: usize = 20;
const PATHS: usize = 5;
const PATTERNS: usize = 8;
/// The whole width.
const COLUMNS: usize = 80;
/// Columns for a call's name.
const NAME: usize = 18;
/// Columns for a path.
const PATH: usize = 68;

/// The whole report.
pub fn text(report: &Report) -> String {
    let mut out = head(report);
    push_phases(&mut out, report);
    let (waits, works): (Vec<&Row>, Vec<&Row>) = report.rows.iter().partition(|row| row.waits);
    push_calls(&mut out, "works", &works);
    push_calls(&mut out, "waits", &waits);
    push_errors(&mut out, report);
    push_paths(&mut out, report);
    push_patterns(&mut out, &report.patterns);
    push_processes(&mut out, report);
    out
}

fn head(report: &Report) -> String {
    let watch = &report.watch;
    let mut out = format!(
        "{}\n{}, {}, {}, {}\n",
        cut(&report.command.join(" "), COLUMNS),
        time(watch.wall_ns),
        counted(report.processes_count(), "process", "processes"),
        counted(report.threads(), "thread", "threads"),
        counted(report.count(), "call", "calls"),
    );
    let place = match (watch.collector, watch.on_one_processor) {
        ("ptrace", true) => " on one processor",
        ("ptrace", false) => " on all processors",
        _ => "",
    };
    let _ = writeln!(out, "seen by {}{place}, adding {}", watch.collector, overhead(report));
    if watch.until != "exit" {
        let reached = if watch.is_reached { "" } else { ", which did not come" };
        let _ = writeln!(out, "watched until {}{reached}", watch.until);
    }
    if watch.lost > 0 {
        let _ =
            writeln!(out, "{} found no room and are not counted", counted(watch.lost, "record", "records"));
    }
    out
}

fn push_phases(out: &mut String, report: &Report) {
    if report.phases.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "\n{:<34} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "phase", "took", "calls", "errors", "work", "waiting"
    );
    for stage in &report.phases {
        let errors = if stage.errors() == 0 { String::new() } else { stage.errors().to_string() };
        let _ = writeln!(
            out,
            "{:<34} {:>8} {:>8} {errors:>8} {:>8} {:>8}",
            cut(&stage_name(stage), 34),
            time(stage.wall_ns),
            stage.count(),
            time(stage.time_ns(false)),
            time(stage.time_ns(true)),
        );
    }
    let outer = report.phases.iter().filter(|stage| stage.depth == 0);
    let others = report.count().saturating_sub(outer.map(Stage::count).sum());
    if others > 0 {
        let _ = writeln!(out, "{:<34} {:>8} {others:>8}", "other processes", "");
    }
}

/// A phase's name, further in the deeper it lies.
pub fn stage_name(stage: &Stage) -> String {
    let beside = if stage.is_beside { " (beside)" } else { "" };
    let times = if stage.times > 1 { format!(" × {}", stage.times) } else { String::new() };
    format!("{}{}{times}{beside}", "  ".repeat(stage.depth), stage.name)
}

/// What observing added to the program.
pub fn overhead(report: &Report) -> String {
    match report.watch.overhead_ns {
        0 => "too little to be measured".to_owned(),
        each => format!("{} a call, about {} in all", time(each), time(report.overhead_ns())),
    }
}

fn push_calls(out: &mut String, title: &str, rows: &[&Row]) {
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "\n{title:<NAME$} {:>8} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "calls", "errors", "time", "p50", "p90", "p99", "max"
    );
    for row in &rows[..rows.len().min(ROWS)] {
        let (stats, times) = (&row.stats, &row.stats.times);
        let errors = match stats.error_count() {
            0 => String::new(),
            count => count.to_string(),
        };
        let _ = writeln!(
            out,
            "{:<NAME$} {:>8} {errors:>7} {:>8} {:>8} {:>8} {:>8} {:>8}",
            cut(&row.name, NAME),
            stats.count(),
            time(stats.total_ns),
            time(times.percentile(50)),
            time(times.percentile(90)),
            time(times.percentile(99)),
            time(times.max()),
        );
    }
    if let Some(others) = rows.get(ROWS..).filter(|others| !others.is_empty()) {
        let count: u64 = others.iter().map(|row| row.stats.count()).sum();
        let errors: u64 = others.iter().map(|row| row.stats.error_count()).sum();
        let total: u64 = others.iter().map(|row| row.stats.total_ns).sum();
        let name = format!("{} others", others.len());
        let errors = if errors == 0 { String::new() } else { errors.to_string() };
        let _ = writeln!(out, "{name:<NAME$} {count:>8} {errors:>7} {:>8}", time(total));
    }
}

fn push_errors(out: &mut String, report: &Report) {
    let errors = report.errors();
    if errors.is_empty() {
        return;
    }
    out.push_str("\nerrors\n");
    for (name, count, calls) in errors.iter().take(ROWS) {
        let calls: Vec<String> =
            calls.iter().take(3).map(|(call, count)| format!("{call} {count}")).collect();
        let _ = writeln!(out, "{name:<NAME$} {count:>8}  {}", cut(&calls.join(", "), 50));
    }
}

fn push_paths(out: &mut String, report: &Report) {
    for looks in &report.looks {
        let aim = aim_name(looks.aim);
        let _ = writeln!(out, "\n{aim}: {} looked for, {} in vain", looks.count, looks.missed);
        push_counts(out, &looks.top, "");
        push_counts(out, &looks.top_misses, "in vain ");
    }
    if report.looks_left_out > 0 {
        let _ = writeln!(out, "{} looks for more paths than are kept are left out", report.looks_left_out);
    }
}

/// What was looked for once says nothing.
fn push_counts(out: &mut String, counts: &[Count], about: &str) {
    for found in counts.iter().filter(|found| found.count > 1).take(PATHS) {
        let _ = writeln!(out, "{:>8} {about}{}", found.count, cut_front(&found.path, PATH - about.len()));
    }
}

fn push_patterns(out: &mut String, patterns: &[Pattern]) {
    if patterns.is_empty() {
        return;
    }
    out.push_str("\nlooked for in vain, by what would save it\n");
    for pattern in patterns.iter().take(PATTERNS) {
        let _ = writeln!(out, "{:>8} {}", pattern.misses, cut_front(&pattern.text, PATH));
        let _ = writeln!(out, "         {}", remedy(pattern));
    }
}

/// What would remove a pattern's misses.
pub fn remedy(pattern: &Pattern) -> String {
    match (pattern.remedy, pattern.places) {
        (Remedy::Absent, 1) => "nothing was found there: one look at the folder is enough".to_owned(),
        (Remedy::Absent, places) => {
            format!("nothing was found in {places} places: one look at each is enough")
        }
        (Remedy::Name, places) => format!("none of {places} folders has it: one listing of each would do"),
        (Remedy::List, 1) => "the folder is there, the name is not: one listing would do".to_owned(),
        (Remedy::List, names) => format!("the folder is there, {names} names are not: one listing would do"),
    }
}

fn push_processes(out: &mut String, report: &Report) {
    if report.processes.len() < 2 {
        return;
    }
    let _ = writeln!(
        out,
        "\n{:<30} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "process", "from", "until", "calls", "work", "waiting"
    );
    for member in report.processes.iter().take(PROCESSES) {
        let until = member.ended_ns.map_or("-".to_owned(), time);
        let _ = writeln!(
            out,
            "{:<30} {:>8} {until:>8} {:>8} {:>8} {:>8}",
            cut(
                &format!("{}{} {}", "  ".repeat(depth(report, member).min(6)), member.name(), member.number),
                30
            ),
            time(member.begun_ns),
            member.count(),
            time(member.time_ns(false)),
            time(member.time_ns(true)),
        );
    }
    if report.processes.len() > PROCESSES {
        let _ = writeln!(out, "and {} more", report.processes.len() - PROCESSES);
    }
}

/// How many stand above a process.
pub fn depth(report: &Report, member: &Member) -> usize {
    let above = |member: &Member| member.parent.and_then(|parent| report.processes.get(parent));
    // A parent always stands before its children in the list.
    std::iter::successors(above(member), |member| above(member)).count()
}

/// What paths of an aim are called.
pub fn aim_name(aim: Aim) -> &'static str {
    match aim {
        Aim::Open => "open",
        Aim::Stat => "stat",
        Aim::Readlink => "readlink",
        Aim::Exec => "exec",
        Aim::Enter => "chdir",
    }
}

/// `420 ns`, `38 µs`, `4.12 ms`, `1.24 s`, in at most 7 columns below an hour.
pub fn time(nanoseconds: u64) -> String {
    let exact = nanoseconds as f64;
    match nanoseconds {
        0..1000 => format!("{nanoseconds} ns"),
        1000..10_000 => format!("{:.1} µs", exact / 1e3),
        10_000..999_500 => format!("{:.0} µs", exact / 1e3),
        999_500..9_995_000 => format!("{:.2} ms", exact / 1e6),
        9_995_000..99_950_000 => format!("{:.1} ms", exact / 1e6),
        99_950_000..999_500_000 => format!("{:.0} ms", exact / 1e6),
        999_500_000..99_950_000_000 => format!("{:.2} s", exact / 1e9),
        _ => format!("{:.0} s", exact / 1e9),
    }
}

fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// The beginning of a text, in so many columns of plain characters.
fn cut(text: &str, columns: usize) -> String {
    let safe = rusk_base::problem::printable(text);
    match safe.chars().count() <= columns {
        true => safe.into_owned(),
        false => safe.chars().take(columns - 1).chain(['…']).collect(),
    }
}

/// The end of a text: that is where paths differ.
fn cut_front(text: &str, columns: usize) -> String {
    let safe = rusk_base::problem::printable(text);
    let count = safe.chars().count();
    match count.checked_sub(columns) {
        None | Some(0) => safe.into_owned(),
        Some(more) => ['…'].into_iter().chain(safe.chars().skip(more + 1)).collect(),
    }
}

#[cfg(test)]
mod tests;
