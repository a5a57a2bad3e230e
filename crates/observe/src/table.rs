//! Plain text rendering of a report, in 80 columns. In: a [`Report`]. Out: lines. Absent: colour,
//! and what only the HTML page shows.

use std::fmt::Write;

use crate::miss_patterns::{MissPattern, Suggestion};
use crate::paths::PathCount;
use crate::report::{PhaseReport, ProcessReport, Report, ReportRow};
use crate::syscalls::PathOperation;

/// Rows of each section; HTML and JSON have all of them.
const ROWS: usize = 15;
const PROCESSES: usize = 20;
const PATHS: usize = 5;
const PATTERNS: usize = 8;
/// The width of a line.
const COLUMNS: usize = 80;
/// Columns of a system call's name.
const NAME: usize = 18;
/// Columns of a path.
const PATH: usize = 68;

/// The complete report.
pub fn text(report: &Report) -> String {
    let mut out = head(report);
    push_phases(&mut out, report);
    let (waits, works): (Vec<&ReportRow>, Vec<&ReportRow>) = report.rows.iter().partition(|row| row.waits);
    push_calls(&mut out, "works", &works);
    push_calls(&mut out, "waits", &waits);
    push_errors(&mut out, report);
    push_paths(&mut out, report);
    push_patterns(&mut out, &report.patterns);
    push_processes(&mut out, report);
    out
}

fn head(report: &Report) -> String {
    let info = &report.info;
    let mut out = format!(
        "{}\n{}, {}, {}, {}\n",
        truncate(&report.command.join(" "), COLUMNS),
        time(info.wall_ns),
        counted(report.processes_count(), "process", "processes"),
        counted(report.threads(), "thread", "threads"),
        counted(report.count(), "call", "calls"),
    );
    let cpus = match (info.collector, info.is_pinned) {
        ("ptrace", true) => " on one CPU",
        ("ptrace", false) => " on all CPUs",
        _ => "",
    };
    let _ = writeln!(out, "traced by {}{cpus}, adding {}", info.collector, overhead(report));
    if info.until != "exit" {
        let reached = if info.is_condition_met { "" } else { " (not reached)" };
        let _ = writeln!(out, "traced until {}{reached}", info.until);
    }
    if info.lost > 0 {
        let _ = writeln!(out, "{} lost", counted(info.lost, "record", "records"));
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
            truncate(&phase_name(stage), 34),
            time(stage.wall_ns),
            stage.count(),
            time(stage.time_ns(false)),
            time(stage.time_ns(true)),
        );
    }
    let outer = report.phases.iter().filter(|stage| stage.depth == 0);
    let others = report.count().saturating_sub(outer.map(PhaseReport::count).sum());
    if others > 0 {
        let _ = writeln!(out, "{:<34} {:>8} {others:>8}", "other processes", "");
    }
}

/// The name of a phase, indented by its depth.
pub fn phase_name(stage: &PhaseReport) -> String {
    let thread = if stage.is_other_thread { " (other thread)" } else { "" };
    let times = if stage.times > 1 { format!(" × {}", stage.times) } else { String::new() };
    format!("{}{}{times}{thread}", "  ".repeat(stage.depth), stage.name)
}

/// What tracing added to the program.
pub fn overhead(report: &Report) -> String {
    match report.info.overhead_ns {
        0 => "too little to be measured".to_owned(),
        each => format!("{} a call, about {} in all", time(each), time(report.overhead_ns())),
    }
}

fn push_calls(out: &mut String, title: &str, rows: &[&ReportRow]) {
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
            truncate(&row.name, NAME),
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
        let name = match others.len() {
            1 => "1 other".to_owned(),
            count => format!("{count} others"),
        };
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
        let _ = writeln!(out, "{name:<NAME$} {count:>8}  {}", truncate(&calls.join(", "), 50));
    }
}

fn push_paths(out: &mut String, report: &Report) {
    for lookups in &report.lookups {
        let operation = operation_name(lookups.operation);
        let _ = writeln!(out, "\n{operation}: {} lookups, {} failed", lookups.count, lookups.failed);
        push_counts(out, &lookups.top, "");
        push_counts(out, &lookups.top_failed, "failed ");
    }
    if report.dropped_lookups > 0 {
        let _ = writeln!(out, "{} lookups of further paths are not listed", report.dropped_lookups);
    }
}

/// Paths that were looked up once are omitted.
fn push_counts(out: &mut String, counts: &[PathCount], about: &str) {
    for found in counts.iter().filter(|found| found.count > 1).take(PATHS) {
        let _ =
            writeln!(out, "{:>8} {about}{}", found.count, truncate_start(&found.path, PATH - about.len()));
    }
}

fn push_patterns(out: &mut String, patterns: &[MissPattern]) {
    if patterns.is_empty() {
        return;
    }
    out.push_str("\nfailed lookups, by what would avoid them\n");
    for pattern in patterns.iter().take(PATTERNS) {
        let _ = writeln!(out, "{:>8} {}", pattern.misses, truncate_start(&pattern.text, PATH));
        let _ = writeln!(out, "         {}", suggestion(pattern));
    }
}

/// What would avoid the failed lookups of a pattern.
pub fn suggestion(pattern: &MissPattern) -> String {
    match (pattern.suggestion, pattern.paths) {
        (Suggestion::Absent, 1) => "the directory does not exist: one lookup of it is enough".to_owned(),
        (Suggestion::Absent, paths) => {
            format!("{paths} directories do not exist: one lookup of each is enough")
        }
        (Suggestion::Name, paths) => format!("missing in {paths} directories: list each once"),
        (Suggestion::List, 1) => "the directory exists, the name does not: list it once".to_owned(),
        (Suggestion::List, names) => format!("the directory exists, {names} names do not: list it once"),
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
        let until = member.end_ns.map_or("-".to_owned(), time);
        let _ = writeln!(
            out,
            "{:<30} {:>8} {until:>8} {:>8} {:>8} {:>8}",
            truncate(
                &format!("{}{} {}", "  ".repeat(depth(report, member).min(6)), member.name(), member.id),
                30
            ),
            time(member.start_ns),
            member.count(),
            time(member.time_ns(false)),
            time(member.time_ns(true)),
        );
    }
    if report.processes.len() > PROCESSES {
        let _ = writeln!(out, "and {} more", report.processes.len() - PROCESSES);
    }
}

/// The number of ancestors of a process.
pub fn depth(report: &Report, member: &ProcessReport) -> usize {
    let above = |member: &ProcessReport| member.parent.and_then(|parent| report.processes.get(parent));
    // A parent always precedes its children in the list.
    std::iter::successors(above(member), |member| above(member)).count()
}

/// The name of an operation on paths.
pub fn operation_name(operation: PathOperation) -> &'static str {
    match operation {
        PathOperation::Open => "open",
        PathOperation::Stat => "stat",
        PathOperation::Readlink => "readlink",
        PathOperation::Exec => "exec",
        PathOperation::Chdir => "chdir",
    }
}

/// `420 ns`, `38 µs`, `4.12 ms`, `1.24 s`: at most 7 columns below an hour.
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

/// The beginning of a string, in at most this many printable characters.
fn truncate(text: &str, columns: usize) -> String {
    let safe = rusk_base::problem::printable(text);
    match safe.chars().count() <= columns {
        true => safe.into_owned(),
        false => safe.chars().take(columns - 1).chain(['…']).collect(),
    }
}

/// The end of a string, since paths differ at the end.
fn truncate_start(text: &str, columns: usize) -> String {
    let safe = rusk_base::problem::printable(text);
    let count = safe.chars().count();
    match count.checked_sub(columns) {
        None | Some(0) => safe.into_owned(),
        Some(more) => ['…'].into_iter().chain(safe.chars().skip(more + 1)).collect(),
    }
}

#[cfg(test)]
mod tests;
