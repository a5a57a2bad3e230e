//! The report as one JSON document on standard output (`--json`). In: the report of the run. Out:
//! one line; the output of tests goes to standard error.

use std::io;

use rusk_base::Result;
use rusk_npm::json::text;

use super::{Item, ReportStreams, Reporter};
use crate::event::{ErrorReport, Status, TestResult};
use crate::problem;
use crate::report::{FileErrorKind, FileReport, RunReport};

#[derive(Default)]
pub struct Json;

impl Reporter for Json {
    fn item(&mut self, _: &str, item: &Item, output: &mut ReportStreams<'_>) -> io::Result<()> {
        match item {
            Item::Output(bytes) => output.stderr.write_all(bytes),
            _ => Ok(()),
        }
    }

    fn run_end(&mut self, report: &RunReport, output: &mut ReportStreams<'_>) -> Result<()> {
        writeln!(output.stdout, "{}", render(report)).map_err(problem::output_closed)
    }
}

pub fn render(report: &RunReport) -> String {
    let counts = &report.counts;
    let count = |number: u64| number.to_string();
    let slowest = report.slowest();
    let mut files: Vec<&FileReport> = report.files.iter().collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    text::object(&[
        ("success", report.has_passed().to_string()),
        (
            "counts",
            text::object(&[
                ("pass", count(counts.pass)),
                ("fail", count(counts.fail)),
                ("skip", count(counts.skip)),
                ("todo", count(counts.todo)),
                ("filtered", count(counts.filtered)),
                ("errors", count(counts.errors)),
                ("assertions", count(counts.assertions)),
                ("files", count(counts.files)),
            ]),
        ),
        ("snapshots", snapshots(report)),
        ("durationMs", milliseconds(report.duration.as_secs_f64() * 1000.0)),
        ("seed", report.seed.map_or("null".to_owned(), |seed| seed.to_string())),
        ("slowest", text::array(slowest.iter().map(|file| text::string(&file.path)))),
        ("files", text::array(files.into_iter().map(file))),
    ])
}

fn snapshots(report: &RunReport) -> String {
    let counts = &report.counts.snapshots;
    let list = |names: &[String]| text::array(names.iter().map(|name| text::string(name)));
    text::object(&[
        ("added", counts.added.to_string()),
        ("updated", counts.updated.to_string()),
        ("matched", counts.matched.to_string()),
        ("unmatched", counts.unmatched.to_string()),
        ("removed", counts.removed.to_string()),
        ("obsolete", list(&counts.obsolete)),
        ("obsoleteFiles", list(&report.obsolete_snapshots.kept)),
        ("removedFiles", list(&report.obsolete_snapshots.removed)),
    ])
}

fn file(file: &FileReport) -> String {
    let error = |error: &crate::report::FileError| {
        let kind = match error.kind {
            FileErrorKind::Uncaught => "uncaught",
            FileErrorKind::Load => "load",
            FileErrorKind::Crash => "crash",
        };
        text::object(&[("kind", text::string(kind)), ("error", report_error(&error.error))])
    };
    let open = file
        .summary
        .open
        .iter()
        .map(|(kind, count)| text::object(&[("kind", text::string(kind)), ("count", count.to_string())]));
    text::object(&[
        ("path", text::string(&file.path)),
        ("durationMs", milliseconds(file.duration.as_secs_f64() * 1000.0)),
        ("tests", text::array(file.tests.iter().map(|result| test(result)))),
        ("errors", text::array(file.errors.iter().map(error))),
        ("open", text::array(open)),
    ])
}

fn test(result: &TestResult) -> String {
    let status = match result.status {
        Status::Pass => "pass",
        Status::Fail => "fail",
        Status::Skip => "skip",
        Status::Todo => "todo",
        Status::Filtered => "filtered",
    };
    text::object(&[
        ("path", text::array(result.path.iter().map(|name| text::string(name)))),
        ("status", text::string(status)),
        ("durationMs", milliseconds(result.duration_ms)),
        ("assertions", result.assertions.to_string()),
        ("attempts", result.attempts.to_string()),
        ("errors", text::array(result.errors.iter().map(report_error))),
    ])
}

fn report_error(error: &ErrorReport) -> String {
    text::object(&[
        ("name", text::string(&error.name)),
        ("message", text::string(&error.message)),
        ("stack", text::string(&error.stack)),
    ])
}

fn milliseconds(number: f64) -> String {
    format!("{number:.3}")
}
