//! Summary at the end of a run, as bun's: counts, the number of files, the time; the failures again
//! if they are far above, and the slowest files. In: a report. Out: lines.

use std::time::Duration;

use super::console::test_line;
use super::full_name;
use super::paint::Paint;
use crate::event::Status;
use crate::obsolete_snapshots::ObsoleteSnapshots;
use crate::report::{FileReport, RunReport};

/// With more tests than these, failures are listed again.
const TESTS_ON_SCREEN: u64 = 20;

/// Files that take less are not called slow.
const SLOW: Duration = Duration::from_millis(500);

/// Obsolete snapshots that are named.
const OBSOLETE_MAX: usize = 10;

pub fn render(report: &RunReport, paint: Paint) -> String {
    let mut text = String::new();
    push_failures(&mut text, report, paint);
    push_slowest(&mut text, report, paint);
    text.push('\n');
    if let Some(seed) = report.seed {
        text.push_str(&format!(" {}\n", paint.dim(&format!("--seed={seed}"))));
    }
    push_counts(&mut text, report, paint);
    push_snapshots(&mut text, report, paint);
    if let Some(failures) = report.bailed_after {
        let plural = if failures == 1 { "" } else { "s" };
        text.push_str(&format!("{}\n", paint.red(&format!("Bailed out after {failures} failure{plural}"))));
    }
    push_interrupted(&mut text, report, paint);
    let (tests, files) = (report.counts.total(), report.counts.files);
    text.push_str(&format!(
        "Ran {} across {}. {}\n",
        plural(tests, "test"),
        plural(files, "file"),
        paint.dim(&format!("[{}]", time(report.duration)))
    ));
    text
}

/// What ran when the run was interrupted: perhaps what the user did not want to wait for.
fn push_interrupted(text: &mut String, report: &RunReport, paint: Paint) {
    if report.interrupted_by.is_none() {
        return;
    }
    text.push_str(&format!("{}\n", paint.red("Interrupted while these ran:")));
    for file in report.files.iter().filter(|file| file.is_unfinished) {
        let test = file.running.as_ref().map_or(String::new(), |path| format!(": {}", full_name(path)));
        text.push_str(&format!("   {}{test}\n", file.path));
    }
}

fn push_counts(text: &mut String, report: &RunReport, paint: Paint) {
    let counts = &report.counts;
    text.push_str(&format!(" {}\n", paint.green(&format!("{} pass", counts.pass))));
    let optional = [
        (counts.filtered, "filtered out", Paint::dim as fn(Paint, &str) -> String),
        (counts.skip, "skip", Paint::yellow),
        (counts.todo, "todo", Paint::magenta),
    ];
    for (count, word, color) in optional {
        if count > 0 {
            text.push_str(&format!(" {}\n", color(paint, &format!("{count} {word}"))));
        }
    }
    let failed = format!("{} fail", counts.fail);
    let failed = if counts.fail > 0 { paint.red(&failed) } else { paint.dim(&failed) };
    text.push_str(&format!(" {failed}\n"));
    if counts.errors > 0 {
        let errors = plural(counts.errors, "error");
        text.push_str(&format!(" {}\n", paint.red(&errors)));
    }
}

fn push_snapshots(text: &mut String, report: &RunReport, paint: Paint) {
    let snapshots = &report.counts.snapshots;
    let used = snapshots.added + snapshots.updated + snapshots.matched + snapshots.unmatched;
    let used = if used > 0 { format!(" {},", plural(used, "snapshot")) } else { String::new() };
    if report.counts.assertions > 0 || !used.is_empty() {
        text.push_str(&format!("{used} {} expect() calls\n", report.counts.assertions));
    }
    for (count, what) in
        [(snapshots.added, "added"), (snapshots.updated, "updated"), (snapshots.removed, "removed")]
    {
        if count > 0 {
            text.push_str(&format!(" {}\n", paint.green(&format!("{} {what}", plural(count, "snapshot")))));
        }
    }
    push_obsolete(text, report, paint);
}

/// Snapshots that no test uses, and snapshot files without a test file.
fn push_obsolete(text: &mut String, report: &RunReport, paint: Paint) {
    let used_by_none = |file: &FileReport| -> Vec<String> {
        let names = file.summary.snapshots.obsolete.iter();
        names.map(|name| format!("{}: {name}", file.path)).collect()
    };
    let names: Vec<String> = report.files.iter().flat_map(used_by_none).collect();
    let ObsoleteSnapshots { kept, removed } = &report.obsolete_snapshots;
    if !names.is_empty() {
        let line = format!(
            "{} obsolete; `rusk test -u` removes {}",
            plural(names.len() as u64, "snapshot"),
            them(&names)
        );
        text.push_str(&format!(" {}\n", paint.yellow(&line)));
        push_names(text, &names, paint);
    }
    if !removed.is_empty() {
        let line = format!("{} removed", plural(removed.len() as u64, "snapshot file"));
        text.push_str(&format!(" {}\n", paint.green(&line)));
        push_names(text, removed, paint);
    }
    if !kept.is_empty() {
        let files = plural(kept.len() as u64, "snapshot file");
        let line = format!("{files} obsolete, without a test file; `rusk test -u` removes {}", them(kept));
        text.push_str(&format!(" {}\n", paint.yellow(&line)));
        push_names(text, kept, paint);
    }
}

fn them(names: &[String]) -> &'static str {
    if names.len() == 1 { "it" } else { "them" }
}

fn push_names(text: &mut String, names: &[String], paint: Paint) {
    for name in names.iter().take(OBSOLETE_MAX) {
        text.push_str(&format!("   {}\n", paint.dim(name)));
    }
    if names.len() > OBSOLETE_MAX {
        let left = format!("and {} more", names.len() - OBSOLETE_MAX);
        text.push_str(&format!("   {}\n", paint.dim(&left)));
    }
}

fn push_failures(text: &mut String, report: &RunReport, paint: Paint) {
    let counts = &report.counts;
    if counts.fail == 0 || counts.total() <= TESTS_ON_SCREEN {
        return;
    }
    text.push_str(&format!("\n{} failed:\n", plural(counts.fail, "test")));
    for file in &report.files {
        for result in file.tests.iter().filter(|result| result.status == Status::Fail) {
            text.push_str(&format!("{} {}\n", test_line(result, paint), paint.dim(&file.path)));
        }
    }
}

fn push_slowest(text: &mut String, report: &RunReport, paint: Paint) {
    let slowest = report.slowest();
    if report.files.len() < 2 || slowest.first().is_none_or(|file| file.duration < SLOW) {
        return;
    }
    text.push_str(&format!("\n{}\n", paint.dim("slowest files:")));
    for file in slowest.iter().filter(|file| file.duration >= SLOW) {
        text.push_str(&format!(" {:>8} {}\n", time(file.duration), file.path));
    }
}

/// What a file left open, in words; other kinds by Node's name.
pub fn open_handle(kind: &str, count: u64) -> String {
    let word = match kind {
        "Timeout" => "timer",
        "Immediate" => "immediate",
        "TCPServerWrap" => "TCP server",
        "Server" => "server",
        "PipeServerWrap" => "pipe server",
        "TCPSocketWrap" => "TCP socket",
        "UDPWrap" => "UDP socket",
        "ProcessWrap" => "child process",
        "FSEventWrap" | "StatWatcher" => "file watcher",
        "FSReqCallback" => "file operation",
        "MessagePort" => "message port",
        "Worker" => "worker",
        other => return if count == 1 { other.to_owned() } else { format!("{count} {other}") },
    };
    match (word, count) {
        ("child process", 2..) => format!("{count} child processes"),
        _ => plural(count, word),
    }
}

/// `1 test`, `2 tests`.
pub fn plural(count: u64, word: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {word}{plural}")
}

/// As bun: milliseconds below a second, then seconds.
pub fn time(duration: Duration) -> String {
    match duration.as_secs_f64() {
        seconds if seconds < 1.0 => format!("{:.2}ms", seconds * 1000.0),
        seconds => format!("{seconds:.2}s"),
    }
}

#[cfg(test)]
mod tests;
