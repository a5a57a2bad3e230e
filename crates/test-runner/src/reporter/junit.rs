//! JUnit XML, in the form that bun writes and CI systems read: a suite for each file, in it one for
//! each group. In: the report of the run. Out: a file.

use std::io;
use std::path::PathBuf;
use std::rc::Rc;

use rusk_base::Result;

use super::{Item, ReportStreams, Reporter, TO_DO, full_name, write_file};
use crate::event::{ErrorReport, Status, TestResult};
use crate::problem;
use crate::report::{FileReport, RunReport};

pub struct JUnit {
    path: PathBuf,
    /// Name and value, of CI systems.
    properties: Vec<(String, String)>,
}

impl JUnit {
    pub fn new(path: PathBuf, properties: Vec<(String, String)>) -> JUnit {
        JUnit { path, properties }
    }
}

impl Reporter for JUnit {
    fn item(&mut self, _: &str, _: &Item, _: &mut ReportStreams<'_>) -> io::Result<()> {
        Ok(())
    }

    fn run_end(&mut self, report: &RunReport, _: &mut ReportStreams<'_>) -> Result<()> {
        let written = write_file(&self.path, &render(report, &self.properties));
        written.map_err(|error| problem::report_not_written(&self.path, error))
    }
}

/// Sums of a suite.
struct Sums {
    tests: usize,
    failures: usize,
    skipped: usize,
    assertions: u64,
    seconds: f64,
}

impl Sums {
    fn of<'a>(results: impl Iterator<Item = &'a TestResult>) -> Sums {
        let mut sums = Sums { tests: 0, failures: 0, skipped: 0, assertions: 0, seconds: 0.0 };
        for result in results {
            sums.tests += 1;
            sums.failures += usize::from(result.status == Status::Fail);
            sums.skipped += usize::from(matches!(result.status, Status::Skip | Status::Todo));
            sums.assertions += result.assertions;
            sums.seconds += result.duration_ms / 1000.0;
        }
        sums
    }

    fn attributes(&self) -> String {
        format!(
            "tests=\"{}\" assertions=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{:.6}\"",
            self.tests, self.assertions, self.failures, self.skipped, self.seconds
        )
    }
}

fn shown(file: &FileReport) -> impl Iterator<Item = &TestResult> {
    file.tests.iter().map(Rc::as_ref).filter(|result| result.status != Status::Filtered)
}

pub fn render(report: &RunReport, properties: &[(String, String)]) -> String {
    let mut sums = Sums::of(report.files.iter().flat_map(shown));
    let broken = report.files.iter().filter(|file| !file.errors.is_empty());
    sums.failures += broken.clone().map(|file| file.errors.len()).sum::<usize>();
    sums.tests += broken.map(|file| file.errors.len()).sum::<usize>();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rusk test\" {}>\n",
        sums.attributes()
    );
    let mut files: Vec<&FileReport> = report.files.iter().collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    for file in files {
        push_file(&mut text, file, properties);
    }
    text.push_str("</testsuites>\n");
    text
}

fn push_file(text: &mut String, file: &FileReport, properties: &[(String, String)]) {
    let name = attribute(&file.path);
    let mut sums = Sums::of(shown(file));
    sums.tests += file.errors.len();
    sums.failures += file.errors.len();
    text.push_str(&format!("  <testsuite name=\"{name}\" file=\"{name}\" {}>\n", sums.attributes()));
    if !properties.is_empty() {
        text.push_str("    <properties>\n");
        for (key, value) in properties {
            text.push_str(&format!(
                "      <property name=\"{}\" value=\"{}\" />\n",
                attribute(key),
                attribute(value)
            ));
        }
        text.push_str("    </properties>\n");
    }
    for result in shown(file) {
        push_test(text, &file.path, result);
    }
    for error in &file.errors {
        let place = error.place.as_deref().unwrap_or("(file)");
        text.push_str(&format!(
            "    <testcase name=\"{}\" classname=\"{name}\" time=\"0\" file=\"{name}\">\n",
            attribute(place)
        ));
        push_error(text, &error.error);
        text.push_str("    </testcase>\n");
    }
    text.push_str("  </testsuite>\n");
}

fn push_test(text: &mut String, file: &str, result: &TestResult) {
    let (groups, name) = result.path.split_at(result.path.len().saturating_sub(1));
    let groups = full_name(groups);
    let class = if groups.is_empty() { file } else { &groups };
    text.push_str(&format!(
        "    <testcase name=\"{}\" classname=\"{}\" time=\"{:.6}\" file=\"{}\" assertions=\"{}\"",
        attribute(name.first().map_or("", String::as_str)),
        attribute(class),
        result.duration_ms / 1000.0,
        attribute(file),
        result.assertions
    ));
    match result.status {
        Status::Fail => {
            text.push_str(">\n");
            for error in &result.errors {
                push_error(text, error);
            }
            text.push_str("    </testcase>\n");
        }
        Status::Skip => text.push_str(">\n      <skipped />\n    </testcase>\n"),
        Status::Todo => {
            text.push_str(&format!(">\n      <skipped message=\"{TO_DO}\" />\n    </testcase>\n"));
        }
        Status::Pass | Status::Filtered => text.push_str(" />\n"),
    }
}

fn push_error(text: &mut String, error: &ErrorReport) {
    let name = if error.name.is_empty() { "Error" } else { &error.name };
    let stack = if error.stack.is_empty() { &error.message } else { &error.stack };
    text.push_str(&format!(
        "      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
        attribute(name),
        attribute(error.message.lines().next().unwrap_or_default()),
        escape(stack)
    ));
}

/// In attributes a newline as it is would be a space.
fn attribute(text: &str) -> String {
    escape(text).replace('\n', "&#10;").replace('\r', "&#13;")
}

/// XML 1.0 has no other control characters than these three, even as references.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // A color: up to its character.
            '\x1b' => {
                characters.by_ref().find(char::is_ascii_alphabetic);
            }
            '\t' | '\n' | '\r' => escaped.push(character),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            _ => escaped.push(character),
        }
    }
    escaped
}
