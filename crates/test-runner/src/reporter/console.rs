//! The console reporter: a line for each test under the name of its file, errors in full; with
//! `dots` a dot for each test that passes. In: items. Out: text on standard error, where bun prints
//! it; the output of tests on standard output.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;

use rusk_base::Result;

use super::errors::{self, ErrorForm};
use super::paint::Paint;
use super::summary;
use super::{Item, ReportStreams, Reporter, push_full_name};
use crate::definitions::DefinitionFinder;
use crate::event::{ErrorReport, Status, TestResult};
use crate::problem;
use crate::report::{FileError, FileErrorKind, FileReport, RunReport};

/// Dots in a line.
const DOTS_MAX: usize = 80;

/// Which lines are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    EachTest,
    FailuresOnly,
    /// As well, and the sums only after a failure.
    Silent,
    Dots,
}

pub struct Console {
    paint: Paint,
    detail: Detail,
    root: PathBuf,
    definitions: DefinitionFinder,
    /// The file whose name was printed last.
    file: Option<String>,
    /// Errors of the test that was printed last.
    last_errors: Vec<ErrorReport>,
    /// Dots in the current line.
    dots: usize,
    has_printed: bool,
}

impl Console {
    /// `current_dir`: paths of files are relative to it.
    pub fn new(paint: Paint, detail: Detail, root: PathBuf, current_dir: PathBuf) -> Console {
        let definitions = DefinitionFinder::new(current_dir);
        Console {
            paint,
            detail,
            root,
            definitions,
            file: None,
            last_errors: Vec::new(),
            dots: 0,
            has_printed: false,
        }
    }

    fn head(&mut self, file: &str, stderr: &mut dyn Write) -> io::Result<()> {
        self.end_dots(stderr)?;
        if self.file.as_deref() == Some(file) {
            return Ok(());
        }
        self.file = Some(file.to_owned());
        self.last_errors.clear();
        self.has_printed = true;
        writeln!(stderr, "\n{}:", self.paint.bold(file))
    }

    fn end_dots(&mut self, stderr: &mut dyn Write) -> io::Result<()> {
        match std::mem::take(&mut self.dots) {
            0 => Ok(()),
            _ => writeln!(stderr),
        }
    }

    fn dot(&mut self, status: Status, stderr: &mut dyn Write) -> io::Result<()> {
        let dot = match status {
            Status::Pass => self.paint.green("."),
            Status::Skip => self.paint.yellow("-"),
            Status::Todo => self.paint.magenta("-"),
            Status::Fail | Status::Filtered => return Ok(()),
        };
        if self.dots == DOTS_MAX {
            self.end_dots(stderr)?;
        }
        self.dots += 1;
        write!(stderr, "{dot}")
    }

    fn test(&mut self, file: &str, result: &TestResult, stderr: &mut dyn Write) -> io::Result<()> {
        if self.detail == Detail::Dots && result.status != Status::Fail {
            return self.dot(result.status, stderr);
        }
        if result.status == Status::Filtered
            || (matches!(self.detail, Detail::FailuresOnly | Detail::Silent) && result.status != Status::Fail)
        {
            return Ok(());
        }
        self.head(file, stderr)?;
        let origin = self.definitions.origin(file, result);
        let form = ErrorForm { origin: origin.as_ref(), ..self.form() };
        for error in &result.retried {
            write!(stderr, "{}", errors::render(error, form))?;
            writeln!(stderr, "{}", self.paint.dim("  ran again after this error"))?;
        }
        // One failed hook before a group fails each of its tests.
        let is_repeated = !result.has_run() && self.last_errors == result.errors;
        for error in result.errors.iter().filter(|_| !is_repeated) {
            write!(stderr, "{}", errors::render(error, form))?;
        }
        self.last_errors.clone_from(&result.errors);
        writeln!(stderr, "{}", test_line(result, self.paint))
    }

    fn form(&self) -> ErrorForm<'_> {
        ErrorForm { root: &self.root, paint: self.paint, origin: None, has_source: true }
    }

    fn error(&mut self, file: &str, error: &FileError, stderr: &mut dyn Write) -> io::Result<()> {
        self.head(file, stderr)?;
        let place = error.place.as_ref().map_or(String::new(), |place| format!(" in {place}"));
        let head = match error.kind {
            FileErrorKind::Uncaught if place.is_empty() => "# Unhandled error between tests".to_owned(),
            FileErrorKind::Uncaught => format!("# Error{place}"),
            FileErrorKind::Load => "# The file did not load, its tests did not run".to_owned(),
            FileErrorKind::Crash => "# The process of this file ended".to_owned(),
        };
        writeln!(stderr, "\n{}", self.paint.red(&head))?;
        writeln!(stderr, "{}", self.paint.dim("-------------------------------"))?;
        let test = error.test.as_ref();
        let origin = test.and_then(|path| self.definitions.frame(file, path));
        let form = ErrorForm { origin: origin.as_ref(), ..self.form() };
        write!(stderr, "{}", errors::render(&error.error, form))?;
        writeln!(stderr, "{}\n", self.paint.dim("-------------------------------"))
    }
}

impl Reporter for Console {
    fn item(&mut self, file: &str, item: &Item, output: &mut ReportStreams<'_>) -> io::Result<()> {
        match item {
            Item::Output(bytes) => {
                self.head(file, output.stderr)?;
                output.stderr.flush()?;
                output.stdout.write_all(bytes)?;
                output.stdout.flush()
            }
            Item::Test(result) => self.test(file, result, output.stderr),
            Item::Error(error) => self.error(file, error, output.stderr),
        }
    }

    fn file_end(&mut self, report: &FileReport, output: &mut ReportStreams<'_>) -> io::Result<()> {
        if report.summary.open.is_empty() || self.detail != Detail::EachTest {
            return Ok(());
        }
        self.head(&report.path, output.stderr)?;
        let open: Vec<String> =
            report.summary.open.iter().map(|(kind, count)| summary::open_handle(kind, *count)).collect();
        let line = format!("left open, now closed: {}", open.join(", "));
        writeln!(output.stderr, "{}", self.paint.yellow(&line))
    }

    fn run_end(&mut self, report: &RunReport, output: &mut ReportStreams<'_>) -> Result<()> {
        if self.detail == Detail::Silent && report.has_passed() {
            return Ok(());
        }
        self.end_dots(output.stderr).map_err(problem::output_closed)?;
        write!(output.stderr, "{}", summary::render(report, self.paint)).map_err(problem::output_closed)
    }
}

/// `(pass) group > test [0.12ms]`; with colors a sign instead of the word.
pub fn test_line(result: &TestResult, paint: Paint) -> String {
    let (word, sign) = match result.status {
        Status::Pass => ("(pass)", paint.green("✓")),
        Status::Fail => ("(fail)", paint.red("✗")),
        Status::Skip => ("(skip)", paint.yellow("»")),
        Status::Todo => ("(todo)", paint.magenta("✎")),
        Status::Filtered => ("(filtered)", String::new()),
    };
    let mut line = if paint.has_colors { sign } else { word.to_owned() };
    line.push(' ');
    push_full_name(&mut line, &result.path);
    // Writing to a string does not fail.
    let _ = match (result.attempts, result.status) {
        (1, _) => Ok(()),
        (_, Status::Skip | Status::Todo | Status::Filtered) => Ok(()),
        // Repeated, not tried again.
        (runs, _) if result.retried.is_empty() => write!(line, " (run {runs})"),
        (attempts, Status::Pass) => write!(line, " (attempt {attempts})"),
        (attempts, Status::Fail) => write!(line, " ({attempts} attempts)"),
    };
    if matches!(result.status, Status::Pass | Status::Fail) {
        let [begin, end] = paint.dim_marks();
        let _ = write!(line, " {begin}[{:.2}ms]{end}", result.duration_ms);
    }
    line
}
