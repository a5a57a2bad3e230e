//! JUnit XML, in the form that bun writes and CI systems read: a suite for each file, in it one for
//! each group. In: the report of the run; sources, for lines. Out: a file.

use std::io;
use std::path::PathBuf;

use rusk_base::{Result, sys};

use super::errors::{self, ErrorForm};
use super::paint::Paint;
use super::{Item, ReportStreams, Reporter, TO_DO, full_name, write_file};
use crate::definitions::DefinitionFinder;
use crate::event::{ErrorReport, Status, TestResult};
use crate::frames::Frame;
use crate::options::TestOptions;
use crate::problem;
use crate::report::{FileReport, RunReport};

/// Of one level.
const INDENT: &str = "  ";

pub struct JUnit {
    path: PathBuf,
    /// Name and value, of CI systems.
    properties: Vec<(String, String)>,
    root: PathBuf,
    host_name: String,
    definitions: DefinitionFinder,
}

impl JUnit {
    pub fn new(path: PathBuf, properties: Vec<(String, String)>, options: &TestOptions) -> JUnit {
        let [_, host_name, ..] = sys::process::uname();
        let definitions = DefinitionFinder::new(options.current_dir.clone());
        JUnit { path, properties, root: options.root.clone(), host_name, definitions }
    }
}

impl Reporter for JUnit {
    fn item(&mut self, _: &str, _: &Item, _: &mut ReportStreams<'_>) -> io::Result<()> {
        Ok(())
    }

    fn run_end(&mut self, report: &RunReport, _: &mut ReportStreams<'_>) -> Result<()> {
        let text = self.render(report);
        let written = write_file(&self.path, &text);
        written.map_err(|error| problem::report_not_written(&self.path, error))
    }
}

/// Sums of a suite.
#[derive(Default)]
struct Sums {
    tests: usize,
    failures: usize,
    skipped: usize,
    assertions: u64,
    seconds: f64,
}

impl Sums {
    fn add(&mut self, result: &TestResult) {
        self.tests += 1;
        self.failures += usize::from(result.status == Status::Fail);
        self.skipped += usize::from(matches!(result.status, Status::Skip | Status::Todo));
        self.assertions += result.assertions;
        self.seconds += result.duration_ms / 1000.0;
    }

    fn add_errors(&mut self, count: usize) {
        self.tests += count;
        self.failures += count;
    }

    fn attributes(&self) -> String {
        format!(
            "tests=\"{}\" assertions=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{:.6}\"",
            self.tests, self.assertions, self.failures, self.skipped, self.seconds
        )
    }
}

/// A group with its tests and groups, in the order in which they ended first.
#[derive(Default)]
struct Suite<'a> {
    path: &'a [String],
    sums: Sums,
    members: Vec<SuiteMember<'a>>,
}

enum SuiteMember<'a> {
    Suite(Suite<'a>),
    Test(&'a TestResult),
}

impl<'a> Suite<'a> {
    fn of(file: &'a FileReport) -> Suite<'a> {
        let mut suite = Suite::default();
        for result in &file.tests {
            if result.status != Status::Filtered {
                suite.add(result, 0);
            }
        }
        suite.sums.add_errors(file.errors.len());
        suite
    }

    /// `depth`: how many names of the test's path are those of this suite.
    fn add(&mut self, result: &'a TestResult, depth: usize) {
        self.sums.add(result);
        if depth + 1 >= result.path.len() {
            self.members.push(SuiteMember::Test(result));
            return;
        }
        let path = &result.path[..=depth];
        let is_own =
            |entry: &SuiteMember<'_>| matches!(entry, SuiteMember::Suite(suite) if suite.path == path);
        let at = self.members.iter().rposition(is_own).unwrap_or_else(|| {
            self.members.push(SuiteMember::Suite(Suite { path, ..Suite::default() }));
            self.members.len() - 1
        });
        if let SuiteMember::Suite(suite) = &mut self.members[at] {
            suite.add(result, depth + 1);
        }
    }
}

impl JUnit {
    fn render(&mut self, report: &RunReport) -> String {
        let mut sums = Sums::default();
        for file in &report.files {
            let shown = file.tests.iter().filter(|result| result.status != Status::Filtered);
            shown.for_each(|result| sums.add(result));
            sums.add_errors(file.errors.len());
        }
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rusk test\" {}>\n",
            sums.attributes()
        );
        let mut files: Vec<&FileReport> = report.files.iter().collect();
        files.sort_by(|one, other| one.path.cmp(&other.path));
        for file in files {
            self.push_file(&mut text, file);
        }
        text.push_str("</testsuites>\n");
        text
    }

    fn push_file(&mut self, text: &mut String, file: &FileReport) {
        let (name, suite) = (attribute(&file.path), Suite::of(file));
        text.push_str(&format!("  <testsuite name=\"{name}\" file=\"{name}\" {}", suite.sums.attributes()));
        text.push_str(&format!(" hostname=\"{}\">\n", attribute(&self.host_name)));
        if !self.properties.is_empty() {
            text.push_str("    <properties>\n");
            for (key, value) in &self.properties {
                text.push_str(&format!(
                    "      <property name=\"{}\" value=\"{}\" />\n",
                    attribute(key),
                    attribute(value)
                ));
            }
            text.push_str("    </properties>\n");
        }
        self.push_members(text, &file.path, &suite.members, 2);
        for error in &file.errors {
            let place = error.place.as_deref().unwrap_or("(file)");
            text.push_str(&format!(
                "    <testcase name=\"{}\" classname=\"{name}\" time=\"0\" file=\"{name}\">\n",
                attribute(place)
            ));
            self.push_error(text, &error.error, None, 3);
            text.push_str("    </testcase>\n");
        }
        text.push_str("  </testsuite>\n");
    }

    /// `level`: of indentation.
    fn push_members(&mut self, text: &mut String, file: &str, members: &[SuiteMember<'_>], level: usize) {
        for entry in members {
            match entry {
                SuiteMember::Test(result) => self.push_test(text, file, result, level),
                SuiteMember::Suite(suite) => self.push_suite(text, file, suite, level),
            }
        }
    }

    fn push_suite(&mut self, text: &mut String, file: &str, suite: &Suite<'_>, level: usize) {
        let (indent, name) = (INDENT.repeat(level), suite.path.last().map_or("", String::as_str));
        text.push_str(&format!(
            "{indent}<testsuite name=\"{}\" file=\"{}\"",
            attribute(name),
            attribute(file)
        ));
        let frame = self.definitions.frame(file, suite.path);
        push_line(text, frame.as_ref());
        text.push_str(&format!(
            " {} hostname=\"{}\">\n",
            suite.sums.attributes(),
            attribute(&self.host_name)
        ));
        self.push_members(text, file, &suite.members, level + 1);
        text.push_str(&format!("{indent}</testsuite>\n"));
    }

    fn push_test(&mut self, text: &mut String, file: &str, result: &TestResult, level: usize) {
        let (groups, name) = result.path.split_at(result.path.len().saturating_sub(1));
        let groups = full_name(groups);
        let class = if groups.is_empty() { file } else { &groups };
        let (indent, frame) = (INDENT.repeat(level), self.definitions.frame(file, &result.path));
        text.push_str(&format!(
            "{indent}<testcase name=\"{}\" classname=\"{}\" time=\"{:.6}\" file=\"{}\"",
            attribute(name.first().map_or("", String::as_str)),
            attribute(class),
            result.duration_ms / 1000.0,
            attribute(file),
        ));
        push_line(text, frame.as_ref());
        text.push_str(&format!(" assertions=\"{}\"", result.assertions));
        match result.status {
            Status::Fail => {
                text.push_str(">\n");
                for error in &result.errors {
                    self.push_error(text, error, frame.as_ref(), level + 1);
                }
                text.push_str(&format!("{indent}</testcase>\n"));
            }
            Status::Skip | Status::Todo => {
                let is_todo = result.status == Status::Todo;
                let message = if is_todo { format!(" message=\"{TO_DO}\"") } else { String::new() };
                text.push_str(&format!(">\n{indent}{INDENT}<skipped{message} />\n{indent}</testcase>\n"));
            }
            Status::Pass | Status::Filtered => text.push_str(" />\n"),
        }
    }

    fn push_error(&self, text: &mut String, error: &ErrorReport, origin: Option<&Frame>, level: usize) {
        let name = match error.name.as_str() {
            "" | "Error" if error.is_assertion => "AssertionError",
            "" => "Error",
            name => name,
        };
        let form = ErrorForm { root: &self.root, paint: Paint::default(), origin, has_source: false };
        text.push_str(&format!(
            "{}<failure type=\"{}\" message=\"{}\">{}</failure>\n",
            INDENT.repeat(level),
            attribute(name),
            attribute(error.message.trim_end()),
            escape(&errors::render(error, form))
        ));
    }
}

fn push_line(text: &mut String, frame: Option<&Frame>) {
    if let Some(frame) = frame {
        text.push_str(&format!(" line=\"{}\"", frame.line));
    }
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
